//! A FUSE file system of one file: its protocol and its connection to the kernel.

pub(crate) mod device;
pub mod protocol;
