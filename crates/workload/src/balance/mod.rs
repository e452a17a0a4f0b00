//! The balance sheet: the bytes that PostgreSQL counts, by source, against those of the device.
//!
//! Three parties count: PostgreSQL what it asks of the kernel (P), the kernel what the server's processes move to and
//! from storage (S), the device what it moves (D). Between them lies the kernel, and its lines are the differences, so
//! that P and they add up to D to the byte.

mod account;
mod bytes;
mod line;
mod source;

use crate::demand::Demand;
use ebs_samples::evidence::{StorageCounts, Window};

pub use account::Account;
pub use bytes::Bytes;
use bytes::signed;
pub use line::{Line, Side, Subject, lines};
pub use source::Source;

/// Parts are compared if each was known for the time that was sampled, to within this share of it. A choice: the balance
/// is not meant to tell finer differences.
const TOLERANCE: f64 = 0.05;

/// A part of the evidence: its bytes, or for how long it was known where that is not the whole time.
type Part<T> = Result<T, Gap>;

/// Reason for which a part cannot be balanced: it was known for too little of the time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// Seconds for which it was known.
    pub known_s: f64,
    /// Seconds that were sampled.
    pub sampled_s: f64,
}

/// The balance of a window.
#[derive(Clone, Debug)]
pub struct Balance {
    /// PostgreSQL's bytes by source.
    sources: Part<Vec<(Source, Bytes)>>,
    /// Bytes of temporary files removed.
    temp_files: Part<i64>,
    /// Bytes that the server's processes moved, as the kernel counts them.
    storage: Part<Bytes>,
    /// Each volume that is there now, and what it moved.
    volumes: Vec<(usize, Part<Bytes>)>,
    /// Reads.
    pub reads: Account,
    /// Writes.
    pub writes: Account,
}

impl Balance {
    /// The balance of everything sampled in `window`.
    pub fn from_window(window: &Window) -> Balance {
        let totals = &window.totals;
        let sampled_us =
            window.pause.each(&window.intervals).map(|interval| interval.dt_us).fold(0, u64::saturating_add);
        let sources = over(totals.io.known_us, sampled_us, || source::by_source(&totals.io.rows));
        let temp_files = over(totals.temp.known_us, sampled_us, || signed(totals.temp.counts.bytes));
        let storage = over(totals.storage.known_us, sampled_us, || sent(totals.storage.counts));
        let volumes: Vec<_> = window
            .current
            .iter()
            .map(|&index| (index, volume(&Demand::from_window(window, index), sampled_us)))
            .collect();
        let account = |way: fn(&Bytes) -> Option<i64>, temp_files: i64| Account {
            postgres: sources.as_ref().ok().map(|rows| temp_files + total(rows.iter().map(|(_, bytes)| *bytes), way)),
            processes: storage.as_ref().ok().and_then(way),
            device: device(&volumes).and_then(|each| each.iter().map(way).sum()),
        };
        let reads = account(|bytes| bytes.read, 0);
        let writes = account(|bytes| bytes.write, temp_files.unwrap_or(0));
        Balance { sources, temp_files, storage, volumes, reads, writes }
    }

    /// The share of the device's bytes that the server's processes did not cause; `None` where that is not known.
    pub fn others_share(&self) -> Option<f64> {
        let all = self.reads.device? + self.writes.device?;
        let others = self.reads.others()? + self.writes.others()?;
        (all > 0).then(|| others as f64 / all as f64)
    }
}

/// Returns a part of the evidence that is known for about all of the sampled time, or the gap.
fn over<T>(known_us: u64, sampled_us: u64, value: impl FnOnce() -> T) -> Part<T> {
    let (known_s, sampled_s) = (known_us as f64 / 1e6, sampled_us as f64 / 1e6);
    let covered = known_s > 0.0 && (known_s - sampled_s).abs() <= TOLERANCE * sampled_s;
    if covered { Ok(value()) } else { Err(Gap { known_s, sampled_s }) }
}

/// Bytes that the processes sent to storage: the lower of the kernel's two upper bounds, less the bytes of files that were
/// removed in time. Random writes of 8 KiB pages in large folios were seen to count 20 times as many bytes as the device
/// moved.
fn sent(counts: StorageCounts) -> Bytes {
    let write = signed(counts.write_bytes.min(counts.handed_bytes)) - signed(counts.cancelled_bytes);
    Bytes { read: Some(signed(counts.read_bytes)), write: Some(write.max(0)) }
}

fn volume(demand: &Demand, sampled_us: u64) -> Part<Bytes> {
    let total = demand.total();
    over((demand.seconds() * 1e6).round() as u64, sampled_us, || Bytes::known(total.read_bytes, total.write_bytes))
}

/// The bytes of each volume; `None` if there is none, or one is not known.
fn device(volumes: &[(usize, Part<Bytes>)]) -> Option<Vec<Bytes>> {
    let known: Vec<Bytes> = volumes.iter().map(|(_, bytes)| bytes.as_ref().ok().copied()).collect::<Option<_>>()?;
    (!known.is_empty()).then_some(known)
}

/// Sum of the known bytes: a source that PostgreSQL does not count adds none.
fn total(bytes: impl Iterator<Item = Bytes>, way: fn(&Bytes) -> Option<i64>) -> i64 {
    bytes.filter_map(|bytes| way(&bytes)).sum()
}

#[cfg(test)]
#[path = "balance_tests.rs"]
mod tests;
