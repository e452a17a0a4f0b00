//! ext4 on a volume: created in its file, mounted from its device.

use std::fs;
use std::path::Path;

use rustix::io::Errno;
use rustix::mount::{MountFlags, UnmountFlags};

use super::program::run;
use crate::error::Error;

/// Creates a file system in the file, before the file is served. Tables and journal of a sparse file are zeros already.
pub fn create(file: &Path) -> Result<(), Error> {
    let options = "nodiscard,lazy_itable_init=1,lazy_journal_init=1";
    run("mkfs.ext4", &["-q", "-F", "-m", "0", "-E", options, &file.to_string_lossy()]).map(drop)
}

/// Mounts the device's file system, without the kernel's thread that would write the inode tables in the background and use
/// up limits.
pub fn mount(device: &Path, mount_point: &Path) -> Result<(), Error> {
    rustix::mount::mount(device, mount_point, "ext4", MountFlags::NOATIME, c"noinit_itable").map_err(|errno| {
        Error::failed(format!("could not mount {} at \"{}\": {errno}", device.display(), mount_point.display()))
    })
}

/// Unmounts and returns true, or returns false if the file system is in use. A lazy unmount succeeds even then: processes keep their
/// open files.
pub fn unmount(mount_point: &Path, lazy: bool) -> bool {
    let flags = if lazy { UnmountFlags::DETACH } else { UnmountFlags::empty() };
    !matches!(rustix::mount::unmount(mount_point, flags), Err(Errno::BUSY))
}

/// Source of the topmost mount at a mount point; `None` if nothing is mounted there.
pub fn mounted_source(mount_point: &Path) -> Option<String> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    // Fields: …, mount point (5th), …, a dash, file system, source.
    let source = |line: &str| {
        let mut fields = line.split(' ');
        let path = fields.nth(4)?.replace("\\040", " ");
        let mut fields = fields.skip_while(|field| *field != "-").skip(2);
        (Path::new(&path) == mount_point).then(|| fields.next().map(str::to_owned))?
    };
    mounts.lines().rev().find_map(source)
}
