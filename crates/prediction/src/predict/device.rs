//! Device I/O of a transaction.

use super::per_transaction::{PAGE, PerTransaction};
use ebs_workload::demand_summary::DemandSummary;

/// Device counters: requests per transaction, bytes and seconds per request.
pub struct Device {
    pub reads: f64,
    pub writes: f64,
    pub read_bytes: f64,
    pub write_bytes: f64,
    pub read_await_s: f64,
    pub write_await_s: f64,
}

impl Device {
    pub fn from_demand(demand: &DemandSummary, per: &PerTransaction) -> Device {
        let DemandSummary { total, seconds, .. } = demand;
        let mean = |sum: u64, count: u64| if count > 0 { sum as f64 / count as f64 } else { 0.0 };
        let rate = |count: u64| per.rate(count as f64 / seconds);
        Device {
            reads: rate(total.reads),
            writes: rate(total.writes),
            read_bytes: mean(total.read_bytes, total.reads),
            write_bytes: mean(total.write_bytes, total.writes),
            read_await_s: mean(total.read_ms, total.reads) / 1e3,
            write_await_s: mean(total.write_ms, total.writes) / 1e3,
        }
    }
}

/// Requests that write data pages.
pub struct Writes {
    pub low: f64,
    pub middle: f64,
    pub high: f64,
    pub bytes: f64,
}

impl Writes {
    /// Estimates the writes of data pages in the long run. The kernel merges neighbouring pages, and defers writes that a
    /// saturated device cannot take: the least are the writes of the run, the most one for each page, and the middle is the
    /// pages at the mean size of the run's writes.
    pub fn estimate(device: &Device, flushes: f64, wal_bytes: f64, pages: f64) -> Writes {
        let made = (device.writes - flushes).max(0.0);
        let bytes = (device.writes * device.write_bytes - wal_bytes).max(0.0);
        let merged = if made > 0.0 { (bytes / made / PAGE).max(1.0) } else { 1.0 };
        let middle = made.max(pages / merged);
        Writes { low: made.min(middle), middle, high: pages.max(middle), bytes: PAGE * merged }
    }
}
