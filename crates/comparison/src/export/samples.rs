//! Samples in a document.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::error::RunDocumentError;
use ebs_base::units::SECOND_US;
use ebs_samples::evidence::codec::{CodecError, FORMAT, decode_with, encode_with};
use ebs_samples::evidence::{Block, implausible};

/// A stored block with the other columns of its row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Samples {
    /// Layout of the bytes.
    pub layout: i16,
    /// The packed samples.
    pub bytes: Vec<u8>,
    /// Beginning of the first interval, microseconds since 1970.
    pub started_us: i64,
    /// End of the last interval, microseconds since 1970.
    pub ended_us: i64,
    /// Length of the span it was downsampled to, seconds; 0 if it was not.
    pub span_s: i32,
    /// Intervals in it.
    pub ticks: i32,
}

impl Samples {
    /// Reads stored bytes; `Ok(None)` where they have no intervals. `pause` is called between pieces of the work.
    pub fn from_stored(layout: i16, bytes: Vec<u8>, pause: &dyn Fn()) -> Result<Option<Samples>, CodecError> {
        let block = decode_with(layout, &bytes, pause)?;
        let (Some(started_us), Some(ended_us)) = (block.started_us(), block.ended_us()) else { return Ok(None) };
        let span_s = i32::try_from(block.downsampled_us / SECOND_US).unwrap_or(i32::MAX);
        let ticks = i32::try_from(block.samples.len()).unwrap_or(i32::MAX);
        pause();
        if let Some(problem) = implausible(&block) {
            return Err(CodecError::Damaged(problem.to_owned()));
        }
        Ok(Some(Samples { layout, bytes, started_us, ended_us, span_s, ticks }))
    }

    /// Packs a block; `Ok(None)` where it has no intervals. `pause` is called between pieces of the work.
    pub fn from_block(block: Block, pause: &dyn Fn()) -> Result<Option<Samples>, CodecError> {
        Samples::from_stored(FORMAT, encode_with(block, pause)?, pause)
    }

    /// Reads samples of a document.
    pub(super) fn read(value: &Value, place: &str, pause: &dyn Fn()) -> Result<Samples, RunDocumentError> {
        let missing = |key: &str| RunDocumentError::shape(place, format!("it has no \"{key}\""));
        let layout = value.get("layout").and_then(Value::as_i64).ok_or_else(|| missing("layout"))?;
        let crc32 = value.get("crc32").and_then(Value::as_u64).ok_or_else(|| missing("crc32"))?;
        let data = value.get("data").and_then(Value::as_str).ok_or_else(|| missing("data"))?;
        pause();
        let bytes = STANDARD.decode(data).map_err(|error| RunDocumentError::damaged(place, error.to_string()))?;
        if u64::from(crc32fast::hash(&bytes)) != crc32 {
            return Err(RunDocumentError::damaged(place, "its checksum does not fit"));
        }
        // A number out of range is an unknown layout.
        let layout = i16::try_from(layout).unwrap_or(-1);
        let samples = Samples::from_stored(layout, bytes, pause).map_err(|error| match error {
            CodecError::UnknownFormat(_) => {
                RunDocumentError::Layout { place: place.to_owned(), problem: error.to_string() }
            }
            CodecError::Damaged(problem) => RunDocumentError::damaged(place, problem),
            CodecError::TooLarge => RunDocumentError::damaged(place, error.to_string()),
            CodecError::OutOfMemory => RunDocumentError::OutOfMemory,
        })?;
        samples.ok_or_else(|| RunDocumentError::damaged(place, "it has no intervals"))
    }
}

/// Samples of one flush or of one span that was downsampled.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct PackedSamples {
    /// Number of the layout that data has.
    layout: i16,
    /// CRC-32 of the bytes of data (ISO 3309, as zip has it).
    crc32: u32,
    /// The packed samples, in base64.
    data: String,
}

impl Serialize for Samples {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (crc32, data) = (crc32fast::hash(&self.bytes), STANDARD.encode(&self.bytes));
        PackedSamples { layout: self.layout, crc32, data }.serialize(serializer)
    }
}
