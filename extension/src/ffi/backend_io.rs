//! Bytes that each living process has read and written. PostgreSQL counts them by process from 18 on.

#[cfg(feature = "pg18")]
use ebs_samples::evidence::IoBytes;
use ebs_samples::tracking::BackendIo;

#[cfg(feature = "pg18")]
use super::processes::{for_each_process, process_start};

/// True where this PostgreSQL counts I/O by process.
pub const COUNTS_BACKEND_IO: bool = cfg!(feature = "pg18");

/// Reads the counters of all processes but this one; those of checkpointer, background writer and io workers do not exist.
#[cfg(feature = "pg18")]
pub fn read_backend_io() -> Vec<BackendIo> {
    let clear_snapshot = || {
        // SAFETY: discards this process's copies of statistics; no pointer into them is held here.
        unsafe { pgrx::pg_sys::pgstat_clear_snapshot() }
    };
    let mut counters = Vec::new();
    // Statistics that were fetched are kept until they are cleared: a later call would get the same again.
    clear_snapshot();
    for_each_process(|slot, pid, _| counters.extend(read_one(slot, pid)));
    clear_snapshot();
    counters
}

#[cfg(not(feature = "pg18"))]
pub fn read_backend_io() -> Vec<BackendIo> {
    Vec::new()
}

#[cfg(feature = "pg18")]
fn read_one(slot: usize, pid: i32) -> Option<BackendIo> {
    let since = process_start(slot, pid)?;
    // SAFETY: called on the main thread of a process attached to shared memory. The result is null, or points into this
    // process's copy of statistics, which is read before it is cleared.
    let (epoch, bytes) = unsafe {
        let stats = pgrx::pg_sys::pgstat_fetch_stat_backend(i32::try_from(slot).ok()?).as_ref()?;
        (stats.stat_reset_timestamp, sum(&stats.io_stats))
    };
    // The statistics are those of this process only if it still exists.
    (process_start(slot, pid) == Some(since)).then_some(BackendIo { slot, pid, started: since, epoch, bytes })
}

#[cfg(feature = "pg18")]
fn sum(stats: &pgrx::pg_sys::PgStat_BktypeIO) -> IoBytes {
    use pgrx::pg_sys::IOOp::*;
    let all = |operation: u32| stats.bytes.iter().flatten().map(|operations| operations[operation as usize]).sum();
    IoBytes { read_bytes: all(IOOP_READ), write_bytes: all(IOOP_WRITE), extend_bytes: all(IOOP_EXTEND) }
}
