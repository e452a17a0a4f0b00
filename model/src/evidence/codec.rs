//! Blocks as bytes: postcard (<https://postcard.jamesmunns.com/wire-format>), compact because most counts are small and
//! most rows absent, behind a number that names the layout so that old evidence stays readable.

use super::Block;

/// The layout this version writes.
pub const FORMAT: i16 = 1;

/// Why stored bytes are not a block.
#[derive(Debug, thiserror::Error)]
pub enum CodecError {
    /// Written by a later version.
    #[error("sample block has format {0}, and this version reads up to {FORMAT}")]
    UnknownFormat(i16),
    /// Damaged.
    #[error("sample block is damaged: {0}")]
    Damaged(#[from] postcard::Error),
}

/// The bytes of `block` in layout [`FORMAT`].
pub fn encode(block: &Block) -> Result<Vec<u8>, CodecError> {
    Ok(postcard::to_stdvec(block)?)
}

/// The block that `bytes` hold in the layout `format`.
pub fn decode(format: i16, bytes: &[u8]) -> Result<Block, CodecError> {
    match format {
        1 => Ok(postcard::from_bytes(bytes)?),
        other => Err(CodecError::UnknownFormat(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_format_of_the_future_is_named() {
        let error = decode(99, &[]).unwrap_err().to_string();
        assert_eq!(error, "sample block has format 99, and this version reads up to 1");
    }

    proptest! {
        #[test]
        fn bytes_of_any_kind_never_panic(bytes: Vec<u8>) {
            let _ = decode(FORMAT, &bytes);
        }
    }
}
