//! A tree of small files such as /sys: the parsers of this crate take one in place of a filesystem.

/// A read-only tree. Paths are below its root, without a leading slash.
pub trait Tree {
    /// Returns the content of a file without white space around it; `None` if it cannot be read.
    fn read(&self, path: &str) -> Option<String>;

    /// Names in a directory, sorted; none if it cannot be read.
    fn list(&self, path: &str) -> Vec<String>;

    /// Resolves all symlinks in a path; `None` if it does not exist or leads out of the tree.
    fn resolve(&self, path: &str) -> Option<String>;
}
