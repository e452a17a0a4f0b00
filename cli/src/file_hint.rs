//! Hints for files that cannot be written, each for its own cause.

use std::io::{self, ErrorKind};

/// Advice on a file that could not be written; `None` where the error says it all.
pub fn write_hint(error: &io::Error) -> Option<&'static str> {
    Some(match error.kind() {
        ErrorKind::NotFound => "The directory has to exist; mkdir -p makes it.",
        ErrorKind::NotADirectory => "A part of the path is a file: name a path through directories.",
        ErrorKind::IsADirectory => "It is a directory: name a file in it.",
        ErrorKind::AlreadyExists => "Name a new file, or remove that one.",
        ErrorKind::PermissionDenied => "Name a file that this account may write.",
        ErrorKind::StorageFull => "The file system is full: free space on it, or name a file on another one.",
        ErrorKind::QuotaExceeded => "The disk quota is used up: remove files, or name a file on another file system.",
        ErrorKind::ReadOnlyFilesystem => "The file system is mounted read-only: name a file on another one.",
        ErrorKind::FileTooLarge => {
            "The file is larger than the limit of this process (ulimit -f) or of the file system."
        }
        ErrorKind::InvalidFilename => "The name is too long for the file system: name a shorter one.",
        ErrorKind::ResourceBusy => "Another process has put a file there meanwhile: give the command again.",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cause_has_its_own_hint() {
        let hint = |code| write_hint(&io::Error::from_raw_os_error(code)).unwrap_or_default();
        // ENOSPC, EDQUOT, EROFS, ENOENT, EISDIR, ENOTDIR, EACCES, EFBIG, ENAMETOOLONG of Linux.
        for (code, part) in [
            (28, "is full"),
            (122, "quota"),
            (30, "read-only"),
            (2, "mkdir -p"),
            (21, "is a directory"),
            (20, "is a file"),
            (13, "may write"),
            (27, "ulimit -f"),
            (36, "too long"),
        ] {
            assert!(hint(code).contains(part), "{code}: {}", hint(code));
        }
        assert_eq!(hint(5), "");
    }
}
