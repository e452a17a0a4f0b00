//! Blocks in layout 2: without transactions, CPU time and calls that write WAL, which are therefore unknown.

use serde::Deserialize;

use super::ebs::EbsTotals;
use super::timed::Timed;
use super::totals::{IoTotals, Totals, WaitTotals};
use super::{Block, Sample, Sampling, SessionTotals, StorageCounts, StorageLayout, TempCounts, WalCounts};

/// [`Block`] in layout 2.
#[derive(Debug, Deserialize)]
pub(super) struct Block2 {
    interval_us: u64,
    downsampled_us: u64,
    rate_error_pct: u8,
    sampling: Sampling,
    layout: StorageLayout,
    totals: Totals2,
    samples: Vec<Sample>,
}

/// [`Totals`] in layout 2.
#[derive(Debug, Deserialize)]
struct Totals2 {
    io: IoTotals,
    wal: Timed<WalCounts>,
    waits: WaitTotals,
    temp: Timed<TempCounts>,
    storage: Timed<StorageCounts>,
    ebs: Vec<(String, EbsTotals)>,
    sessions: SessionTotals,
}

impl From<Block2> for Block {
    fn from(block: Block2) -> Block {
        let Block2 { interval_us, downsampled_us, rate_error_pct, sampling, layout, totals, samples } = block;
        Block { interval_us, downsampled_us, rate_error_pct, sampling, layout, totals: totals.into(), samples }
    }
}

impl From<Totals2> for Totals {
    fn from(totals: Totals2) -> Totals {
        let Totals2 { io, wal, waits, temp, storage, ebs, sessions } = totals;
        Totals { io, wal, waits, temp, storage, ebs, sessions, ..Totals::default() }
    }
}
