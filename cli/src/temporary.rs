//! Temporary files that take the place of others.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tempfile::NamedTempFile;

/// Directory of a file.
pub fn directory(file: &Path) -> &Path {
    file.parent().filter(|directory| !directory.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes a temporary file with these permissions, less those of the umask. Its name is random: nobody can place a link there beforehand.
/// An error names the directory, and not the file, which nobody has named.
pub fn new_in(directory: &Path, mode: u32) -> io::Result<NamedTempFile> {
    let made = tempfile::Builder::new().permissions(Permissions::from_mode(mode)).tempfile_in(directory);
    made.map_err(|error| {
        let directory = fs::canonicalize(directory).unwrap_or_else(|_| directory.to_owned());
        let message = error.to_string();
        let reason = message.split_once(" at path ").map_or(message.as_str(), |(reason, _)| reason);
        io::Error::new(error.kind(), format!("directory \"{}\": {reason}", directory.display()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_directory() {
        let directory = tempfile::tempdir().unwrap();
        let missing = directory.path().join("none");
        let error = new_in(&missing, 0o600).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        let expected = format!("directory \"{}\": No such file or directory (os error 2)", missing.display());
        assert_eq!(error.to_string(), expected);
    }
}
