//! /proc/PID/mountinfo: the mount that a path lies on, and the storage behind it.

use std::collections::HashSet;
use std::io::BufRead;
use std::path::{Path, PathBuf};

use procfs_core::process::{MountInfo, MountInfos};
use procfs_core::{FromBufRead, ProcResult};

/// The mounts of a process.
pub struct Mounts(Vec<MountInfo>);

/// Storage behind a mount.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Backing {
    /// A block device, `major:minor`.
    Device(String),
    /// Btrfs, mounted from this device of it.
    Btrfs(String),
    /// An overlay that writes into this directory, by the path in its mount options.
    Overlay(PathBuf),
    /// No block device that could be named, and why.
    Unknown(String),
}

impl Mounts {
    /// Parses mountinfo.
    pub fn parse(text: impl BufRead) -> ProcResult<Mounts> {
        let MountInfos(mounts) = MountInfos::from_buf_read(text)?;
        Ok(Mounts(mounts))
    }

    /// Returns the storage behind `path`, which must be canonical (no symlinks, no `..`); `None` if no mount holds it, as
    /// in a chroot that is no mount point.
    pub fn backing(&self, path: &Path) -> Option<Backing> {
        let mount = self.holder(path)?;
        Some(match mount.fs_type.as_str() {
            "overlay" => match upper(mount) {
                Some(directory) => Backing::Overlay(directory),
                None => unknown(path, mount, "is read-only, or hides where it writes"),
            },
            "btrfs" => Backing::Btrfs(mount.mount_source.as_deref().map(unescaped).unwrap_or_default()),
            _ if !mount.majmin.starts_with("0:") => Backing::Device(mount.majmin.clone()),
            "tmpfs" | "ramfs" => unknown(path, mount, "lives in memory: no block device serves it"),
            "nfs" | "nfs4" | "cifs" | "smb3" | "ceph" => unknown(path, mount, "is served by another machine"),
            "zfs" => unknown(path, mount, "does not tell the kernel which disks it is on"),
            kind if kind.starts_with("fuse") => unknown(path, mount, "is served by a program"),
            _ => unknown(path, mount, "names no single block device"),
        })
    }

    /// Returns the mount point of a mount on a block device, by its number in fdinfo (`mnt_id`); `None` where it is on none.
    pub fn mount_point(&self, number: i32) -> Option<PathBuf> {
        let mount = self.0.iter().find(|mount| mount.mnt_id == number)?;
        (!mount.majmin.starts_with("0:")).then(|| mount_point(mount))
    }

    /// The mount that a process meets at `path`: from each mount on to the one that lies on it nearest to its root, so that
    /// what another mount hides is not found. Mounts whose parent is not shown (outside the process's root) come first.
    fn holder(&self, path: &Path) -> Option<&MountInfo> {
        let shown: HashSet<i32> = self.0.iter().map(|mount| mount.mnt_id).collect();
        let next = |current: Option<&MountInfo>| {
            let on = |mount: &&MountInfo| match current {
                Some(current) => mount.pid == current.mnt_id && mount.mnt_id != current.mnt_id,
                None => mount.pid == mount.mnt_id || !shown.contains(&mount.pid),
            };
            let holds = |mount: &&MountInfo| path.starts_with(mount_point(mount));
            let depth = |mount: &&MountInfo| mount_point(mount).components().count();
            // Among equals the last, which lies on the earlier.
            self.0.iter().rev().filter(on).filter(holds).min_by_key(depth)
        };
        // A tree is no deeper than it has nodes; damaged text may hold a circle.
        let mut holder = next(None)?;
        for _ in &self.0 {
            match next(Some(holder)) {
                Some(mount) => holder = mount,
                None => break,
            }
        }
        Some(holder)
    }
}

fn mount_point(mount: &MountInfo) -> PathBuf {
    unescaped(&mount.mount_point.to_string_lossy()).into()
}

fn upper(mount: &MountInfo) -> Option<PathBuf> {
    let directory = PathBuf::from(unescaped(mount.super_options.get("upperdir")?.as_deref()?));
    directory.is_absolute().then_some(directory)
}

fn unknown(path: &Path, mount: &MountInfo, why: &str) -> Backing {
    Backing::Unknown(format!("{} is on {}, which {why}", path.display(), mount.fs_type))
}

/// mountinfo writes space, tab, newline and backslash as `\040` and so on.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
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
    plain
}

#[cfg(test)]
#[path = "mounts_tests.rs"]
mod tests;
