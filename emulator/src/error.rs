//! What ebs-emulator refuses, in PostgreSQL's style, and its exit status.

use std::fmt;

/// Why something was not done.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub struct Error {
    status: u8,
    message: String,
    detail: Option<String>,
    hint: Option<String>,
}

impl Error {
    /// Wrong usage, or a volume that cannot be: exit status 2.
    pub fn usage(message: impl Into<String>) -> Error {
        Error { status: 2, message: message.into(), detail: None, hint: None }
    }

    /// The machine did not do it: exit status 1.
    pub fn failed(message: impl Into<String>) -> Error {
        Error { status: 1, ..Error::usage(message) }
    }

    /// More about why.
    pub fn detail(self, detail: impl Into<String>) -> Error {
        Error { detail: Some(detail.into()), ..self }
    }

    /// What to do about it.
    pub fn hint(self, hint: impl Into<String>) -> Error {
        Error { hint: Some(hint.into()), ..self }
    }

    /// The exit status.
    pub fn status(&self) -> u8 {
        self.status
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.message)?;
        for (name, line) in [("detail: ", &self.detail), ("hint:  ", &self.hint)] {
            if let Some(line) = line {
                write!(f, "\n{name}{line}")?;
            }
        }
        Ok(())
    }
}
