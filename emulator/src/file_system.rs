//! ext4 on a volume: made in its file, mounted from its device.

use std::fs;
use std::path::Path;

use rustix::io::Errno;
use rustix::mount::{MountFlags, UnmountFlags, mount, unmount};

use crate::error::Error;
use crate::program::run;

/// Makes one in the file, before anything is served from it. Tables and journal of a sparse file are zeros already.
pub fn make(file: &Path) -> Result<(), Error> {
    let options = "nodiscard,lazy_itable_init=1,lazy_journal_init=1";
    run("mkfs.ext4", &["-q", "-F", "-m", "0", "-E", options, &file.to_string_lossy()]).map(drop)
}

/// Mounts it. Without the kernel's thread that would write the inode tables in the background, through the limits.
pub fn attach(device: &Path, at: &Path) -> Result<(), Error> {
    mount(device, at, "ext4", MountFlags::NOATIME, c"noinit_itable").map_err(|errno| {
        Error::failed(format!("could not mount {} at \"{}\": {errno}", device.display(), at.display()))
    })
}

/// Unmounts it; false where something uses it. `lazily`: from under whatever does.
pub fn detach(at: &Path, lazily: bool) -> bool {
    let flags = if lazily { UnmountFlags::DETACH } else { UnmountFlags::empty() };
    !matches!(unmount(at, flags), Err(Errno::BUSY))
}

/// What is mounted there last; `None`: nothing.
pub fn mounted(at: &Path) -> Option<String> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    // Fields: …, mount point (5th), …, a dash, file system, source.
    let source = |line: &str| {
        let mut words = line.split(' ');
        let point = words.nth(4)?.replace("\\040", " ");
        let mut words = words.skip_while(|word| *word != "-").skip(2);
        (Path::new(&point) == at).then(|| words.next().map(str::to_owned))?
    };
    mounts.lines().rev().find_map(source)
}
