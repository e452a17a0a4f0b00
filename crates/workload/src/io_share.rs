//! PostgreSQL's share of the device's bytes, and the demand of PostgreSQL alone.
//!
//! PostgreSQL's counters are kept by block (a few seconds, or a downsampled minute or hour), not by second: each second of a block has
//! the block's share. Its bytes are those that the server's processes moved to and from storage (/proc/PID/io), or else those that
//! pg_stat_io counts, no more than the device's. Writes that the device has not moved yet are added to the next block's. A volume
//! that holds nothing but WAL is PostgreSQL's.
//!
//! Requests do not follow from bytes: 5,000 reads of 8 KiB and 156 of 1 MiB are as many requests as bytes of the one are few beside
//! those of the other. Two bounds hold whatever the sizes: PostgreSQL moves at least a page a request, and others at most
//! [`MAX_REQUEST_BYTES`]. The lower of them is kept, so that PostgreSQL's requests are not underestimated: exact where PostgreSQL
//! moves single pages, and too many where its requests are larger and those of others small. Where all are pages it is the share of
//! the bytes; where all are of another size nothing tells them apart.

use ebs_base::named;
use ebs_base::units::{KIB, PAGE_BYTES};
use ebs_samples::evidence::{BlockIo, CounterDelta, DeviceCounts, StorageCounts, Window, is_wal_alone};

named! {
    /// Source of the I/O that volumes are sized for.
    #[derive(Default)]
    pub enum IoSource {
        /// Everything that the devices carried.
        #[default]
        All = "all",
        /// PostgreSQL alone.
        Postgresql = "postgresql",
    }
}

impl IoSource {
    /// Finds a value by its name, in any case; `None` if there is no such value.
    pub fn parse(name: &str) -> Option<IoSource> {
        IoSource::ALL.into_iter().find(|source| source.name().eq_ignore_ascii_case(name.trim()))
    }
}

/// Shares of the device's bytes, each 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IoShares {
    /// PostgreSQL's.
    pub postgresql: f64,
    /// Those of other programs and of the kernel, such as a filesystem's journal.
    pub others: f64,
    /// Those of others in the block with most bytes a second.
    pub others_in_busiest_block: f64,
    /// End of that block, microseconds since 1970.
    pub busiest_us: i64,
    /// Its length, seconds.
    pub busiest_s: f64,
}

/// PostgreSQL's share of the bytes in one block.
#[derive(Clone, Copy, Debug, PartialEq)]
struct BlockShare {
    ended_us: i64,
    read: f64,
    write: f64,
}

/// Largest request that the kernel makes by default (BLK_DEF_MAX_SECTORS_CAP,
/// <https://github.com/torvalds/linux/blob/v6.12/include/linux/blkdev.h>); EBS on Nitro takes 256 KiB.
const MAX_REQUEST_BYTES: f64 = (1_280 * KIB) as f64;

/// Least share of the device's bytes for which PostgreSQL's part must be known. A choice.
const MIN_KNOWN: f64 = 0.95;

impl IoShares {
    /// The shares over a window; `None` where PostgreSQL's part is not known, as in imports, or nothing was moved.
    pub fn from_window(window: &Window) -> Option<IoShares> {
        let shares = block_shares(window)?;
        let others = |block: &BlockIo, share: &BlockShare| {
            (1.0 - share.read) * block.data.0 as f64 + (1.0 - share.write) * block.data.1 as f64
        };
        let each = || window.block_io.iter().zip(&shares);
        let all: f64 = window.block_io.iter().map(device_bytes).sum();
        let others_bytes: f64 = each().map(|(block, share)| others(block, share)).sum();
        let rate = |block: &BlockIo| device_bytes(block) / (block.sampled_us as f64).max(1.0);
        let (busiest, share) = each().max_by(|a, b| rate(a.0).total_cmp(&rate(b.0)))?;
        let share_of = |bytes: f64, of: f64| if of > 0.0 { bytes / of } else { 0.0 };
        (all > 0.0).then(|| IoShares {
            postgresql: 1.0 - share_of(others_bytes, all),
            others: share_of(others_bytes, all),
            others_in_busiest_block: share_of(others(busiest, share), device_bytes(busiest)),
            busiest_us: busiest.ended_us,
            busiest_s: busiest.sampled_us as f64 / 1e6,
        })
    }
}

/// Leaves the demand of PostgreSQL alone in a window: every second with PostgreSQL's share in its block, or, where less than half of
/// that lies in the window, in the next one, or else the last. `None` where it is not known.
pub fn keep_postgresql(window: Window) -> Option<Window> {
    let shares = block_shares(&window)?;
    let mut window = window;
    let wal: Vec<bool> = window.layout.volumes.iter().map(is_wal_alone).collect();
    for interval in window.pause.each(&mut window.intervals) {
        let next = shares.partition_point(|share| share.ended_us < interval.at_us);
        let Some(share) = shares.get(next).or(shares.last()) else { continue };
        for (volume, delta) in &mut interval.devices {
            let is_wal = wal.get(usize::from(*volume)).copied().unwrap_or(false);
            if let (CounterDelta::Known(counts), false) = (&mut *delta, is_wal) {
                *counts = scale(*counts, share);
            }
        }
    }
    Some(window)
}

