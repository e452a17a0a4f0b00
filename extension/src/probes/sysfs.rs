//! /sys, or a recorded copy of it, as a tree of small files. The tests of `ebs_linux` read their recorded trees with it.

use std::fs;
use std::path::PathBuf;

use ebs_linux::Tree;

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
