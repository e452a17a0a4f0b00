//! Files that are replaced as a whole.

use std::fs::{self, Metadata};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::{ownership, temporary};

/// Replaces a file atomically. Of a symlink the target is replaced, not the link. A path that is no regular file, such as
/// /dev/stdout or a pipe, is written to. In a directory that all may write to neither a link nor a file of another account's is used.
pub fn replace(file: &str, content: &[u8]) -> Result<(), Error> {
    try_replace(Path::new(file), content).map_err(|error| Error::WriteFile { path: file.to_owned(), error })
}

/// Refuses a path that [`replace`] cannot write to: a directory, a file in a directory that does not exist, what is another account's in a
/// directory that all may write to.
pub fn check(file: &str) -> Result<(), Error> {
    let checked = Target::new(Path::new(file)).and_then(|target| {
        let is_directory = target.metadata.as_ref().is_some_and(Metadata::is_dir);
        if is_directory { Err(io::ErrorKind::IsADirectory.into()) } else { Ok(()) }
    });
    checked.map_err(|error| Error::WriteFile { path: file.to_owned(), error })
}

fn try_replace(file: &Path, content: &[u8]) -> io::Result<()> {
    let Target { path, metadata } = Target::new(file)?;
    if let Some(found) = metadata.as_ref().filter(|metadata| !metadata.is_file()) {
        return write_to(&path, found, content);
    }
    let mut temporary = temporary::new_in(temporary::directory(&path), 0o666)?;
    if let Some(metadata) = metadata {
        // Not at creation, where the umask would remove some of them.
        temporary.as_file().set_permissions(metadata.permissions())?;
    }
    temporary.write_all(content)?;
    temporary.persist(&path)?;
    Ok(())
}

/// Writes to a device or a pipe that was found; another that has taken its place since is refused.
fn write_to(path: &Path, found: &Metadata, content: &[u8]) -> io::Result<()> {
    let mut opened = fs::OpenOptions::new().write(true).open(path)?;
    let metadata = opened.metadata()?;
    if (metadata.dev(), metadata.ino()) != (found.dev(), found.ino()) {
        return Err(io::Error::new(io::ErrorKind::ResourceBusy, "another file has taken its place"));
    }
    opened.write_all(content)
}

/// File that is written.
struct Target {
    /// Path without links, but for one of an open file.
    path: PathBuf,
    /// Metadata of what is there.
    metadata: Option<Metadata>,
}

impl Target {
    fn new(file: &Path) -> io::Result<Target> {
        let path = ownership::resolve(file)?;
        let metadata = match fs::metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            metadata => Some(metadata?),
        };
        // An open file that is regular is replaced where it lies.
        let is_open_file = fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_symlink());
        let is_moved = is_open_file && metadata.as_ref().is_some_and(Metadata::is_file);
        let path = if is_moved { fs::canonicalize(path)? } else { path };
        let directory = fs::metadata(temporary::directory(&path))?;
        if let Some(metadata) = &metadata {
            ownership::refuse_foreign_file(&directory, metadata)?;
        }
        Ok(Target { path, metadata })
    }
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

    /// Only root can make files of others.
    #[test]
    fn nothing_is_written_through_what_others_have_planted() {
        if ownership::effective_uid() != 0 {
            return;
        }
        let directory = tempfile::tempdir().unwrap();
        let shared = directory.path().join("shared");
        fs::create_dir(&shared).unwrap();
        fs::set_permissions(&shared, fs::Permissions::from_mode(0o1777)).unwrap();
        let secret = directory.path().join("secret");
        fs::write(&secret, "mine").unwrap();
        let (link, file, pipe) = (shared.join("link"), shared.join("file"), shared.join("pipe"));
        std::os::unix::fs::symlink(&secret, &link).unwrap();
        fs::write(&file, "theirs").unwrap();
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o666.into(), 0).unwrap();
        for planted in [&link, &file, &pipe] {
            std::os::unix::fs::lchown(planted, Some(54_321), None).unwrap();
            let path = planted.to_str().unwrap();
            for error in [check(path).unwrap_err(), replace(path, b"x").unwrap_err()] {
                assert!(
                    error.to_string().contains("of another account's in a directory that all may write to"),
                    "{error}"
                );
            }
        }
        assert_eq!((fs::read(&secret).unwrap(), fs::read(&file).unwrap()), (b"mine".to_vec(), b"theirs".to_vec()));
        // Ours are used, and those in a directory that is theirs alone.
        std::os::unix::fs::lchown(&link, Some(0), None).unwrap();
        replace(link.to_str().unwrap(), b"one").unwrap();
        fs::set_permissions(&shared, fs::Permissions::from_mode(0o755)).unwrap();
        replace(file.to_str().unwrap(), b"two").unwrap();
        assert_eq!((fs::read(&secret).unwrap(), fs::read(&file).unwrap()), (b"one".to_vec(), b"two".to_vec()));
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
