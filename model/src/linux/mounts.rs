//! /proc/PID/mountinfo: which mount a path lies on, and what is behind that mount.

use std::io::BufRead;
use std::path::{Path, PathBuf};

use procfs_core::process::{MountInfo, MountInfos};
use procfs_core::{FromBufRead, ProcResult};

/// The mounts of a process.
pub struct Mounts(Vec<MountInfo>);

/// What a mount is backed by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Backing {
    /// A block device, `major:minor`.
    Device(String),
    /// No block device that could be named, and why.
    Unknown(String),
}

impl Mounts {
    /// Parses mountinfo.
    pub fn parse(text: impl BufRead) -> ProcResult<Mounts> {
        let MountInfos(mounts) = MountInfos::from_buf_read(text)?;
        Ok(Mounts(mounts))
    }

    /// What is behind `path`, which must be canonical (no symlinks, no `..`); `None` if no mount holds it, as in a chroot
    /// that is no mount point.
    pub fn backing(&self, path: &Path) -> Option<Backing> {
        // The longest mount point that is a prefix; among equals the last, which hides the earlier.
        let holds = |mount: &&MountInfo| path.starts_with(unescaped(&mount.mount_point));
        let mount = self.0.iter().filter(holds).max_by_key(|mount| mount.mount_point.components().count())?;
        Some(match mount.fs_type.as_str() {
            "tmpfs" | "ramfs" => unknown(path, mount, "lives in memory: no block device serves it"),
            "overlay" => unknown(path, mount, "hides the device below it (put the data directory on a volume)"),
            _ if !mount.majmin.starts_with("0:") => Backing::Device(mount.majmin.clone()),
            _ => unknown(path, mount, "names no single block device"),
        })
    }
}

fn unknown(path: &Path, mount: &MountInfo, why: &str) -> Backing {
    Backing::Unknown(format!("{} is on {}, which {why}", path.display(), mount.fs_type))
}

/// mountinfo writes space, tab, newline and backslash as `\040` and so on.
fn unescaped(path: &Path) -> PathBuf {
    let text = path.to_string_lossy();
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.as_ref();
    while let Some((before, after)) = rest.split_once('\\') {
        plain.push_str(before);
        let code = after.get(..3).and_then(|digits| u8::from_str_radix(digits, 8).ok());
        match code {
            Some(byte) => {
                plain.push(char::from(byte));
                rest = &after[3..];
            }
            None => {
                plain.push('\\');
                rest = after;
            }
        }
    }
    plain.push_str(rest);
    PathBuf::from(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTINFO: &str = r"27 1 254:0 / / rw,relatime - ext4 /dev/vda rw
25 24 0:23 / /dev/shm rw,relatime - tmpfs tmpfs rw
30 27 259:3 / /data rw,relatime shared:5 - xfs /dev/nvme1n1 rw
31 30 259:4 / /data/pg\040wal rw,relatime - xfs /dev/nvme2n1 rw
32 27 259:9 / /data2 rw,relatime - xfs /dev/nvme3n1 rw
33 32 0:45 / /data2 rw,relatime - overlay overlay rw,lowerdir=/l,upperdir=/u,workdir=/w
34 27 0:46 / /btr rw,relatime - btrfs /dev/nvme4n1 rw
";

    fn backing(path: &str) -> Backing {
        Mounts::parse(MOUNTINFO.as_bytes()).unwrap().backing(Path::new(path)).unwrap()
    }

    fn device(number: &str) -> Backing {
        Backing::Device(number.to_owned())
    }

    #[test]
    fn the_innermost_mount_holds_a_path() {
        assert_eq!(backing("/var/lib/postgresql"), device("254:0"));
        assert_eq!(backing("/data/base"), device("259:3"));
        assert_eq!(backing("/data/pg wal"), device("259:4"));
        assert_eq!(backing("/database"), device("254:0"));
    }

    #[test]
    fn a_path_that_no_mount_holds_is_told_apart() {
        let chroot = MOUNTINFO.lines().nth(2).unwrap();
        assert_eq!(Mounts::parse(chroot.as_bytes()).unwrap().backing(Path::new("/var")), None);
    }

    #[test]
    fn what_has_no_device_is_unknown_and_says_why() {
        let why = |path| match backing(path) {
            Backing::Unknown(why) => why,
            Backing::Device(number) => panic!("{path} is on {number}"),
        };
        assert!(why("/dev/shm/pg").contains("tmpfs, which lives in memory"));
        // The overlay was mounted over the volume, so it is what a process sees.
        assert!(why("/data2/pg").contains("overlay"));
        assert!(why("/btr/pg").contains("btrfs"));
    }
}
