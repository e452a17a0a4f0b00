//! The errors of the codec.

use std::collections::TryReserveError;

use super::limits::{FORMAT, MAX_BYTES, MAX_READINGS, OLDEST_FORMAT};

/// Reason for which stored bytes are not a block, or a block cannot be stored.
#[derive(Debug, thiserror::Error)]
pub enum CodecError {
    /// Written by another version.
    #[error("sample block has format {0}, and this version reads formats {OLDEST_FORMAT} to {FORMAT}")]
    UnknownFormat(i16),
    /// Damaged.
    #[error("sample block is damaged: {0}")]
    Damaged(String),
    /// The system has no memory for it.
    #[error("out of memory")]
    OutOfMemory,
    /// A block to be written that would be too large to be read.
    #[error("these are more samples than one block holds ({MAX_READINGS} readings, {} MiB)", MAX_BYTES >> 20)]
    TooLarge,
}

impl From<TryReserveError> for CodecError {
    fn from(_: TryReserveError) -> Self {
        CodecError::OutOfMemory
    }
}

impl From<postcard::Error> for CodecError {
    fn from(error: postcard::Error) -> Self {
        CodecError::Damaged(error.to_string())
    }
}
