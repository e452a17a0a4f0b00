//! Facts about a path that the filesystem has, and files that cannot be read.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use ebs_linux::Paths;
use rustix::fs::{major, minor, stat};

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
