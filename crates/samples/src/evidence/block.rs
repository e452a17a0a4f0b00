//! A block: a few seconds of samples, or a downsampled minute or hour; the unit in which evidence is written.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::sampling::Sampling;
use super::totals::Totals;
use super::{CounterDelta, DeviceCounts, StorageLayout};

/// Counts of devices in one interval, by index into the volumes of a block or a window. Mostly it is one, and lies within the interval: months
/// of averages then take an allocation less for each, and are read in order.
pub type DeviceReadings = SmallVec<[(u16, CounterDelta<DeviceCounts>); 1]>;

/// One sample: the counts of each device since the previous sample. In a downsampled block: over seconds of its span in which
/// demand was similar.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// End of the interval (of the span, in a downsampled block), microseconds since 1970 by the wall clock.
    pub at_us: i64,
    /// Length of the interval, microseconds by the monotonic clock.
    pub dt_us: u64,
    /// Counts by index into [`StorageLayout::volumes`]; a volume without an entry was idle.
    pub devices: DeviceReadings,
    /// True if counters of PostgreSQL were reset in it.
    pub reset: bool,
}

/// Samples in the order in which they came, and the totals over all of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// The sampling interval that was set, microseconds.
    pub interval_us: u64,
    /// Length of the span that this block was downsampled to, microseconds; 0 if it was not.
    pub downsampled_us: u64,
    /// Maximum error of a rate of a downsampled block against the seconds in it, per cent.
    pub rate_error_pct: u8,
    /// Sampler, its cost and its punctuality.
    pub sampling: Sampling,
    /// Volumes of the cluster when the block began.
    pub layout: StorageLayout,
    /// Counts of PostgreSQL, EBS and the kernel over the whole block.
    pub totals: Totals,
    /// The samples.
    pub samples: Vec<Sample>,
}

impl Block {
    /// Beginning, microseconds since 1970; `None` without samples. Of all samples, not of the first: where the wall clock was
    /// set back within a block, the first is the latest.
    pub fn started_us(&self) -> Option<i64> {
        let began = |sample: &Sample| {
            let length = if self.downsampled_us > 0 { self.downsampled_us } else { sample.dt_us };
            sample.at_us.saturating_sub(i64::try_from(length).unwrap_or(i64::MAX))
        };
        self.samples.iter().map(began).min()
    }

    /// End, microseconds since 1970, likewise.
    pub fn ended_us(&self) -> Option<i64> {
        self.samples.iter().map(|sample| sample.at_us).max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_within_which_the_clock_was_set_spans_all_its_ticks() {
        let sample =
            |second: i64| Sample { at_us: second * 1_000_000, dt_us: 1_000_000, devices: vec![].into(), reset: false };
        let block = Block { samples: [100, 101, 21, 22].map(sample).into(), ..Block::default() };
        assert_eq!((block.started_us(), block.ended_us()), (Some(20_000_000), Some(101_000_000)));
        let downsampled =
            Block { downsampled_us: 60_000_000, samples: [120, 120, 180].map(sample).into(), ..Block::default() };
        assert_eq!((downsampled.started_us(), downsampled.ended_us()), (Some(60_000_000), Some(180_000_000)));
    }
}
