//! What each living process has read and written. PostgreSQL counts it by process from 18 on.

use ebs_samples::evidence::IoBytes;

/// What one process has counted so far.
#[derive(Clone, Copy, Debug)]
pub struct BackendIo {
    /// Place in the process array.
    pub place: usize,
    /// Process id.
    pub pid: i32,
    /// When it started: a process id may come again.
    pub started: i64,
    /// Changes when somebody resets its counters.
    pub epoch: i64,
    /// Bytes since then.
    pub bytes: IoBytes,
}

/// Whether this PostgreSQL counts by process.
pub const BACKEND_IO: bool = cfg!(feature = "pg18");

/// All processes of which I/O is counted, but for this one; checkpointer, background writer and io workers are not among
/// them.
#[cfg(feature = "pg18")]
pub fn backend_io() -> Vec<BackendIo> {
    let clear = || {
        // SAFETY: throws away this process's copies of statistics; nobody holds a pointer into them here.
        unsafe { pgrx::pg_sys::pgstat_clear_snapshot() }
    };
    let mut found = Vec::new();
    // What is fetched is kept until it is cleared, so that a later look would see it again.
    clear();
    super::processes::each_process(|place, pid, _| found.extend(one(place, pid)));
    clear();
    found
}

#[cfg(not(feature = "pg18"))]
pub fn backend_io() -> Vec<BackendIo> {
    Vec::new()
}

#[cfg(feature = "pg18")]
fn one(place: usize, pid: i32) -> Option<BackendIo> {
    use super::processes::started;
    let since = started(place, pid)?;
    // SAFETY: called on the main thread of a process attached to shared memory. The result is null, or points into this
    // process's copy of statistics, which is read before it is cleared.
    let (epoch, bytes) = unsafe {
        let stats = pgrx::pg_sys::pgstat_fetch_stat_backend(i32::try_from(place).ok()?).as_ref()?;
        (stats.stat_reset_timestamp, sum(&stats.io_stats))
    };
    // What was fetched is of this process only if it is still there.
    (started(place, pid) == Some(since)).then_some(BackendIo { place, pid, started: since, epoch, bytes })
}

#[cfg(feature = "pg18")]
fn sum(stats: &pgrx::pg_sys::PgStat_BktypeIO) -> IoBytes {
    use pgrx::pg_sys::IOOp::*;
    let all = |operation: u32| stats.bytes.iter().flatten().map(|operations| operations[operation as usize]).sum();
    IoBytes { read_bytes: all(IOOP_READ), write_bytes: all(IOOP_WRITE), extend_bytes: all(IOOP_EXTEND) }
}
