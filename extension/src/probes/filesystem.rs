//! /sys as the pure crates read it, the filesystem's facts of a path, and files that cannot be read.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use ebs_linux::{Paths, Tree};
use rustix::fs::{major, minor, stat};

/// The tree below the root of sysfs.
pub(super) struct Sysfs(pub PathBuf);

impl Tree for Sysfs {
    fn read(&self, path: &str) -> Option<String> {
        // Serial numbers and models may hold anything.
        let bytes = fs::read(self.0.join(path)).ok()?;
        Some(String::from_utf8_lossy(&bytes).trim().to_owned())
    }

    fn list(&self, path: &str) -> Vec<String> {
        let entries = fs::read_dir(self.0.join(path)).into_iter().flatten().flatten();
        let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort();
        names
    }

    fn resolve(&self, path: &str) -> Option<String> {
        let root = self.0.canonicalize().ok()?;
        let target = self.0.join(path).canonicalize().ok()?;
        Some(target.strip_prefix(root).ok()?.to_str()?.to_owned())
    }
}

/// Message of a file that cannot be read.
pub(super) fn unreadable(path: &Path, error: &dyn Display) -> String {
    format!("could not read \"{}\": {error}", path.display())
}

/// The filesystem as the server's processes see it.
pub(super) struct Filesystem;

impl Paths for Filesystem {
    fn canonical(&self, path: &Path) -> Option<PathBuf> {
        path.canonicalize().ok()
    }

    fn device(&self, path: &Path) -> Option<String> {
        let device = stat(path).ok()?.st_dev;
        Some(format!("{}:{}", major(device), minor(device)))
    }
}
