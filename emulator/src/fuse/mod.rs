//! The one file of a volume, served to the kernel through /dev/fuse: its protocol, and where it is mounted.

pub(crate) mod device;
pub mod protocol;
