//! Blocks of earlier layouts, which differ in their totals alone.

use serde::Deserialize;

use super::totals::Totals;
use super::{Block, Sample, Sampling, StorageLayout};

/// A block with the totals of an earlier layout.
#[derive(Debug, Deserialize)]
pub(super) struct OldBlock<T> {
    interval_us: u64,
    downsampled_us: u64,
    rate_error_pct: u8,
    sampling: Sampling,
    layout: StorageLayout,
    totals: T,
    samples: Vec<Sample>,
}

impl<T: Into<Totals>> From<OldBlock<T>> for Block {
    fn from(block: OldBlock<T>) -> Block {
        let OldBlock { interval_us, downsampled_us, rate_error_pct, sampling, layout, totals, samples } = block;
        Block { interval_us, downsampled_us, rate_error_pct, sampling, layout, totals: totals.into(), samples }
    }
}