/// PostgreSQL's share in each block, in time order; `None` where it is not known for enough of the bytes.
fn block_shares(window: &Window) -> Option<Vec<BlockShare>> {
    let all: f64 = window.block_io.iter().map(device_bytes).sum();
    let is_unknown = |block: &&BlockIo| block.processes.is_none() && block.postgresql.is_none();
    let unknown: f64 = window.block_io.iter().filter(is_unknown).map(device_bytes).sum();
    if window.block_io.iter().all(|block| is_unknown(&block)) || unknown > (1.0 - MIN_KNOWN) * all {
        return None;
    }
    let mut pending_writes = 0.0;
    Some(window.block_io.iter().map(|block| block_share(block, &mut pending_writes)).collect())
}

/// The share in one block. `pending_writes`: bytes of PostgreSQL that the device has not written yet.
fn block_share(block: &BlockIo, pending_writes: &mut f64) -> BlockShare {
    let (device_read, device_written) = (block.data.0 as f64, block.data.1 as f64);
    let Some((read, written)) = postgresql_bytes(block) else {
        return BlockShare { ended_us: block.ended_us, read: 1.0, write: 1.0 };
    };
    let due = *pending_writes + written;
    let done = due.min(device_written);
    *pending_writes = due - done;
    let share = |part: f64, whole: f64| if whole > 0.0 { (part / whole).min(1.0) } else { 1.0 };
    BlockShare { ended_us: block.ended_us, read: share(read, device_read), write: share(done, device_written) }
}

/// PostgreSQL's bytes read and written on volumes that do not hold WAL alone.
fn postgresql_bytes(block: &BlockIo) -> Option<(f64, f64)> {
    let (read, written) = match (block.processes, block.postgresql) {
        (Some(counts), _) => (counts.read_bytes as f64, sent_bytes(counts)),
        (None, Some((read, written))) => (read as f64, written as f64),
        (None, None) => return None,
    };
    let wal = (block.wal.0 as f64, block.wal.1 as f64);
    Some(((read - wal.0).max(0.0), (written - wal.1).max(0.0)))
}

/// Bytes that the processes sent to storage: the lower of the kernel's two upper bounds, less those of files removed in time.
fn sent_bytes(counts: StorageCounts) -> f64 {
    counts.write_bytes.min(counts.handed_bytes).saturating_sub(counts.cancelled_bytes) as f64
}

fn device_bytes(block: &BlockIo) -> f64 {
    let bytes = |(read, written): (u64, u64)| read.saturating_add(written) as f64;
    bytes(block.data) + bytes(block.wal)
}

/// Leaves PostgreSQL's part of an interval. Times follow the requests, so that each keeps its latency.
fn scale(counts: DeviceCounts, share: &BlockShare) -> DeviceCounts {
    let times = |count: u64, share: f64| (count as f64 * share).round() as u64;
    let read = request_share(counts.reads, counts.read_bytes, share.read);
    let write = request_share(counts.writes, counts.write_bytes, share.write);
    let requests_ms = counts.read_ms.saturating_add(counts.write_ms) as f64;
    let kept_ms = read * counts.read_ms as f64 + write * counts.write_ms as f64;
    let queued = if requests_ms > 0.0 { kept_ms / requests_ms } else { read.max(write) };
    DeviceCounts {
        reads: times(counts.reads, read),
        read_bytes: times(counts.read_bytes, share.read),
        read_ms: times(counts.read_ms, read),
        read_merges: times(counts.read_merges, read),
        writes: times(counts.writes, write),
        write_bytes: times(counts.write_bytes, share.write),
        write_ms: times(counts.write_ms, write),
        write_merges: times(counts.write_merges, write),
        weighted_ms: times(counts.weighted_ms, queued),
        ..counts
    }
}

/// Share of the requests that PostgreSQL's share of the bytes may have taken: the lower of both bounds, no less than that share.
fn request_share(requests: u64, bytes: u64, share: f64) -> f64 {
    let (requests, bytes) = (requests as f64, bytes as f64);
    if requests == 0.0 {
        return share;
    }
    let pages = share * bytes / PAGE_BYTES as f64;
    let without_others = requests - (1.0 - share) * bytes / MAX_REQUEST_BYTES;
    (pages.min(without_others) / requests).clamp(share, 1.0)
}

#[cfg(test)]
#[path = "io_share_tests.rs"]
mod tests;
