//! Fields of protobuf messages, read one at a time: a message of many empty ones takes no more memory than its bytes.

use prost::bytes::{Buf, Bytes};
use prost::encoding::{DecodeContext, WireType, decode_key, decode_varint, skip_field};
use prost::{DecodeError, Message};

use super::error::ReadError;

/// Messages in a repeated field of another message; other fields are skipped.
pub(crate) struct Fields {
    tag: u32,
    rest: Bytes,
}

impl Fields {
    /// Messages in the field with this number.
    pub(crate) fn new(tag: u32, message: Bytes) -> Fields {
        Fields { tag, rest: message }
    }

    fn advance(&mut self) -> Result<Option<Bytes>, ReadError> {
        while self.rest.has_remaining() {
            let (tag, wire_type) = decode_key(&mut self.rest).map_err(error)?;
            if (tag, wire_type) != (self.tag, WireType::LengthDelimited) {
                skip_field(wire_type, tag, &mut self.rest, DecodeContext::default()).map_err(error)?;
                continue;
            }
            let length = decode_varint(&mut self.rest).map_err(error)?;
            if length > self.rest.remaining() as u64 {
                return Err(ReadError::invalid("a field is longer than its message"));
            }
            return Ok(Some(self.rest.copy_to_bytes(length as usize)));
        }
        Ok(None)
    }
}

impl Iterator for Fields {
    type Item = Result<Bytes, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.advance().transpose()
    }
}

/// Decodes a message without many parts.
pub(crate) fn decode<M: Message + Default>(message: Bytes) -> Result<M, ReadError> {
    M::decode(message).map_err(error)
}

fn error(error: DecodeError) -> ReadError {
    ReadError::invalid(error.to_string())
}
