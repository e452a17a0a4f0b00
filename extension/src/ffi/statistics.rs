//! PostgreSQL's cumulative I/O statistics, read from shared memory without SQL and without a transaction.

use std::collections::BTreeMap;

use ebs_samples::evidence::{IoCounts, IoKey, Timing, WalCounts, WalWriteCounts};
use pgrx::pg_sys;

use super::c_string::copy_c_string;

/// Contents of pg_stat_io and pg_stat_wal.
pub struct IoStatistics {
    /// Rows of pg_stat_io in which anything was counted; on 16 and 17 one row more, for WAL.
    pub io: BTreeMap<IoKey, IoCounts>,
    /// WAL generated.
    pub wal: WalCounts,
    /// Writes of WAL.
    pub wal_writes: WalWriteCounts,
    /// Changes with every reset.
    pub epoch: i64,
    /// Timing settings.
    pub timing: Timing,
}

/// Reads them now.
pub fn read_io_statistics() -> IoStatistics {
    // SAFETY: called on the main thread of a process attached to shared memory. pgstat_fetch_stat_io and _wal return
    // pointers into this process's snapshot, valid until it is cleared: what is read from it here is copied.
    let (io, wal) = unsafe {
        pg_sys::pgstat_clear_snapshot();
        (&*pg_sys::pgstat_fetch_stat_io(), &*pg_sys::pgstat_fetch_stat_wal())
    };
    let mut rows = io_rows(io);
    rows.extend(wal_row(wal));
    IoStatistics {
        io: rows,
        wal: wal_counts(wal),
        wal_writes: wal_writes(io, wal),
        epoch: io.stat_reset_timestamp.wrapping_add(wal.stat_reset_timestamp.rotate_left(1)),
        timing: timing(),
    }
}

fn io_rows(io: &pg_sys::PgStat_IO) -> BTreeMap<IoKey, IoCounts> {
    let mut rows = BTreeMap::new();
    for (backend_type, stats) in (0..).zip(&io.stats) {
        for (object, contexts) in (0..).zip(&stats.counts) {
            for context in (0..).zip(contexts).map(|(context, _)| context) {
                let counts = row(stats, object as usize, context as usize);
                if counts != IoCounts::default() {
                    rows.insert(key(backend_type, object, context), counts);
                }
            }
        }
    }
    rows
}

fn key(backend_type: u32, object: u32, context: u32) -> IoKey {
    // SAFETY: the three numbers are indexes within PostgreSQL's own arrays, so each has a name; names are static.
    unsafe {
        IoKey {
            backend_type: copy_c_string(pg_sys::GetBackendTypeDesc(backend_type)),
            object: copy_c_string(pg_sys::pgstat_get_io_object_name(object)),
            context: copy_c_string(pg_sys::pgstat_get_io_context_name(context)),
        }
    }
}

fn row(stats: &pg_sys::PgStat_BktypeIO, object: usize, context: usize) -> IoCounts {
    use pg_sys::IOOp::*;
    let count = |operation: u32| unsigned(stats.counts[object][context][operation as usize]);
    let micros = |operation: u32| unsigned(stats.times[object][context][operation as usize]);
    // 16 and 17 count blocks, whatever the size of the call; 18 counts calls, and bytes beside them.
    #[cfg(any(feature = "pg16", feature = "pg17"))]
    let bytes = |operation: u32| count(operation) * u64::from(pg_sys::BLCKSZ);
    #[cfg(feature = "pg18")]
    let bytes = |operation: u32| stats.bytes[object][context][operation as usize];
    IoCounts {
        read_bytes: bytes(IOOP_READ),
        write_bytes: bytes(IOOP_WRITE),
        extend_bytes: bytes(IOOP_EXTEND),
        fsyncs: count(IOOP_FSYNC),
        hits: count(IOOP_HIT),
        read_us: micros(IOOP_READ),
        write_us: micros(IOOP_WRITE) + micros(IOOP_WRITEBACK),
        extend_us: micros(IOOP_EXTEND),
        fsync_us: micros(IOOP_FSYNC),
    }
}

/// 18 has WAL I/O in pg_stat_io. Before, it is in pg_stat_wal, for all processes together and without bytes: the WAL
/// generated is a lower bound of them, as a partly filled page is written more than once.
#[cfg(any(feature = "pg16", feature = "pg17"))]
fn wal_row(wal: &pg_sys::PgStat_WalStats) -> Option<(IoKey, IoCounts)> {
    let key = IoKey { backend_type: "any".into(), object: "wal".into(), context: "normal".into() };
    let counts = IoCounts {
        write_bytes: wal.wal_bytes,
        fsyncs: unsigned(wal.wal_sync),
        write_us: unsigned(wal.wal_write_time),
        fsync_us: unsigned(wal.wal_sync_time),
        ..IoCounts::default()
    };
    Some((key, counts))
}

#[cfg(feature = "pg18")]
fn wal_row(_wal: &pg_sys::PgStat_WalStats) -> Option<(IoKey, IoCounts)> {
    None
}

fn wal_counts(wal: &pg_sys::PgStat_WalStats) -> WalCounts {
    #[cfg(feature = "pg18")]
    let wal = &wal.wal_counters;
    WalCounts { records: unsigned(wal.wal_records), full_page_images: unsigned(wal.wal_fpi), bytes: wal.wal_bytes }
}

#[cfg(any(feature = "pg16", feature = "pg17"))]
fn wal_writes(_io: &pg_sys::PgStat_IO, wal: &pg_sys::PgStat_WalStats) -> WalWriteCounts {
    WalWriteCounts { writes: unsigned(wal.wal_write) }
}

/// Writes of WAL, without those that create segments, which are of another context.
#[cfg(feature = "pg18")]
fn wal_writes(io: &pg_sys::PgStat_IO, _wal: &pg_sys::PgStat_WalStats) -> WalWriteCounts {
    use pg_sys::{IOContext::IOCONTEXT_NORMAL, IOObject::IOOBJECT_WAL, IOOp::IOOP_WRITE};
    let calls = |stats: &pg_sys::PgStat_BktypeIO| {
        unsigned(stats.counts[IOOBJECT_WAL as usize][IOCONTEXT_NORMAL as usize][IOOP_WRITE as usize])
    };
    WalWriteCounts { writes: io.stats.iter().map(calls).sum() }
}

fn timing() -> Timing {
    // SAFETY: plain bools that only this process's own reload changes.
    unsafe { Timing { io: pg_sys::track_io_timing, wal: pg_sys::track_wal_io_timing } }
}

/// A counter of PostgreSQL, which is never negative.
pub(super) fn unsigned(counter: pg_sys::PgStat_Counter) -> u64 {
    u64::try_from(counter).unwrap_or(0)
}
