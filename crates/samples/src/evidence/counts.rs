//! Sets of counters. The same struct holds a cumulative reading and the difference of two.

use serde::{Deserialize, Serialize};

use ebs_base::counter::counters;
use ebs_base::units::KIB;

counters! {
    /// One block device, from a line of /proc/diskstats
    /// (<https://www.kernel.org/doc/Documentation/admin-guide/iostats.rst>). Requests are counted after the kernel
    /// merged them, which is how EBS sees them, but for sequential ones that EBS merges further.
    DeviceCounts {
        /// Read requests completed.
        reads,
        /// Write requests completed.
        writes,
        /// Bytes read.
        read_bytes,
        /// Bytes written.
        write_bytes,
        /// Milliseconds that reads took, summed over requests.
        read_ms,
        /// Milliseconds that writes took, summed over requests.
        write_ms,
        /// Milliseconds in which at least one request was in flight.
        busy_ms,
        /// Milliseconds times requests in flight: divided by the interval it is the mean queue (Little's law).
        weighted_ms,
        /// Reads that the kernel merged into another request before it was issued; zero where the evidence does not say.
        read_merges,
        /// Writes that the kernel merged into another request before it was issued; zero where the evidence does not say.
        write_merges,
    }
}

/// EBS counts an I/O on an SSD volume in units of up to this size
/// (<https://docs.aws.amazon.com/ebs/latest/userguide/ebs-io-characteristics.html>).
pub const SSD_IO_BYTES: u64 = 256 * KIB;

impl DeviceCounts {
    /// Requests as the kernel made them.
    pub fn requests(&self) -> u64 {
        self.reads.saturating_add(self.writes)
    }

    /// Sum of the latencies of these requests, ms.
    pub fn request_ms(&self) -> u64 {
        self.read_ms.saturating_add(self.write_ms)
    }

    /// Mean latency of these requests, ms; `None` without any.
    pub fn mean_ms(&self) -> Option<f64> {
        (self.requests() > 0).then(|| self.request_ms() as f64 / self.requests() as f64)
    }

    /// Requests as EBS counts them on an SSD volume. Only totals are known, so a mix of small and large requests gives a lower
    /// bound: at least one per request, at least one per 256 KiB, reads and writes apart.
    #[inline]
    pub fn ssd_requests(&self) -> u64 {
        let counted = |requests: u64, bytes: u64| requests.max(bytes.div_ceil(SSD_IO_BYTES));
        counted(self.reads, self.read_bytes).saturating_add(counted(self.writes, self.write_bytes))
    }
}

counters! {
    /// One EBS volume, as EBS counts it since it was attached (NVMe log page 0xD0). Under Multi-Attach only what this
    /// instance did is in it.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    EbsCounts {
        /// Reads completed.
        read_ops,
        /// Writes completed.
        write_ops,
        /// Bytes read.
        read_bytes,
        /// Bytes written.
        write_bytes,
        /// Microseconds that reads took, summed over requests.
        read_us,
        /// Microseconds that writes took, summed over requests.
        write_us,
        /// Microseconds in which demand exceeded the volume's IOPS.
        volume_iops_exceeded_us,
        /// Microseconds in which demand exceeded the volume's throughput.
        volume_throughput_exceeded_us,
        /// Microseconds in which demand exceeded the instance's EBS IOPS.
        instance_iops_exceeded_us,
        /// Microseconds in which demand exceeded the instance's EBS throughput.
        instance_throughput_exceeded_us,
    }
}

counters! {
    /// One row of pg_stat_io, brought to one meaning: PostgreSQL 16 and 17 count blocks of op_bytes and 18 counts calls
    /// and bytes, so bytes are what can be compared.
    IoCounts {
        /// Bytes read from the kernel (its page cache or the device).
        read_bytes,
        /// Bytes handed to the kernel by writes.
        write_bytes,
        /// Bytes by which relations were extended.
        extend_bytes,
        /// fsync calls.
        fsyncs,
        /// Buffers found in shared buffers.
        hits,
        /// Microseconds spent waiting for reads: stall time, not latency.
        read_us,
        /// Microseconds in writes and in asking for writeback.
        write_us,
        /// Microseconds in extends.
        extend_us,
        /// Microseconds in fsync.
        fsync_us,
    }
}

counters! {
    /// Bytes read and written by one process, relations, temporary tables and WAL together, as in [`IoCounts`].
    IoBytes {
        /// Bytes read from the kernel.
        read_bytes,
        /// Bytes handed to the kernel by writes, WAL among them.
        write_bytes,
        /// Bytes by which relations were extended.
        extend_bytes,
    }
}

impl IoBytes {
    /// Sum of all bytes.
    pub fn total(&self) -> u64 {
        self.read_bytes.saturating_add(self.write_bytes).saturating_add(self.extend_bytes)
    }
}

counters! {
    /// WAL generated, from pg_stat_wal. What it cost to write is a row of [`IoCounts`] (object `wal`).
    WalCounts {
        /// WAL records.
        records,
        /// Full-page images.
        full_page_images,
        /// Bytes of WAL generated.
        bytes,
    }
}

