//! The process's own environment, for the parameters of a connection.

use std::env;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;

use ebs_remote::conninfo::{Environment, FileStatus, MAX_FILE_BYTES};
use nix::unistd::{User, geteuid};

/// Environment of this process.
pub struct ProcessEnvironment;

impl Environment for ProcessEnvironment {
    fn variable(&self, name: &str) -> Option<String> {
        env::var(name).ok()
    }

    fn read(&self, path: &str) -> io::Result<String> {
        if !fs::metadata(path)?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
        }
        let mut text = String::new();
        let length = File::open(path)?.take(MAX_FILE_BYTES as u64 + 1).read_to_string(&mut text)?;
        if length > MAX_FILE_BYTES { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(text) }
    }

    fn status(&self, path: &str) -> io::Result<FileStatus> {
        let metadata = fs::metadata(path)?;
        Ok(FileStatus { is_regular: metadata.is_file(), permissions: metadata.mode() & 0o777 })
    }

    fn account(&self) -> Result<String, String> {
        match User::from_uid(geteuid()) {
            Ok(Some(user)) => Ok(user.name),
            Ok(None) => Err(format!("account {} is not known to this machine", geteuid())),
            Err(error) => Err(error.to_string()),
        }
    }

    fn account_home(&self) -> Option<String> {
        let user = User::from_uid(geteuid()).ok().flatten()?;
        user.dir.into_os_string().into_string().ok()
    }
}
