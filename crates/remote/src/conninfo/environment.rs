//! The outside of a connection string: variables, files and the account of a process.

use std::io;

/// Type and permissions of a file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct FileStatus {
    /// True if it is a regular file, behind symbolic links.
    pub is_regular: bool,
    /// Permission bits, as `st_mode & 0o777`.
    pub permissions: u32,
}

/// Environment of a process, as far as connection parameters depend on it.
pub trait Environment {
    /// Value of a variable; `None` if it is not set or not UTF-8.
    fn variable(&self, name: &str) -> Option<String>;

    /// Text of a file, of at most [`super::MAX_FILE_BYTES`]; the reader gives an error for a larger one.
    fn read(&self, path: &str) -> io::Result<String>;

    /// Type and permissions of a file, behind symbolic links.
    fn status(&self, path: &str) -> io::Result<FileStatus>;

    /// Name of the account that the process runs as, or the reason why it is unknown.
    fn account(&self) -> Result<String, String>;

    /// Home directory of that account in the database of accounts. It counts where the variable `HOME` is unset or empty.
    fn account_home(&self) -> Option<String>;
}

/// Returns the home directory that libpq takes: `HOME`, else that of the account.
pub(super) fn home(environment: &dyn Environment) -> Option<String> {
    let given = environment.variable("HOME").filter(|home| !home.is_empty());
    given.or_else(|| environment.account_home().filter(|home| !home.is_empty()))
}
