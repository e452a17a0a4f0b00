//! Errors of ebs-emulator in PostgreSQL's style, with their exit status.

use serde::{Deserialize, Serialize};

/// An error with its detail and hint. The daemon sends it to its clients as JSON, so it holds texts instead of a source.
#[derive(Debug, thiserror::Error, Serialize, Deserialize)]
#[error("error: {message}{}{}", labelled("detail: ", .detail), labelled("hint:  ", .hint))]
pub struct Error {
    status: u8,
    message: String,
    detail: Option<String>,
    hint: Option<String>,
}

impl Error {
    /// Wrong usage or an impossible volume: exit status 2.
    pub fn usage(message: impl Into<String>) -> Error {
        Error { status: 2, message: message.into(), detail: None, hint: None }
    }

    /// A failure of the machine: exit status 1.
    pub fn failed(message: impl Into<String>) -> Error {
        Error { status: 1, ..Error::usage(message) }
    }

    /// Adds the reason.
    pub fn detail(self, detail: impl Into<String>) -> Error {
        Error { detail: Some(detail.into()), ..self }
    }

    /// Adds a remedy.
    pub fn hint(self, hint: impl Into<String>) -> Error {
        Error { hint: Some(hint.into()), ..self }
    }

    /// The exit status.
    pub fn status(&self) -> u8 {
        self.status
    }
}

fn labelled(label: &str, text: &Option<String>) -> String {
    text.as_ref().map(|text| format!("\n{label}{text}")).unwrap_or_default()
}
