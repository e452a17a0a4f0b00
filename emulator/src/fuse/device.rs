//! /dev/fuse, mounted over one regular file: reads the kernel's requests and writes replies.

use std::ffi::CString;
use std::io::IoSlice;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{Mode, OFlags, open};
use rustix::io::{Errno, read, writev};
use rustix::mount::{MountFlags, mount};

/// The kernel's FUSE device.
pub const FUSE_DEVICE: &str = "/dev/fuse";

/// An open connection. The kernel ends it when the process dies, with an error for each request without a reply.
pub struct FuseDevice(OwnedFd);

/// Result of one read.
pub enum Received {
    /// A request of this many bytes.
    Request(usize),
    /// No request is pending.
    Nothing,
    /// The file system is unmounted.
    Unmounted,
}

impl FuseDevice {
    /// Mounts a file system that is one regular file over the file `target`. The kernel's requests wait for the first
    /// [`Self::receive`]. Root alone can open the file.
    pub fn mount(target: &Path) -> Result<FuseDevice, Errno> {
        let device = open(FUSE_DEVICE, OFlags::RDWR | OFlags::CLOEXEC | OFlags::NONBLOCK, Mode::empty())?;
        let options = format!("fd={},rootmode=100600,user_id=0,group_id=0", device.as_raw_fd());
        let options = CString::new(options).map_err(|_| Errno::INVAL)?;
        mount("ebs-emulator", target, "fuse", MountFlags::NOSUID | MountFlags::NODEV, options.as_c_str())?;
        Ok(FuseDevice(device))
    }

    /// Reads the next request, if there is one.
    pub fn receive(&self, buffer: &mut [u8]) -> Result<Received, Errno> {
        match read(&self.0, buffer) {
            Ok(bytes) => Ok(Received::Request(bytes)),
            // A request that was withdrawn while it was read; a signal; no request.
            Err(Errno::NOENT | Errno::INTR | Errno::AGAIN) => Ok(Received::Nothing),
            Err(Errno::NODEV) => Ok(Received::Unmounted),
            Err(errno) => Err(errno),
        }
    }

    /// Sends a reply. A request that was withdrawn in the meantime is no error.
    pub fn reply(&self, header: &[u8], body: &[u8]) -> Result<(), Errno> {
        match writev(&self.0, &[IoSlice::new(header), IoSlice::new(body)]) {
            Ok(_) | Err(Errno::NOENT | Errno::NODEV) => Ok(()),
            Err(errno) => Err(errno),
        }
    }
}

impl AsFd for FuseDevice {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}
