//! Division of a demand into that of the data and that of WAL.
//!
//! The devices were counted apart where WAL is on a volume of its own. Else they count both together, and PostgreSQL counts the
//! flushes and the bytes of WAL over the whole time. Flushes follow commits, which come evenly, and what stands out of the writes of a
//! second are a checkpoint's: WAL is therefore taken as an even rate of writes, in no second more than were written.

use ebs_base::counter::Counters;
use ebs_base::units::SECOND_US;
use ebs_prediction::predict::flushes;
use ebs_samples::evidence::{DeviceCounts, IoCounts, SSD_IO_BYTES, Totals};
use ebs_workload::demand::{Demand, DemandInterval};

/// Demand of the data, and that of WAL.
pub struct DividedDemand {
    /// Demand of the data.
    pub data: Demand,
    /// Demand of WAL.
    pub wal: Demand,
}

/// Writes of WAL, and their bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WalAmount {
    writes: f64,
    bytes: f64,
}

/// Divides a demand that holds `scale` times the requests that were counted with `totals`; `None` where PostgreSQL's counts of WAL are
/// not known.
pub fn divide(demand: &Demand, totals: &Totals, scale: f64) -> Option<DividedDemand> {
    let wal = WalAmount::from_demand(demand, totals, scale)?;
    let levels = [
        even_rate(demand, wal.writes, |counts| counts.writes),
        even_rate(demand, wal.bytes, |counts| counts.write_bytes),
    ];
    let parts = |interval: &DemandInterval| {
        let wal = wal_counts(interval, levels);
        let with = |counts| DemandInterval { counts, ..*interval };
        (with(minus(interval.counts, wal)), with(wal))
    };
    let (data, wal) = demand.each().map(parts).unzip();
    Some(DividedDemand { data: Demand { intervals: data, ..*demand }, wal: Demand { intervals: wal, ..*demand } })
}

impl WalAmount {
    /// The amount in such a demand.
    pub fn from_demand(demand: &Demand, totals: &Totals, scale: f64) -> Option<WalAmount> {
        let seconds = demand.seconds();
        let written = demand.total().writes as f64 / (scale * seconds);
        let rate = WalAmount::each_second(totals, written)?;
        Some(WalAmount { writes: scale * rate.writes * seconds, bytes: scale * rate.bytes * seconds })
    }

    /// The largest share of these requests that a division over so many intervals can give to WAL. In each it rounds to whole writes and
    /// bytes, and both parts to whole requests of 256 KiB: less than two requests.
    pub fn max_share(&self, requests: f64, intervals: usize) -> f64 {
        let rounding = 2.0 * intervals as f64;
        let least = requests - rounding;
        if least > 0.0 { (self.writes + self.bytes / SSD_IO_BYTES as f64 + rounding) / least } else { f64::INFINITY }
    }

    /// The amount a second. Each flush is a write, and each 256 KiB of WAL another, as EBS counts. Before PostgreSQL 18 pg_stat_wal counts the bytes of records,
    /// else pg_stat_io those of the pages that were written.
    /// `device_writes` are the writes a second that reached the device.
    fn each_second(totals: &Totals, device_writes: f64) -> Option<WalAmount> {
        let io = &totals.io;
        let per_second = |count: u64, known_us: u64| count as f64 * SECOND_US as f64 / known_us as f64;
        let of_wal = io.rows.iter().filter(|(key, _)| key.object == "wal" && key.context == "normal");
        let wal = of_wal.map(|(_, counts)| *counts).fold(IoCounts::default(), Counters::plus);
        let records = (totals.wal.known_us > 0).then(|| per_second(totals.wal.counts.bytes, totals.wal.known_us));
        let written = (wal.write_bytes > 0).then(|| per_second(wal.write_bytes, io.known_us));
        let bytes = written.or(records)?;
        let writes =
            totals.wal_writes.known().map_or(0.0, |counts| per_second(counts.writes, totals.wal_writes.known_us));
        let fsyncs = if wal.fsyncs > 0 { per_second(wal.fsyncs, io.known_us) } else { 0.0 };
        let flushes = flushes(fsyncs, writes, device_writes);
        Some(WalAmount { writes: flushes.max(bytes / SSD_IO_BYTES as f64), bytes })
    }
}

/// The rate a second at which the demand, in no interval more than it has, sums up to `total`; infinite where it has less.
fn even_rate(demand: &Demand, total: f64, count: fn(&DeviceCounts) -> u64) -> f64 {
    let mut intervals: Vec<(f64, f64)> =
        demand.each().map(|interval| (count(&interval.counts) as f64 / interval.seconds, interval.seconds)).collect();
    intervals.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut below, mut seconds) = (0.0, demand.seconds());
    for (rate, length) in intervals {
        if below + rate * seconds >= total {
            return (total - below) / seconds;
        }
        below += rate * length;
        seconds -= length;
    }
    f64::INFINITY
}

/// Counts of WAL in an interval at these rates of writes and bytes.
fn wal_counts(interval: &DemandInterval, [writes, bytes]: [f64; 2]) -> DeviceCounts {
    let counts = &interval.counts;
    let at_most = |rate: f64, count: u64| {
        if rate.is_finite() { count.min((rate * interval.seconds).round() as u64) } else { count }
    };
    let of_wal = at_most(writes, counts.writes);
    let share = if counts.writes > 0 { of_wal as f64 / counts.writes as f64 } else { 0.0 };
    let shared = |count: u64| (share * count as f64).round() as u64;
    DeviceCounts {
        writes: of_wal,
        write_bytes: at_most(bytes, counts.write_bytes),
        write_ms: shared(counts.write_ms),
        write_merges: shared(counts.write_merges),
        ..DeviceCounts::default()
    }
}

/// The counts without those of WAL.
fn minus(counts: DeviceCounts, wal: DeviceCounts) -> DeviceCounts {
    DeviceCounts {
        writes: counts.writes.saturating_sub(wal.writes),
        write_bytes: counts.write_bytes.saturating_sub(wal.write_bytes),
        write_ms: counts.write_ms.saturating_sub(wal.write_ms),
        write_merges: counts.write_merges.saturating_sub(wal.write_merges),
        ..counts
    }
}

#[cfg(test)]
#[path = "wal_demand_tests.rs"]
mod tests;