counters! {
    /// Calls that wrote WAL, by all processes (pg_stat_wal.wal_write before PostgreSQL 18, pg_stat_io from it on). Where
    /// wal_sync_method is open_sync or open_datasync each call is a flush, and no fsync is counted.
    WalWriteCounts {
        /// Calls that wrote WAL.
        writes,
    }
}

counters! {
    /// Transactions of all databases, from pg_stat_database, but for those of the sampler. A session reports what it
    /// did once a second or less often, so that a block of a few seconds may have a second's too many or too few, and a
    /// run does not. What another sampler does (one on demand, beside the preloaded one) is in it.
    TransactionCounts {
        /// Committed: those that only read, too.
        commits,
        /// Rolled back.
        rollbacks,
    }
}

counters! {
    /// CPU time, from utime, stime, cutime and cstime of /proc/PID/stat. The kernel scales them to the time that a
    /// process ran (cputime_adjust, <https://github.com/torvalds/linux/blob/v6.12/kernel/sched/cputime.c>), so that only
    /// the last 10 ms of each figure are cut off; /proc/stat, which is counted by ticks, is not scaled.
    ProcessorCounts {
        /// Microseconds of client backends and parallel workers while they lived: a lower bound, as what one did after it
        /// was last read is in [`Self::ended_us`]. Both together are an upper bound.
        client_us,
        /// Microseconds of processes of the server that have ended, after they were last read: clients for the most
        /// part, but autovacuum workers too, and commands that the server ran; they are no longer identified.
        ended_us,
        /// Microseconds of all processes of the server, among them client backends, ended processes and the process that
        /// samples ([`CostCounts::cpu_us`](super::CostCounts)).
        server_us,
        /// Microseconds of all processes of the machine, kernel threads among them: a lower bound by what of them lived
        /// for less than a block without their parents waiting for them.
        host_us,
        /// Microseconds of those that were counted by ticks, in /proc/stat, because processes are hidden (hidepid, a
        /// container) or too many to be read: wrong by a factor where processes run for a short time.
        host_ticked_us,
        /// Microseconds of the kernel's threads, part of [`Self::host_us`]: what they do for the requests of all processes, mostly.
        /// Zero where the machine was counted by ticks ([`Self::host_ticked_us`]), and before layout 5 of blocks.
        kernel_us,
    }
}

counters! {
    /// Waits for a CPU, from the second figure of /proc/PID/schedstat (<https://docs.kernel.org/scheduler/sched-stats.html>).
    /// Unknown where the kernel keeps none (without CONFIG_SCHEDSTATS and delay accounting).
    RunDelayCounts {
        /// Microseconds in which client backends and parallel workers could have run and had no CPU, while they lived: a lower
        /// bound by what one waited after it was last read.
        run_delay_us,
    }
}

counters! {
    /// Temporary files, from pg_stat_database. PostgreSQL counts a file's bytes when it is removed, once, though they were
    /// written and most likely read.
    TempCounts {
        /// Files removed.
        files,
        /// Bytes they held.
        bytes,
    }
}

counters! {
    /// Bytes that all processes of the server moved to and from storage, from /proc/PID/io: reads that missed the page
    /// cache, and writes as pages became dirty (or directly).
    StorageCounts {
        /// Bytes fetched from storage.
        read_bytes,
        /// Bytes sent towards storage: an upper bound, because a page that becomes dirty counts with all of its folio,
        /// which may be 2 MiB (XFS since Linux 5.18, ext4 since 6.16).
        write_bytes,
        /// Bytes of those that never went there: dirty pages of files that were removed or cut off first. A counter of
        /// its own, because what is left of one process's bytes can go backwards.
        cancelled_bytes,
        /// Bytes handed to write(2) and its like: the other upper bound, because a page may be written several times
        /// before it leaves the page cache.
        handed_bytes,
    }
}

/// Key of a row of pg_stat_io, with the names that the view prints.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct IoKey {
    /// `client backend`, `checkpointer`, …; `any` where PostgreSQL does not split it (WAL before 18).
    pub backend_type: String,
    /// `relation`, `temp relation`, `wal`.
    pub object: String,
    /// `normal`, `vacuum`, `bulkread`, `bulkwrite`, `init`.
    pub context: String,
}

/// Session of a process, in the dimensions that are tracked (`ebs_advisor.track_database` and its neighbours).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Session {
    /// Database.
    pub database: Option<String>,
    /// Role.
    pub role: Option<String>,
    /// application_name.
    pub application: Option<String>,
    /// Query id, as pg_stat_statements names it; only of processes at work.
    pub query_id: Option<i64>,
}

/// Key of the I/O of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SessionKey {
    /// Backend type, as in pg_stat_activity.
    pub backend_type: String,
    /// Session of the process; never with a query id, because bytes are counted by process.
    pub session: Session,
}

/// Backend type, wait event and session of a process. The wait event of a process without one is [`WaitKey::CPU`].
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct WaitKey {
    /// Backend type, as in pg_stat_activity.
    pub backend_type: String,
    /// `IO`, `LWLock`, …, or [`WaitKey::CPU`].
    pub class: String,
    /// `DataFileRead`, …, or [`WaitKey::CPU`].
    pub event: String,
    /// Session of the process.
    pub session: Session,
}

impl WaitKey {
    /// A process with no wait event is on a CPU, or in code that reports no wait: hence the star.
    pub const CPU: &str = "CPU*";
}
