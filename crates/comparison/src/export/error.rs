//! Errors of a document that is refused.

use super::limits::{MAX_NOTE, MAX_PACKED_BYTES, MAX_RUNS, SCHEMA_VERSION};

/// Reason of the refusal; runs and their parts are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunDocumentError {
    /// Another kind of document.
    #[error("this is no document of ebs_run_export")]
    Foreign,
    /// Malformed or truncated JSON.
    #[error("line {line}: {problem}")]
    Malformed {
        /// The line, counted from 1.
        line: usize,
        /// The parser's message.
        problem: String,
    },
    /// An unknown or missing version.
    #[error("the document has schema_version {0}, and this version reads {SCHEMA_VERSION}")]
    Version(String),
    /// An unexpected shape, or a figure out of range.
    #[error("{place}: {problem}")]
    Shape {
        /// Its place: `run 1`, `mark 2 of run 1`.
        place: String,
        /// The problem.
        problem: String,
    },
    /// Damage after writing.
    #[error("{place} is damaged: {problem}")]
    Damaged {
        /// Its place.
        place: String,
        /// The evidence for it.
        problem: String,
    },
    /// Samples of a layout that this version does not know.
    #[error("{place}: {problem}")]
    Layout {
        /// Its place.
        place: String,
        /// Layouts that are known.
        problem: String,
    },
    /// A note, an environment or details that are too long.
    #[error("{place}: \"{key}\" has more than {} MiB", MAX_NOTE >> 20)]
    TooLong {
        /// Its place.
        place: String,
        /// The key.
        key: &'static str,
    },
    /// No memory is available.
    #[error("out of memory")]
    OutOfMemory,
    /// More than a document holds.
    #[error("a document holds at most {MAX_RUNS} runs and {} MiB of samples", MAX_PACKED_BYTES >> 20)]
    TooLarge,
}

impl RunDocumentError {
    pub(super) fn shape(place: &str, problem: impl Into<String>) -> RunDocumentError {
        RunDocumentError::Shape { place: place.to_owned(), problem: problem.into() }
    }

    pub(super) fn damaged(place: &str, problem: impl Into<String>) -> RunDocumentError {
        RunDocumentError::Damaged { place: place.to_owned(), problem: problem.into() }
    }

    /// Describes the remedy.
    pub fn hint(&self) -> &'static str {
        match self {
            RunDocumentError::Foreign | RunDocumentError::Malformed { .. } | RunDocumentError::Shape { .. } => {
                "ebs_run_export writes such documents: psql -XAtc \"SELECT ebs_run_export('my-run')\" > my-run.json"
            }
            RunDocumentError::Version(_) | RunDocumentError::Layout { .. } => {
                "It takes the version of ebs_advisor that wrote it, or a later one."
            }
            RunDocumentError::Damaged { .. } => "Copy the file again, or export the run again.",
            RunDocumentError::TooLong { .. } => "Keep what is long in a file, and its name in the note.",
            RunDocumentError::OutOfMemory => "Import it in parts: fewer hours, devices or runs at once.",
            RunDocumentError::TooLarge => "Export fewer runs into one document.",
        }
    }
}
