//! An environment out of tables, for tests.

use std::collections::BTreeMap;
use std::io;

use super::environment::{Environment, FileStatus};

/// Variables and files that a test declares; the account is `dba` with the home `/home/dba`.
#[derive(Default)]
pub(crate) struct Fixture {
    variables: BTreeMap<&'static str, &'static str>,
    files: BTreeMap<String, (u32, String)>,
}

impl Fixture {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn variable(mut self, name: &'static str, value: &'static str) -> Self {
        self.variables.insert(name, value);
        self
    }

    /// Adds a file; permissions of 0 stand for something that is not a regular file.
    pub fn file(mut self, path: &str, permissions: u32, text: impl Into<String>) -> Self {
        self.files.insert(path.to_owned(), (permissions, text.into()));
        self
    }
}

impl Environment for Fixture {
    fn variable(&self, name: &str) -> Option<String> {
        self.variables.get(name).map(|value| (*value).to_owned())
    }

    fn read(&self, path: &str) -> io::Result<String> {
        self.files.get(path).map(|(_, text)| text.clone()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn status(&self, path: &str) -> io::Result<FileStatus> {
        let (permissions, _) = self.files.get(path).ok_or(io::ErrorKind::NotFound)?;
        Ok(FileStatus { is_regular: *permissions != 0, permissions: *permissions })
    }

    fn account(&self) -> Result<String, String> {
        Ok("dba".to_owned())
    }

    fn account_home(&self) -> Option<String> {
        Some("/home/dba".to_owned())
    }
}
