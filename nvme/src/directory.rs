//! The directory of published pages, the only one that this program writes to.

use std::fs::{self, DirBuilder, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::ioctl::Page;
use crate::serial::Serial;

/// The directory of published pages, one file a volume.
pub struct Directory(PathBuf);

impl Directory {
    /// Opens the directory at `path`, and creates it if it is missing, without its parents.
    pub fn open(path: &Path) -> Result<Directory, Error> {
        match DirBuilder::new().mode(0o755).create(path) {
            Err(error) if !path.is_dir() => Err(Error::Write { path: path.to_owned(), error }),
            _ => Ok(Directory(path.to_owned())),
        }
    }

    /// Replaces the page of `serial`. A reader sees either page as a whole.
    pub fn publish(&self, serial: &Serial, page: &Page) -> Result<(), Error> {
        let path = self.page_path(serial);
        // Readers take *.page alone.
        let temporary = self.0.join(format!(".{serial}.new"));
        let replace = || {
            create_file(&temporary, page)?;
            fs::rename(&temporary, &path)
        };
        replace().map_err(|error| {
            let _ = fs::remove_file(&temporary);
            Error::Write { path: path.clone(), error }
        })
    }

    /// Removes the page of `serial`, whose volume is no longer read: an old page would be taken for the current one.
    pub fn remove(&self, serial: &Serial) {
        // If that fails, readers recognise an old page by its age.
        let _ = fs::remove_file(self.page_path(serial));
    }

    fn page_path(&self, serial: &Serial) -> PathBuf {
        self.0.join(format!("{serial}.page"))
    }
}

/// Creates a file. One that is there, or a link, is removed: in a directory that others may write to it would be theirs.
fn create_file(path: &Path, page: &Page) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => (),
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o644).open(path)?;
    // Independent of the umask, because the sampler runs as another user. No fsync: the directory is a tmpfs, and pages are soon replaced.
    file.set_permissions(Permissions::from_mode(0o644))?;
    file.write_all(page)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn file_names(path: &Path) -> Vec<String> {
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
        let mut names: Vec<String> = fs::read_dir(path).unwrap().map(name).collect();
        names.sort();
        names
    }

    #[test]
    fn a_page_is_replaced_as_a_whole_and_readable_by_all() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("ebs_advisor");
        let directory = Directory::open(&path).unwrap();
        let serial = Serial::parse("vol0123456789abcdef0").unwrap();
        directory.publish(&serial, &[1; 4096]).unwrap();
        let first = fs::File::open(path.join("vol0123456789abcdef0.page")).unwrap();
        directory.publish(&serial, &[2; 4096]).unwrap();
        assert_eq!(file_names(&path), ["vol0123456789abcdef0.page"]);
        assert_eq!(fs::read(path.join("vol0123456789abcdef0.page")).unwrap(), [2; 4096]);
        assert_eq!(io::read_to_string(first).unwrap(), "\u{1}".repeat(4096), "a reader keeps the old one");
        let mode = fs::metadata(path.join("vol0123456789abcdef0.page")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o644);
        directory.remove(&serial);
        assert_eq!(file_names(&path), [""; 0]);
    }

    #[test]
    fn a_planted_link_is_not_written_through() {
        let temp = tempfile::tempdir().unwrap();
        let victim = temp.path().join("victim");
        fs::write(&victim, "kept").unwrap();
        let path = temp.path().join("pages");
        let directory = Directory::open(&path).unwrap();
        symlink(&victim, path.join(".vol1.new")).unwrap();
        symlink(&victim, path.join("vol1.page")).unwrap();
        directory.publish(&Serial::parse("vol1").unwrap(), &[1; 4096]).unwrap();
        assert_eq!(fs::read_to_string(&victim).unwrap(), "kept");
        assert_eq!(fs::read(path.join("vol1.page")).unwrap(), [1; 4096]);
    }

    #[test]
    fn a_directory_that_cannot_be_created_is_named() {
        let temp = tempfile::tempdir().unwrap();
        let error = Directory::open(&temp.path().join("a/b")).err().unwrap();
        assert!(error.to_string().starts_with("could not write"), "{error}");
        assert!(error.hint().unwrap().contains("--directory"));
    }
}
