//! Files that are replaced as a whole.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use crate::error::Error;
use crate::temporary;

/// Replaces a file atomically. Of a symlink the target is replaced, not the link. A path that is no regular file, such as
/// /dev/stdout or a pipe, is written to.
pub fn replace(file: &str, content: &[u8]) -> Result<(), Error> {
    try_replace(Path::new(file), content).map_err(|error| Error::WriteFile { path: file.to_owned(), error })
}

/// Refuses a path that [`replace`] cannot write to: a directory, or a file in a directory that does not exist.
pub fn check(file: &str) -> Result<(), Error> {
    let path = Path::new(file);
    let refused = if path.is_dir() {
        Some(io::ErrorKind::IsADirectory)
    } else if !temporary::directory(path).is_dir() {
        Some(io::ErrorKind::NotFound)
    } else {
        None
    };
    refused.map_or(Ok(()), |kind| Err(Error::WriteFile { path: file.to_owned(), error: kind.into() }))
}

fn try_replace(file: &Path, content: &[u8]) -> io::Result<()> {
    let metadata = fs::metadata(file).ok();
    if metadata.as_ref().is_some_and(|metadata| !metadata.is_file()) {
        return fs::OpenOptions::new().write(true).open(file)?.write_all(content);
    }
    let target = if metadata.is_some() { fs::canonicalize(file)? } else { file.to_owned() };
    let mut temporary = temporary::new_in(temporary::directory(&target), 0o666)?;
    if let Some(metadata) = metadata {
        // Not at creation, where the umask would remove some of them.
        temporary.as_file().set_permissions(metadata.permissions())?;
    }
    temporary.write_all(content)?;
    temporary.persist(&target)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole_with_its_permissions() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("page.html");
        replace(file.to_str().unwrap(), b"one").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"one");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
        let link = directory.path().join("link.html");
        std::os::unix::fs::symlink("page.html", &link).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        replace(link.to_str().unwrap(), b"two").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(
            (fs::read(&file).unwrap(), fs::metadata(&file).unwrap().permissions().mode() & 0o777),
            (b"two".to_vec(), 0o640)
        );
    }

    #[test]
    fn where_nothing_can_be_written_everything_stays() {
        let directory = tempfile::tempdir().unwrap();
        // A device is written to; this one is full.
        assert!(replace("/dev/full", b"x").is_err());
        assert!(!fs::metadata("/dev/full").unwrap().is_file());
        assert!(replace(directory.path().to_str().unwrap(), b"x").is_err());
        let missing = directory.path().join("none/page.html");
        assert_eq!(replace(missing.to_str().unwrap(), b"x").unwrap_err().exit_status(), 1);
        for (path, is_refused) in [(directory.path(), true), (&missing, true), (Path::new("/dev/stdout"), false)] {
            assert_eq!(check(path.to_str().unwrap()).is_err(), is_refused, "{path:?}");
        }
        assert!(check("new.csv").is_ok());
    }
}
