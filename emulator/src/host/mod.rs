//! Parts of the machine that a volume consists of: loop device, ext4, the kernel's statistics, programs.

pub mod block_layer;
pub mod file_system;
pub mod loop_device;
pub mod overhead;
pub mod program;
