//! Counts over a whole period: PostgreSQL's I/O, WAL and waits. Only their totals are needed, so a block
//! holds one set for all its samples, and a window adds up those of its blocks.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::counts::{
    IoCounts, IoKey, ProcessorCounts, RunDelayCounts, StorageCounts, TempCounts, TransactionCounts, WaitKey, WalCounts,
    WalWriteCounts,
};
use super::cpu_count::CpuCount;
use super::ebs::EbsTotals;
use super::sessions::SessionTotals;
use super::timed::Timed;
use ebs_base::counter::Counters;

/// PostgreSQL's I/O.
///
/// WAL is the object `wal`. From PostgreSQL 18 on a row names the backend type that flushed it: its context `normal` counts
/// flushes (`fsyncs`), their time (`fsync_us`) and the time of the writes before them (`write_us`), by the leader of each group
/// commit, not by all that waited; `init` is segments being made. On 16 and 17 one row of backend type `any` has the same of
/// all together, from pg_stat_wal. Times are known where [`wal_timed`](Self::wal_timed) holds. No fsync is counted where
/// wal_sync_method is open_sync or open_datasync (see [`WalWriteCounts`]) or fsync is off.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IoTotals {
    /// Counts of each row of pg_stat_io.
    pub rows: Vec<(IoKey, IoCounts)>,
    /// Time in which the rows were known, microseconds.
    pub known_us: u64,
    /// True if track_io_timing was on for all that time.
    pub io_timed: bool,
    /// True if track_wal_io_timing was on for all that time.
    pub wal_timed: bool,
}

impl Default for IoTotals {
    fn default() -> Self {
        IoTotals { rows: Vec::new(), known_us: 0, io_timed: true, wal_timed: true }
    }
}

impl IoTotals {
    /// Adds the counts of another period.
    pub fn add(&mut self, other: IoTotals) {
        if other.known_us == 0 {
            return;
        }
        self.known_us = self.known_us.saturating_add(other.known_us);
        self.io_timed &= other.io_timed;
        self.wal_timed &= other.wal_timed;
        for (index, (key, counts)) in other.rows.into_iter().enumerate() {
            // Mostly all blocks have the same rows in the same order.
            let sum = match self.rows.get_mut(index) {
                Some((known, sum)) if *known == key => sum,
                _ => row_of(&mut self.rows, key),
            };
            *sum = sum.plus(counts);
        }
    }
}

/// Time of processes by wait event, from sweeps over the process array. A session counts in an interval of about a second only if it
/// did any work in it (`tracking/participation.rs`), and one of ebsctl never: their time over [`Self::swept_us`] is the number of
/// sessions that worked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WaitTotals {
    /// Time of processes in each state, microseconds: each sweep stands for the time since the one before. With query ids there
    /// are thousands of states.
    pub rows: BTreeMap<WaitKey, u64>,
    /// Sweeps.
    pub sweeps: u64,
    /// Time the sweeps stand for, microseconds.
    pub swept_us: u64,
}

impl WaitTotals {
    /// Adds the times of another period.
    pub fn add(&mut self, other: WaitTotals) {
        self.sweeps += other.sweeps;
        self.swept_us = self.swept_us.saturating_add(other.swept_us);
        // Mostly all blocks have the same keys.
        if self.rows.len() == other.rows.len() && self.rows.keys().eq(other.rows.keys()) {
            self.rows.values_mut().zip(other.rows.values()).for_each(|(sum, us)| *sum = sum.saturating_add(*us));
            return;
        }
        for (key, us) in other.rows {
            let sum = self.rows.entry(key).or_default();
            *sum = sum.saturating_add(us);
        }
    }
}

/// Everything that is kept as totals.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Totals {
    /// PostgreSQL's I/O.
    pub io: IoTotals,
    /// WAL generated.
    pub wal: Timed<WalCounts>,
    /// Waits.
    pub waits: WaitTotals,
    /// Temporary files.
    pub temp: Timed<TempCounts>,
    /// Bytes that the server's processes moved to and from storage, as the kernel counts them.
    pub storage: Timed<StorageCounts>,
    /// Counts of EBS by volume id (`vol-0123456789abcdef0`). A volume without a row is not known.
    pub ebs: Vec<(String, EbsTotals)>,
    /// PostgreSQL's I/O by session.
    pub sessions: SessionTotals,
    /// Calls that wrote WAL.
    pub wal_writes: Timed<WalWriteCounts>,
    /// Transactions.
    pub transactions: Timed<TransactionCounts>,
    /// CPU time.
    pub processor: Timed<ProcessorCounts>,
    /// CPUs that the server may use, as last read: online and in its affinity mask, and no more than the quota of its cgroup allows.
    /// `None` where it is not known.
    pub cpus: Option<CpuCount>,
    /// Waits of sessions for a CPU.
    pub run_delay: Timed<RunDelayCounts>,
}

impl Totals {
    /// Adds the counts of another period.
    pub fn add(&mut self, other: Totals) {
        self.io.add(other.io);
        self.wal.add(&other.wal);
        self.waits.add(other.waits);
        self.temp.add(&other.temp);
        self.storage.add(&other.storage);
        for (volume, totals) in other.ebs {
            row_of(&mut self.ebs, volume).add(totals);
        }
        self.sessions.add(other.sessions);
        self.wal_writes.add(&other.wal_writes);
        self.transactions.add(&other.transactions);
        self.processor.add(&other.processor);
        self.cpus = other.cpus.or(self.cpus);
        self.run_delay.add(&other.run_delay);
    }
}

/// The value of this key, appended with nothing counted if new. There are tens of keys, so a scan beats a map.
pub(super) fn row_of<K: PartialEq, C: Default>(rows: &mut Vec<(K, C)>, key: K) -> &mut C {
    let found = rows.iter().position(|(known, _)| *known == key);
    let index = found.unwrap_or_else(|| {
        rows.push((key, C::default()));
        rows.len() - 1
    });
    &mut rows[index].1
}
