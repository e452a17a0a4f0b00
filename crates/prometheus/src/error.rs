//! Errors of answers and of files, and the limits on their size.

use std::io;

/// Bounds of one answer. Beyond them it is refused with [`ReadError::TooLarge`], so that a shorter time can be requested.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Samples of all series.
    pub samples: usize,
    /// Series.
    pub series: usize,
    /// Labels of one series.
    pub labels: usize,
    /// Names and values of the labels of one series, bytes.
    pub label_bytes: usize,
    /// One frame of a streamed answer, or one line of JSON, bytes.
    pub piece_bytes: usize,
    /// An answer that has to be in memory as a whole, uncompressed, bytes.
    pub answer_bytes: usize,
}

impl Default for Limits {
    /// The bounds that `ebsctl fleet` keeps to: 5 million samples are 80 MB in memory.
    fn default() -> Limits {
        Limits {
            samples: 5_000_000,
            series: 1_000_000,
            labels: 256,
            label_bytes: 64 << 10,
            piece_bytes: 16 << 20,
            answer_bytes: 128 << 20,
        }
    }
}

/// Bytes of a sample in JSON, at most: a time, a value of 17 digits, and what is between them.
const JSON_SAMPLE_BYTES: usize = 48;

impl Limits {
    /// Bytes of an answer in JSON that is read while it arrives: those of its samples, and of its labels and texts as of an answer in memory.
    pub(crate) fn json_bytes(&self) -> usize {
        self.samples.saturating_mul(JSON_SAMPLE_BYTES).saturating_add(self.answer_bytes)
    }
}

/// Error of an answer or a file.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The bytes could not be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The answer ends early.
    #[error("the answer is cut off: {0}")]
    CutOff(String),
    /// The bytes are not of the format.
    #[error("not a valid answer: {0}")]
    Invalid(String),
    /// Chunks with an encoding that is not known here, such as those of native histograms.
    #[error("chunks have the unknown encoding {0}")]
    UnknownEncoding(i32),
    /// A bound is exceeded.
    #[error("more than {bound} {what}")]
    TooLarge {
        /// The bound.
        bound: usize,
        /// Its unit.
        what: &'static str,
    },
    /// The server lacks a part of the samples, by its own word.
    #[error("the server has only a part of the samples: {0}")]
    Partial(String),
    /// The server reports an error.
    #[error("{0}")]
    Server(ServerError),
}

/// Error that a server reports in its answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerError {
    /// Kind of the error as the server names it, such as `execution`; empty where it does not.
    pub kind: String,
    /// Its message.
    pub message: String,
}

impl std::fmt::Display for ServerError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.kind.is_empty() || self.kind.bytes().all(|byte| byte.is_ascii_digit()) {
            return formatter.write_str(&self.message);
        }
        write!(formatter, "{}: {}", self.kind, self.message)
    }
}

impl ReadError {
    /// The error for an input that is not of its format.
    pub(crate) fn invalid(problem: impl Into<String>) -> ReadError {
        ReadError::Invalid(problem.into())
    }
}

/// The error as [`ReadError`] of a JSON document: the end in the middle is told from other defects.
impl From<serde_json::Error> for ReadError {
    fn from(error: serde_json::Error) -> ReadError {
        match error.classify() {
            serde_json::error::Category::Io => ReadError::Io(error.into()),
            serde_json::error::Category::Eof => ReadError::CutOff(error.to_string()),
            _ => ReadError::Invalid(error.to_string()),
        }
    }
}
