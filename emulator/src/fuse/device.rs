//! /dev/fuse: where the kernel's requests come from and answers go to, mounted over one regular file.

use std::ffi::CString;
use std::io::IoSlice;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{Mode, OFlags, open};
use rustix::io::{Errno, read, writev};
use rustix::mount::{MountFlags, mount};

/// Where the kernel's requests are.
pub const FUSE: &str = "/dev/fuse";

/// An open connection. The kernel ends it, with an error to whoever waits for an answer, when the process dies.
pub struct Device(OwnedFd);

/// What reading gave.
pub enum Received {
    /// A request of so many bytes.
    Request(usize),
    /// There is none.
    Nothing,
    /// It is unmounted.
    Gone,
}

impl Device {
    /// Mounts a file system that is one regular file over the file `at`. Nothing is answered before the first
    /// [`Self::receive`]. Root alone can open the file.
    pub fn mounted(at: &Path) -> Result<Device, Errno> {
        let device = open(FUSE, OFlags::RDWR | OFlags::CLOEXEC | OFlags::NONBLOCK, Mode::empty())?;
        let options = format!("fd={},rootmode=100600,user_id=0,group_id=0", device.as_raw_fd());
        let options = CString::new(options).map_err(|_| Errno::INVAL)?;
        mount("ebs-emulator", at, "fuse", MountFlags::NOSUID | MountFlags::NODEV, options.as_c_str())?;
        Ok(Device(device))
    }

    /// The next request, if there is one.
    pub fn receive(&self, buffer: &mut [u8]) -> Result<Received, Errno> {
        match read(&self.0, buffer) {
            Ok(bytes) => Ok(Received::Request(bytes)),
            // A request that was withdrawn while it was read; a signal; none there.
            Err(Errno::NOENT | Errno::INTR | Errno::AGAIN) => Ok(Received::Nothing),
            Err(Errno::NODEV) => Ok(Received::Gone),
            Err(errno) => Err(errno),
        }
    }

    /// Sends an answer. That nobody waits for it any more is no error.
    pub fn answer(&self, head: &[u8], body: &[u8]) -> Result<(), Errno> {
        match writev(&self.0, &[IoSlice::new(head), IoSlice::new(body)]) {
            Ok(_) | Err(Errno::NOENT | Errno::NODEV) => Ok(()),
            Err(errno) => Err(errno),
        }
    }
}

impl AsFd for Device {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}
