//! The directory with the pages: the only thing this program ever writes to.

use std::fs::{self, DirBuilder, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::ioctl::Page;
use crate::serial::Serial;

/// Where pages are published, one file a volume.
pub struct Directory(PathBuf);

impl Directory {
    /// The directory at `path`, made if it is missing (but not what it lies in).
    pub fn open(path: &Path) -> Result<Directory, Error> {
        match DirBuilder::new().mode(0o755).create(path) {
            Err(error) if !path.is_dir() => Err(Error::Publish { path: path.to_owned(), error }),
            _ => Ok(Directory(path.to_owned())),
        }
    }

    /// Puts the page of `serial` in place of the one before: whoever opens it sees one or the other, whole.
    pub fn publish(&self, serial: &Serial, page: &Page) -> Result<(), Error> {
        let path = self.page(serial);
        // Readers look for *.page, so that an unfinished one is none.
        let unfinished = self.0.join(format!(".{serial}.new"));
        let replace = || {
            write_anew(&unfinished, page)?;
            fs::rename(&unfinished, &path)
        };
        replace().map_err(|error| {
            let _ = fs::remove_file(&unfinished);
            Error::Publish { path: path.clone(), error }
        })
    }

    /// Takes the page of `serial` away: a volume that is not read any more is not known, and an old page would lie.
    pub fn withdraw(&self, serial: &Serial) {
        // Whatever hinders it, nothing better can be done: readers see by its age that a page is old.
        let _ = fs::remove_file(self.page(serial));
    }

    fn page(&self, serial: &Serial) -> PathBuf {
        self.0.join(format!("{serial}.page"))
    }
}

/// Never through a file or link that is there already: in a directory that others may write to it would be theirs.
fn write_anew(path: &Path, page: &Page) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => (),
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o644).open(path)?;
    // Whatever the umask: the sampler runs as another user. No fsync: the directory is a tmpfs, and pages are for now.
    file.set_permissions(Permissions::from_mode(0o644))?;
    file.write_all(page)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn listed(path: &Path) -> Vec<String> {
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
        let mut names: Vec<String> = fs::read_dir(path).unwrap().map(name).collect();
        names.sort();
        names
    }

    #[test]
    fn a_page_is_replaced_whole_and_readable_by_all() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("ebs_advisor");
        let directory = Directory::open(&path).unwrap();
        let serial = Serial::of("vol0123456789abcdef0").unwrap();
        directory.publish(&serial, &[1; 4096]).unwrap();
        let first = fs::File::open(path.join("vol0123456789abcdef0.page")).unwrap();
        directory.publish(&serial, &[2; 4096]).unwrap();
        assert_eq!(listed(&path), ["vol0123456789abcdef0.page"]);
        assert_eq!(fs::read(path.join("vol0123456789abcdef0.page")).unwrap(), [2; 4096]);
        assert_eq!(io::read_to_string(first).unwrap(), "\u{1}".repeat(4096), "who reads the old one keeps it");
        let mode = fs::metadata(path.join("vol0123456789abcdef0.page")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o644);
        directory.withdraw(&serial);
        assert_eq!(listed(&path), [""; 0]);
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
        directory.publish(&Serial::of("vol1").unwrap(), &[1; 4096]).unwrap();
        assert_eq!(fs::read_to_string(&victim).unwrap(), "kept");
        assert_eq!(fs::read(path.join("vol1.page")).unwrap(), [1; 4096]);
    }

    #[test]
    fn a_directory_that_cannot_be_made_is_named() {
        let temp = tempfile::tempdir().unwrap();
        let error = Directory::open(&temp.path().join("a/b")).err().unwrap();
        assert!(error.to_string().starts_with("could not write"), "{error}");
        assert!(error.hint().unwrap().contains("--directory"));
    }
}
