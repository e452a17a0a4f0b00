//! Password files: `host:port:database:user:password` (<https://www.postgresql.org/docs/current/libpq-pgpass.html>).

use std::io::ErrorKind;

use super::endpoint::Endpoint;
use super::environment::Environment;
use super::secret::Secret;
use super::service_file::MAX_FILE_BYTES;

/// Longest line that is read, bytes; longer ones are ignored.
pub const MAX_PASSWORD_LINE: usize = 8 * 1024;

/// A password file that may be used.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct PasswordFile {
    /// Its path.
    pub path: String,
    text: Secret,
}

impl PasswordFile {
    /// Reads a file. `None` if it does not exist or may not be read, which libpq ignores; a warning if it may not be used.
    pub fn read(path: &str, environment: &dyn Environment) -> Result<Option<Self>, String> {
        let status = match environment.status(path) {
            Ok(status) => status,
            Err(error) if is_out_of_reach(error.kind()) => return Ok(None),
            Err(error) => return Err(format!("could not read password file \"{path}\": {error}")),
        };
        if !status.is_regular {
            return Err(format!("password file \"{path}\" is not a plain file"));
        }
        if status.permissions & 0o077 != 0 {
            return Err(format!(
                "password file \"{path}\" has group or world access; permissions should be u=rw (0600) or less"
            ));
        }
        match environment.read(path) {
            Ok(text) if text.len() > MAX_FILE_BYTES => {
                Err(format!("password file \"{path}\" is longer than {MAX_FILE_BYTES} bytes"))
            }
            Ok(text) => Ok(Some(Self { path: path.to_owned(), text: Secret::new(text) })),
            Err(error) if is_out_of_reach(error.kind()) => Ok(None),
            Err(error) => Err(format!("could not read password file \"{path}\": {error}")),
        }
    }

    /// Returns the password of the first line that matches. Empty ones are none.
    pub fn find(&self, endpoint: &Endpoint, dbname: &str, user: &str) -> Option<Secret> {
        let hosts = endpoint.password_hosts();
        let port = endpoint.port.to_string();
        let lines = self.text.expose().split('\n').map(|line| line.trim_end_matches('\r'));
        let is_valid = |line: &&str| line.len() <= MAX_PASSWORD_LINE && !line.starts_with('#') && !line.contains('\0');
        let mut lines = lines.filter(is_valid);
        let password = lines.find_map(|line| {
            let rest = hosts.iter().find_map(|host| match_field(line, host))?;
            let rest = match_field(rest, &port)?;
            let rest = match_field(rest, dbname)?;
            match_field(rest, user)
        })?;
        let password = unescape(password);
        (!password.is_empty()).then(|| Secret::new(password))
    }
}

/// True of a file that this account does not see. A program that was started by root for another account has root's HOME.
fn is_out_of_reach(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::PermissionDenied)
}

/// Returns the text behind a field that is `*` or a value.
fn match_field<'a>(line: &'a str, value: &str) -> Option<&'a str> {
    if let Some(rest) = line.strip_prefix("*:") {
        return Some(rest);
    }
    let mut letters = line.chars();
    for expected in value.chars() {
        let letter = match letters.next()? {
            '\\' => letters.next()?,
            // A colon that is part of the value has a backslash before it; libpq takes it without one, too.
            letter => letter,
        };
        if letter != expected {
            return None;
        }
    }
    letters.as_str().strip_prefix(':')
}

/// Reads a password up to an unescaped colon.
fn unescape(text: &str) -> String {
    let mut password = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            ':' => break,
            '\\' => password.push(letters.next().unwrap_or('\\')),
            letter => password.push(letter),
        }
    }
    password
}
