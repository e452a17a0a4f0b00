//! Files of other accounts in directories that all may write to, such as /tmp. A link that was planted there would lead a privileged
//! ebsctl to write elsewhere, a file there would be read or changed by its owner. The rules are the kernel's for fs.protected_symlinks,
//! protected_regular and protected_fifos (<https://docs.kernel.org/admin-guide/sysctl/fs.html>), which are off on some systems.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{PROC_SUPER_MAGIC, statfs};

/// Most links of one path, as the kernel has it.
const MAX_LINKS: usize = 40;
/// Bits of a directory that all may write to, each their own files: sticky, and writable by others.
const SHARED: u32 = 0o1002;
/// Bits of write permission of others than the owner.
const OTHERS_WRITE: u32 = 0o022;

/// Numeric identifier of the account that ebsctl has the rights of.
pub fn effective_uid() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// Problem of a directory or file that is to be this account's alone; `None` without one.
pub fn private_problem(metadata: &Metadata, uid: u32) -> Option<&'static str> {
    if metadata.uid() != uid {
        Some("it belongs to another account")
    } else if metadata.mode() & OTHERS_WRITE != 0 {
        Some("other accounts may write to it")
    } else if metadata.is_file() && metadata.nlink() != 1 {
        Some("it has a second name")
    } else {
        None
    }
}

/// Path without links, whose last name need not exist. A link of another account's in a shared directory is refused.
pub fn resolve(path: &Path) -> io::Result<PathBuf> {
    resolve_as(path, effective_uid())
}

fn resolve_as(path: &Path, uid: u32) -> io::Result<PathBuf> {
    let mut resolved = std::env::current_dir()?;
    let mut names: VecDeque<OsString> = names(path);
    let mut links = 0;
    while let Some(name) = names.pop_front() {
        match Path::new(&name).components().next() {
            None | Some(Component::CurDir) => continue,
            Some(Component::ParentDir) => {
                resolved.pop();
                continue;
            }
            Some(Component::RootDir | Component::Prefix(_)) => {
                resolved = PathBuf::from("/");
                continue;
            }
            Some(Component::Normal(_)) => {}
        }
        let next = resolved.join(&name);
        let metadata = match fs::symlink_metadata(&next) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && names.is_empty() => return Ok(next),
            metadata => metadata?,
        };
        // Links of open files, such as /dev/stdout has, lead nowhere else; only the kernel can follow them.
        if !metadata.is_symlink() || is_descriptor(&resolved) {
            resolved = next;
            continue;
        }
        links += 1;
        if links > MAX_LINKS {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "too many levels of links"));
        }
        refuse_foreign(&fs::symlink_metadata(&resolved)?, &metadata, uid, "a link")?;
        let target = self::names(&fs::read_link(&next)?);
        target.into_iter().rev().for_each(|name| names.push_front(name));
    }
    Ok(resolved)
}

fn names(path: &Path) -> VecDeque<OsString> {
    path.components().map(|name| name.as_os_str().to_owned()).collect()
}

/// True of a directory of open files, in /proc.
fn is_descriptor(directory: &Path) -> bool {
    directory.ends_with("fd") && statfs(directory).is_ok_and(|system| system.f_type == PROC_SUPER_MAGIC)
}

/// Refuses an existing file or pipe of another account's in a shared directory.
pub fn refuse_foreign_file(directory: &Metadata, file: &Metadata) -> io::Result<()> {
    if file.is_file() || file.file_type().is_fifo() {
        refuse_foreign(directory, file, effective_uid(), "a file")
    } else {
        Ok(())
    }
}

fn refuse_foreign(directory: &Metadata, entry: &Metadata, uid: u32, kind: &str) -> io::Result<()> {
    if is_trusted(directory.mode(), directory.uid(), entry.uid(), uid) {
        return Ok(());
    }
    let message = format!("{kind} of another account's in a directory that all may write to");
    Err(io::Error::new(io::ErrorKind::PermissionDenied, message))
}

/// True of an entry that nobody could have planted: its owner is this account, or that of the directory, or the directory is not shared.
fn is_trusted(directory_mode: u32, directory_uid: u32, entry_uid: u32, uid: u32) -> bool {
    directory_mode & SHARED != SHARED || entry_uid == uid || entry_uid == directory_uid
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, chown, symlink};

    use super::*;

    /// An account that is not ours, and neither that of a directory here.
    const OTHER: u32 = 54_321;

    /// A shared directory that is not ours, where we can make one.
    fn shared() -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o1777)).unwrap();
        let _ = chown(directory.path(), Some(OTHER + 1), None);
        directory
    }

    #[test]
    fn entries_of_others_are_trusted_by_the_kernel_s_rule() {
        for (mode, directory, entry, is_expected) in [
            (0o1777, 0, 1, false),
            (0o1777, 0, 7, true),
            (0o1777, 0, 0, true),
            (0o1777, 1, 1, true),
            (0o1775, 0, 1, true),
            (0o777, 0, 1, true),
            (0o755, 0, 1, true),
        ] {
            assert_eq!(is_trusted(mode, directory, entry, 7), is_expected, "{mode:o} {directory} {entry}");
        }
    }

    #[test]
    fn a_link_of_another_account_s_in_a_shared_directory_is_not_followed() {
        let directory = shared();
        let path = fs::canonicalize(directory.path()).unwrap();
        fs::create_dir(path.join("target")).unwrap();
        symlink("target", path.join("link")).unwrap();
        symlink("link/../target", path.join("chain")).unwrap();
        let uid = effective_uid();
        for name in ["link", "chain", "link/new", "./link/../target"] {
            let resolved = resolve_as(&path.join(name), uid).unwrap();
            assert_eq!(resolved, path.join(if name == "link/new" { "target/new" } else { "target" }));
        }
        // Only root makes a directory that is another account's than the link.
        if fs::metadata(&path).unwrap().uid() != uid {
            for name in ["link", "link/new", "chain"] {
                let error = resolve_as(&path.join(name), OTHER).unwrap_err();
                assert!(error.to_string().starts_with("a link of another account's"), "{error}");
            }
        }
        assert!(resolve_as(&path.join("none/new"), uid).is_err());
        symlink("loop", path.join("loop")).unwrap();
        assert!(resolve_as(&path.join("loop"), uid).unwrap_err().to_string().contains("too many levels"));
    }

    #[test]
    fn paths_of_open_files_stay() {
        let resolved = resolve(Path::new("/dev/stdout")).unwrap();
        assert!(resolved.starts_with("/proc") && resolved.ends_with("fd/1"), "{resolved:?}");
        assert_eq!(resolve(Path::new("/dev/null")).unwrap(), Path::new("/dev/null"));
        assert_eq!(resolve(Path::new("new")).unwrap(), std::env::current_dir().unwrap().join("new"));
    }

    #[test]
    fn what_is_private_is_ours_alone() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("file");
        let problem = |mode, uid| {
            fs::write(&file, "").unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
            private_problem(&fs::metadata(&file).unwrap(), uid)
        };
        let uid = effective_uid();
        assert_eq!([problem(0o600, uid), problem(0o644, uid)], [None, None]);
        assert_eq!([problem(0o620, uid), problem(0o602, uid)], [Some("other accounts may write to it"); 2]);
        assert_eq!(problem(0o600, OTHER), Some("it belongs to another account"));
        fs::hard_link(&file, directory.path().join("second")).unwrap();
        assert_eq!(problem(0o600, uid), Some("it has a second name"));
    }
}
