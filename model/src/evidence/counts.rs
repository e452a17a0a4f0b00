//! What is counted: the same struct holds a cumulative reading and a difference of two.

use serde::{Deserialize, Serialize};

use crate::counter::counters;

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

/// Which row of pg_stat_io: names as that view prints them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct IoKey {
    /// `client backend`, `checkpointer`, …; `any` where PostgreSQL does not split it (WAL before 18).
    pub backend_type: String,
    /// `relation`, `temp relation`, `wal`.
    pub object: String,
    /// `normal`, `vacuum`, `bulkread`, `bulkwrite`, `init`.
    pub context: String,
}

/// What a process was seen waiting for. No wait event is [`WaitKey::CPU`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct WaitKey {
    /// As in pg_stat_activity.
    pub backend_type: String,
    /// `IO`, `LWLock`, …, or [`WaitKey::CPU`].
    pub class: String,
    /// `DataFileRead`, …, or [`WaitKey::CPU`].
    pub event: String,
}

impl WaitKey {
    /// A process with no wait event is on a CPU, or in code that reports no wait: hence the star.
    pub const CPU: &str = "CPU*";
}
