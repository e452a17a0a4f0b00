//! Statistics that EBS itself keeps of each volume: a page as read, and the counts between two pages.

use serde::{Deserialize, Serialize};

use super::counts::EbsCounts;
use super::timed::Timed;
use ebs_base::counter::{Counters, Delta, bins_since};

/// Content of a statistics page (NVMe log page 0xD0).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EbsPage {
    /// Cumulative counts since the volume was attached.
    pub counts: EbsCounts,
    /// Requests waiting to be completed at the moment of the reading: a gauge, not a count.
    pub queue_length: u64,
    /// Completed reads by latency, cumulative, in ascending order.
    pub read_histogram: Vec<Bin>,
    /// Completed writes by latency, cumulative, in ascending order.
    pub write_histogram: Vec<Bin>,
}

/// Number of requests with a latency between two bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Bin {
    /// Lower bound, microseconds.
    pub lower_us: u64,
    /// Upper bound, microseconds: at least `lower_us`, and at most the next bin's `lower_us`. A last bin without it is
    /// open-ended.
    pub upper_us: Option<u64>,
    /// Requests: cumulative in a page, where 32 bits hold them, so that a busy bin may start again from 0 after 4.3
    /// billion; a difference in totals.
    pub count: u64,
}

impl Bin {
    fn bounds(&self) -> (u64, Option<u64>) {
        (self.lower_us, self.upper_us)
    }
}

/// A page with its time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EbsReading {
    /// Content of the page.
    pub page: EbsPage,
    /// Time at which EBS wrote the page, microseconds since 1970. Used only to distinguish pages,
    /// because that clock may be set.
    pub written_us: i64,
    /// Age of the page when it was read, microseconds.
    pub age_us: u64,
}

/// Gauge, read from time to time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gauge {
    /// Number of readings.
    pub readings: u64,
    /// Sum of the readings.
    pub sum: u64,
    /// Largest reading.
    pub max: u64,
}

impl Gauge {
    /// Returns a gauge with one reading.
    pub fn new(value: u64) -> Gauge {
        Gauge { readings: 1, sum: value, max: value }
    }

    /// Adds other readings.
    pub fn add(&mut self, other: Gauge) {
        self.readings = self.readings.saturating_add(other.readings);
        self.sum = self.sum.saturating_add(other.sum);
        self.max = self.max.max(other.max);
    }

    /// Mean and maximum; `None` without readings.
    pub fn mean_and_max(self) -> Option<(f64, f64)> {
        (self.readings > 0).then(|| (self.sum as f64 / self.readings as f64, self.max as f64))
    }
}

/// Counts of one volume over a period.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EbsTotals {
    /// Counts.
    pub counts: Timed<EbsCounts>,
    /// Requests waiting to be completed, at each reading.
    pub queue: Gauge,
    /// Reads by latency; bins without any are left out, and so is a period in which a bin started again from 0.
    pub read_histogram: Vec<Bin>,
    /// Writes by latency.
    pub write_histogram: Vec<Bin>,
}

impl EbsTotals {
    /// Subtracts two pages, the later of which was written `dt_us` microseconds after the other. `None` where the counts
    /// are not known: both are the same page, or the volume counts from 0 again because it was attached again.
    pub fn between(before: &EbsReading, now: &EbsReading, dt_us: u64) -> Option<EbsTotals> {
        if before.written_us == now.written_us || dt_us == 0 {
            return None;
        }
        let Delta::Advanced(counts) = now.page.counts.since(before.page.counts) else { return None };
        Some(EbsTotals {
            counts: Timed { counts, known_us: dt_us },
            queue: Gauge::new(now.page.queue_length),
            read_histogram: counted(&before.page.read_histogram, &now.page.read_histogram),
            write_histogram: counted(&before.page.write_histogram, &now.page.write_histogram),
        })
    }

    /// Adds the counts of another period.
    pub fn add(&mut self, other: EbsTotals) {
        self.counts.add(&other.counts);
        self.queue.add(other.queue);
        add_bins(&mut self.read_histogram, other.read_histogram);
        add_bins(&mut self.write_histogram, other.write_histogram);
    }
}

fn counted(before: &[Bin], now: &[Bin]) -> Vec<Bin> {
    let rows = |bins: &[Bin]| bins.iter().map(|bin| (bin.bounds(), bin.count)).collect::<Vec<_>>();
    let Delta::Advanced(counted) = bins_since(&rows(now), &rows(before)) else { return Vec::new() };
    let bin = |((lower_us, upper_us), count)| (count > 0).then_some(Bin { lower_us, upper_us, count });
    counted.into_iter().filter_map(bin).collect()
}

fn add_bins(sum: &mut Vec<Bin>, more: Vec<Bin>) {
    for bin in more {
        match sum.binary_search_by_key(&bin.bounds(), Bin::bounds) {
            Ok(index) => sum[index].count = sum[index].count.saturating_add(bin.count),
            Err(index) => sum.insert(index, bin),
        }
    }
}

#[cfg(test)]
#[path = "ebs_tests.rs"]
mod tests;
