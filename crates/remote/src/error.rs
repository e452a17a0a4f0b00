//! Answers that are not as they were asked for.

/// Reason for which an answer cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AnswerError {
    /// It is not the JSON of its query.
    #[error("the answer is malformed: {0}")]
    Malformed(String),
    /// It is larger than any answer to its query.
    #[error("the answer has more than {max} {unit}")]
    TooLarge {
        /// The bound.
        max: usize,
        /// Unit of the bound.
        unit: &'static str,
    },
    /// The text of diskstats is malformed.
    #[error("/proc/diskstats is malformed: {0}")]
    Diskstats(String),
    /// A view has other columns than its version has.
    #[error("{0} has other columns than its version")]
    Columns(&'static str),
}

impl From<serde_json::Error> for AnswerError {
    /// The beginning of the message: it may quote a value of any length.
    fn from(error: serde_json::Error) -> AnswerError {
        const MAX_LENGTH: usize = 200;
        let message = error.to_string();
        AnswerError::Malformed(message[..message.floor_char_boundary(MAX_LENGTH)].to_owned())
    }
}
