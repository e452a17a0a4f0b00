//! Why a document is refused.

use super::limits::{LARGEST, MAX_NOTE, MOST_RUNS, SCHEMA_VERSION};

/// Why it is; runs and their parts are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadDocument {
    /// Something else.
    #[error("this is no document of ebs_run_export")]
    Foreign,
    /// No JSON, or cut off.
    #[error("line {line}: {problem}")]
    Malformed {
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// Of a later version, or of none.
    #[error("the document has schema_version {0}, and this version reads {SCHEMA_VERSION}")]
    Version(String),
    /// Not of the shape it should have, or a figure out of range.
    #[error("{place}: {problem}")]
    Shape {
        /// Where: `run 1`, `mark 2 of run 1`.
        place: String,
        /// What is wrong.
        problem: String,
    },
    /// What was written is not what is there.
    #[error("{place} is damaged: {problem}")]
    Damaged {
        /// Where.
        place: String,
        /// How that shows.
        problem: String,
    },
    /// Samples of a layout that this version does not know.
    #[error("{place}: {problem}")]
    Layout {
        /// Where.
        place: String,
        /// Which layouts are known.
        problem: String,
    },
    /// A note or its like is longer than one that is kept.
    #[error("{place}: \"{key}\" has more than {} MiB", MAX_NOTE >> 20)]
    TooLong {
        /// Where.
        place: String,
        /// Of which key.
        key: &'static str,
    },
    /// The system gives no memory for it.
    #[error("out of memory")]
    OutOfMemory,
    /// More than fits.
    #[error("a document holds at most {MOST_RUNS} runs and {} MiB of samples", LARGEST >> 20)]
    TooLarge,
}

impl BadDocument {
    pub(super) fn shape(place: &str, problem: impl Into<String>) -> BadDocument {
        BadDocument::Shape { place: place.to_owned(), problem: problem.into() }
    }

    pub(super) fn damaged(place: &str, problem: impl Into<String>) -> BadDocument {
        BadDocument::Damaged { place: place.to_owned(), problem: problem.into() }
    }

    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            BadDocument::Foreign | BadDocument::Malformed { .. } | BadDocument::Shape { .. } => {
                "ebs_run_export writes such documents: psql -XAtc \"SELECT ebs_run_export('my-run')\" > my-run.json"
            }
            BadDocument::Version(_) | BadDocument::Layout { .. } => {
                "It takes the version of ebs_advisor that wrote it, or a later one."
            }
            BadDocument::Damaged { .. } => "Copy the file again, or export the run again.",
            BadDocument::TooLong { .. } => "Keep what is long in a file, and its name in the note.",
            BadDocument::OutOfMemory => "Import it in parts: fewer hours, devices or runs at once.",
            BadDocument::TooLarge => "Export fewer runs into one document.",
        }
    }
}
