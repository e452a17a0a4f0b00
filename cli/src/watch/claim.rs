//! Claim of a run's file by the watch that writes it. The kernel withdraws the claim of a process that has ended.

use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

use crate::{ownership, temporary};

/// Attempts to lock a file that another watch removes at the same time.
const ATTEMPTS: usize = 100;

/// Claim of a run's file: a lock of a file beside it. The run's file itself is replaced again and again, and keeps no lock.
pub struct Claim {
    path: PathBuf,
    /// Locked file; `None` in a directory that takes none.
    file: Option<File>,
}

/// A live process has the claim.
#[derive(Debug)]
pub struct Claimed;

impl Claim {
    /// Claims a run's file. In a directory that takes no file and no lock there is no claim to take.
    pub fn take(run_file: &Path) -> Result<Claim, Claimed> {
        let mut path = run_file.as_os_str().to_owned();
        path.push(".lock");
        let path = PathBuf::from(path);
        for _ in 0..ATTEMPTS {
            let Ok(file) = open(&path) else { return Ok(Claim { path, file: None }) };
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => return Err(Claimed),
                Err(TryLockError::Error(_)) => return Ok(Claim { path, file: None }),
                Ok(()) if is_at(&file, &path) => return Ok(Claim { path, file: Some(file) }),
                // The watch that had it has just removed it: another may lock a new one.
                Ok(()) => (),
            }
        }
        Err(Claimed)
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // Before the lock ends with the file: nobody removes the file of another watch.
        if self.file.is_some() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Opens the file for a lock; the file of another account only for reading, which is enough.
fn open(path: &Path) -> io::Result<File> {
    // A pipe that somebody has put there is not waited for.
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let opened = File::options().write(true).create(true).truncate(false).custom_flags(flags).open(path);
    let file = opened.or_else(|_| File::options().read(true).custom_flags(flags).open(path))?;
    // A file that another account has put there must not keep this one from its label.
    ownership::refuse_foreign_file(&fs::metadata(temporary::directory(path))?, &file.metadata()?)?;
    Ok(file)
}

/// Tells whether the file is the one of this path.
fn is_at(file: &File, path: &Path) -> bool {
    let identity = |metadata: io::Result<fs::Metadata>| metadata.ok().map(|metadata| (metadata.dev(), metadata.ino()));
    identity(file.metadata()).is_some_and(|it| Some(it) == identity(fs::symlink_metadata(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(directory: &Path) -> usize {
        fs::read_dir(directory).unwrap().count()
    }

    #[test]
    fn a_file_has_one_claim_at_a_time() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("a.ebs-run.json");
        let claim = Claim::take(&file).unwrap();
        assert!(Claim::take(&file).is_err());
        assert!(Claim::take(&directory.path().join("b.ebs-run.json")).is_ok(), "another run");
        drop(claim);
        assert_eq!(files(directory.path()), 0, "nothing is left");
        assert!(Claim::take(&file).is_ok());
    }

    #[test]
    fn a_claim_that_a_crash_has_left_is_taken() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("a.ebs-run.json");
        fs::write(directory.path().join("a.ebs-run.json.lock"), "").unwrap();
        let claim = Claim::take(&file).unwrap();
        assert!(claim.file.is_some() && Claim::take(&file).is_err());
    }

    #[test]
    fn claims_race_and_one_wins() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("a.ebs-run.json");
        let holders = std::sync::atomic::AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        if let Ok(claim) = Claim::take(&file) {
                            assert!(claim.file.is_some());
                            assert_eq!(holders.fetch_add(1, std::sync::atomic::Ordering::SeqCst), 0);
                            holders.fetch_sub(1, std::sync::atomic::Ordering::SeqCst);
                        }
                    }
                });
            }
        });
    }

    #[test]
    fn where_no_file_can_be_made_there_is_no_claim() {
        let directory = tempfile::tempdir().unwrap();
        assert!(Claim::take(&directory.path().join("none/a.ebs-run.json")).unwrap().file.is_none());
        std::os::unix::fs::symlink("elsewhere", directory.path().join("a.ebs-run.json.lock")).unwrap();
        assert!(
            Claim::take(&directory.path().join("a.ebs-run.json")).unwrap().file.is_none(),
            "a link is not followed"
        );
        assert_eq!(files(directory.path()), 1);
    }
}
