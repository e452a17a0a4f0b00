//! Options of a command whose values are secrets, word by word.

use super::names::{HIDDEN, is_credentials, is_secret};
use super::program::Program;

/// Short options, mostly of curl, whose value is a user, a colon and a password.
const CREDENTIALS: [char; 4] = ['u', 'U', 'A', 'E'];

/// Meaning of the next word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Ordinary,
    /// Value of an option that is a secret.
    Secret,
    /// Value of a short option of a program: some are shown.
    Short,
    /// User, colon and password.
    Credentials,
}

/// Words of one command so far.
pub struct Options {
    program: Program,
    next: Next,
}

impl Options {
    /// A command without words.
    pub fn new() -> Options {
        Options { program: Program::Unknown, next: Next::Ordinary }
    }

    /// The next word without its secret; `None` if it has none.
    pub fn redact(&mut self, word: &str) -> Option<String> {
        match std::mem::replace(&mut self.next, Next::Ordinary) {
            // PostgreSQL's programs prompt: their --password has no value, and the next option is one.
            Next::Secret if self.program == Program::Libpq && word.starts_with('-') => {}
            Next::Short if self.program.shows(word) => return None,
            Next::Secret | Next::Short => return Some(HIDDEN.to_owned()),
            Next::Credentials => return hide_behind_colon(word),
            Next::Ordinary => {}
        }
        if let Some(program) = Program::from_word(word) {
            self.program = program;
        }
        let option = word.strip_prefix('-')?;
        let (name, value) = option.split_once('=').map_or((option, None), |(name, value)| (name, Some(value)));
        let long = name.strip_prefix('-').unwrap_or(name);
        // Programs in Go and Java have long options behind one hyphen.
        let is_long = name.starts_with('-') || is_secret(long) && long.len() > 1;
        if is_long { self.redact_long(long, word, value) } else { self.redact_short(option) }
    }

    fn redact_long(&mut self, name: &str, word: &str, value: Option<&str>) -> Option<String> {
        let (is_secret, is_credentials) = (is_secret(name) && !name.starts_with("no-"), is_credentials(name));
        let Some(value) = value else {
            self.next = match (is_secret, is_credentials) {
                (true, _) => Next::Secret,
                (false, true) => Next::Credentials,
                _ => Next::Ordinary,
            };
            return None;
        };
        let option = word.strip_suffix(value)?;
        match (is_secret, is_credentials) {
            (true, _) => Some(format!("{option}{HIDDEN}")),
            (false, true) => Some(format!("{option}{}", hide_behind_colon(value)?)),
            _ => None,
        }
    }

    fn redact_short(&mut self, option: &str) -> Option<String> {
        let letter = option.chars().next()?;
        let value = &option[letter.len_utf8()..];
        if self.program.is_password(letter) {
            if value.is_empty() {
                self.next = Next::Short;
                return None;
            }
            return (!self.program.shows(value)).then(|| format!("-{letter}{HIDDEN}"));
        }
        if !CREDENTIALS.contains(&letter) || self.program == Program::Libpq {
            return None;
        }
        if value.is_empty() {
            self.next = Next::Credentials;
            return None;
        }
        Some(format!("-{letter}{}", hide_behind_colon(value)?))
    }
}

/// A user, a colon, and nothing of the password; `None` without a colon.
fn hide_behind_colon(value: &str) -> Option<String> {
    let (user, password) = value.split_once(':')?;
    (!password.is_empty()).then(|| format!("{user}:{HIDDEN}"))
}
