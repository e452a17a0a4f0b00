//! Counters of checkpoints (pg_stat_checkpointer, before PostgreSQL 17 pg_stat_bgwriter).

use ebs_workload::reading::{CheckpointCounts, Checkpoints};
use pgrx::pg_sys;

use super::statistics::unsigned;

/// Microseconds from 1970 to 2000, where PostgreSQL's time begins.
const EPOCH_US: i64 = 946_684_800_000_000;

/// Reads them now: the transaction's snapshot of cumulative statistics is given up for it.
pub fn read_checkpoints() -> Checkpoints {
    // SAFETY: called on the main thread of a backend; the pointer is into this process's snapshot, and what is read from it
    // is copied before anything clears that.
    let stats = unsafe {
        pg_sys::pgstat_clear_snapshot();
        &*pg_sys::pgstat_fetch_stat_checkpointer()
    };
    Checkpoints { reset_us: reset_us(stats), counts: counts(stats) }
}

#[cfg(feature = "pg16")]
fn counts(stats: &pg_sys::PgStat_CheckpointerStats) -> CheckpointCounts {
    CheckpointCounts {
        timed: unsigned(stats.timed_checkpoints),
        requested: unsigned(stats.requested_checkpoints),
        buffers_written: unsigned(stats.buf_written_checkpoints),
    }
}

#[cfg(any(feature = "pg17", feature = "pg18"))]
fn counts(stats: &pg_sys::PgStat_CheckpointerStats) -> CheckpointCounts {
    CheckpointCounts {
        timed: unsigned(stats.num_timed),
        requested: unsigned(stats.num_requested),
        buffers_written: unsigned(stats.buffers_written),
    }
}

/// Time of the reset; in 16 checkpoints are reset with the background writer.
#[cfg(feature = "pg16")]
fn reset_us(_stats: &pg_sys::PgStat_CheckpointerStats) -> Option<i64> {
    // SAFETY: as above.
    let reset = unsafe { (*pg_sys::pgstat_fetch_stat_bgwriter()).stat_reset_timestamp };
    reset.checked_add(EPOCH_US)
}

#[cfg(any(feature = "pg17", feature = "pg18"))]
fn reset_us(stats: &pg_sys::PgStat_CheckpointerStats) -> Option<i64> {
    stats.stat_reset_timestamp.checked_add(EPOCH_US)
}
