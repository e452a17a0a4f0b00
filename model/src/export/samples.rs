//! Samples in a document.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::BadDocument;
use crate::counter::Counters;
use crate::evidence::codec::{CodecError, decode};
use crate::evidence::{Block, Reading, Tick};
use crate::units::{LATEST_US, SECOND_US};

/// A block as it is stored, and what its row says beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Samples {
    /// Layout of the bytes.
    pub layout: i16,
    /// The packed samples.
    pub bytes: Vec<u8>,
    /// Beginning of the first interval, microseconds since 1970.
    pub started_us: i64,
    /// End of the last.
    pub ended_us: i64,
    /// Seconds of the spans it was aged to; 0 as it was sampled.
    pub span_s: i32,
    /// Intervals in it.
    pub ticks: i32,
}

/// Longest interval that is sampled, or aged to: a year, in which no import's is longer.
const LONGEST_US: u64 = 366 * 86_400 * 1_000_000;

/// Counts of one interval are below this; sums of them then fit 64 bits.
const LARGEST_COUNT: u64 = 1 << 52;

impl Samples {
    /// Of stored bytes; refuses what cannot be read, and `Ok(None)` where there is nothing in them.
    pub fn of(layout: i16, bytes: Vec<u8>) -> Result<Option<Samples>, CodecError> {
        let block = decode(layout, &bytes)?;
        let (Some(started_us), Some(ended_us)) = (block.started_us(), block.ended_us()) else { return Ok(None) };
        let span_s = i32::try_from(block.aged_us / SECOND_US).unwrap_or(i32::MAX);
        let ticks = i32::try_from(block.ticks.len()).unwrap_or(i32::MAX);
        if let Some(problem) = implausible(&block) {
            return Err(CodecError::Damaged(problem.to_owned()));
        }
        Ok(Some(Samples { layout, bytes, started_us, ended_us, span_s, ticks }))
    }

    /// As the document has them.
    pub(super) fn document(&self) -> Value {
        let crc32 = crc32fast::hash(&self.bytes);
        json!({ "layout": self.layout, "crc32": crc32, "data": STANDARD.encode(&self.bytes) })
    }

    /// From the document.
    pub(super) fn read(value: &Value, place: &str) -> Result<Samples, BadDocument> {
        let missing = |key: &str| BadDocument::shape(place, format!("it has no \"{key}\""));
        let layout = value.get("layout").and_then(Value::as_i64).ok_or_else(|| missing("layout"))?;
        let crc32 = value.get("crc32").and_then(Value::as_u64).ok_or_else(|| missing("crc32"))?;
        let data = value.get("data").and_then(Value::as_str).ok_or_else(|| missing("data"))?;
        let bytes = STANDARD.decode(data).map_err(|error| BadDocument::damaged(place, error.to_string()))?;
        if u64::from(crc32fast::hash(&bytes)) != crc32 {
            return Err(BadDocument::damaged(place, "its checksum does not fit"));
        }
        // A number that no layout can have is unknown, too.
        let layout = i16::try_from(layout).unwrap_or(-1);
        let samples = Samples::of(layout, bytes).map_err(|error| match error {
            CodecError::UnknownFormat(_) => BadDocument::Layout { place: place.to_owned(), problem: error.to_string() },
            CodecError::Damaged(problem) => BadDocument::damaged(place, problem),
        })?;
        samples.ok_or_else(|| BadDocument::damaged(place, "it has no intervals"))
    }
}

/// What no sampler writes and no answer can go by.
fn implausible(block: &Block) -> Option<&'static str> {
    let volumes = block.place.volumes.len();
    let length = |us: u64| us <= LONGEST_US;
    if !length(block.interval_us) || !length(block.aged_us) || !block.ticks.iter().all(|tick| length(tick.dt_us)) {
        return Some("an interval is longer than a year");
    }
    let begun = block.started_us().is_some_and(|us| us >= 0);
    if !begun || !block.ticks.iter().all(|tick| (0..LATEST_US).contains(&tick.at_us)) {
        return Some("a time is not between the years 1970 and 9999");
    }
    let punctuality = &block.sampling.punctuality;
    if [punctuality.ticks, punctuality.missed, punctuality.clock_steps, block.totals.waits.sweeps]
        .iter()
        .any(|count| *count >= LARGEST_COUNT)
    {
        return Some("a count is out of range");
    }
    block.ticks.iter().find_map(|tick| of_tick(tick, volumes))
}

fn of_tick(tick: &Tick, volumes: usize) -> Option<&'static str> {
    tick.devices.iter().find_map(|(volume, reading)| {
        if usize::from(*volume) >= volumes {
            return Some("a volume is not described");
        }
        let Reading::Known(counts) = reading else { return None };
        counts.fields().iter().any(|count| *count >= LARGEST_COUNT).then_some("a count is out of range")
    })
}
