//! Blocks in layout 2: without transactions, CPU time and calls that write WAL, which are therefore unknown.

use serde::Deserialize;

use super::ebs::EbsTotals;
use super::old_block::OldBlock;
use super::timed::Timed;
use super::totals::{IoTotals, Totals, WaitTotals};
use super::{SessionTotals, StorageCounts, TempCounts, WalCounts};

/// [`Block`] in layout 2.
pub(super) type Block2 = OldBlock<Totals2>;

/// [`Totals`] in layout 2.
#[derive(Debug, Deserialize)]
pub(super) struct Totals2 {
    io: IoTotals,
    wal: Timed<WalCounts>,
    waits: WaitTotals,
    temp: Timed<TempCounts>,
    storage: Timed<StorageCounts>,
    ebs: Vec<(String, EbsTotals)>,
    sessions: SessionTotals,
}

impl From<Totals2> for Totals {
    fn from(totals: Totals2) -> Totals {
        let Totals2 { io, wal, waits, temp, storage, ebs, sessions } = totals;
        Totals { io, wal, waits, temp, storage, ebs, sessions, ..Totals::default() }
    }
}
