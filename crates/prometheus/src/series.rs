//! A series: its labels, and raw samples as they were scraped.

use super::Labels;

/// Bits of the value that marks a series as stale: no value, but the end of what was scraped
/// (<https://github.com/prometheus/prometheus/blob/v2.42.0/model/value/value.go>).
pub const STALE_BITS: u64 = 0x7ff0_0000_0000_0002;

/// One raw sample.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// Time of the scrape, milliseconds since 1970.
    pub at_ms: i64,
    /// Value: of a counter since it was last reset; NaN where it is no number or marks the series as stale.
    pub value: f64,
}

impl Sample {
    /// True for a marker of staleness, which JSON cannot hold: there it is left out or a NaN as others.
    pub fn is_stale(&self) -> bool {
        self.value.to_bits() == STALE_BITS
    }
}

/// One series, its samples in time order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Its labels.
    pub labels: Labels,
    /// Its samples.
    pub samples: Vec<Sample>,
}
