//! Blocks in layouts 3 and 4: without the time that sessions waited for a CPU, which is therefore unknown, without the CPU time of the
//! kernel's threads, and with a whole number of CPUs. What layout 3 has less stands in `limits.rs`.

use serde::Deserialize;

use super::layout2::Totals2;
use super::old_block::OldBlock;
use super::timed::Timed;
use super::totals::Totals;
use super::{CpuCount, ProcessorCounts, TransactionCounts, WalWriteCounts};

/// [`Block`] in layouts 3 and 4.
pub(super) type Block4 = OldBlock<Totals4>;

/// [`Totals`] in layouts 3 and 4.
#[derive(Debug, Deserialize)]
pub(super) struct Totals4 {
    /// Fields of layout 2, which stand first: the form that is stored has no marks between fields.
    first: Totals2,
    wal_writes: Timed<WalWriteCounts>,
    transactions: Timed<TransactionCounts>,
    processor: Timed<ProcessorCounts4>,
    cpus: Option<u32>,
}

/// [`ProcessorCounts`] in layouts 3 and 4.
#[derive(Debug, Deserialize)]
struct ProcessorCounts4 {
    client_us: u64,
    ended_us: u64,
    server_us: u64,
    host_us: u64,
    host_ticked_us: u64,
}

impl From<Totals4> for Totals {
    fn from(totals: Totals4) -> Totals {
        let Totals4 { first, wal_writes, transactions, processor, cpus } = totals;
        let Timed { counts: ProcessorCounts4 { client_us, ended_us, server_us, host_us, host_ticked_us }, known_us } =
            processor;
        let counts = ProcessorCounts { client_us, ended_us, server_us, host_us, host_ticked_us, kernel_us: 0 };
        let (processor, cpus) = (Timed { counts, known_us }, cpus.map(CpuCount::from));
        Totals { wal_writes, transactions, processor, cpus, ..Totals::from(first) }
    }
}
