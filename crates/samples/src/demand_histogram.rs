//! Histograms of one-second demand, kept as counters, so that a scrape interval of any length hides none of its seconds.
//!
//! The sampler adds each interval to the bin of its rate, exporters publish the bins cumulatively (`docs/fleet.md`), and a reader
//! subtracts two scrapes: the seconds between them, by rate. Bounds are at most 5 % apart, the finest width of
//! [`downsample`](crate::evidence::downsample), and have four significant digits; a rate that is read back differs from that of
//! the second by less than 5 %, and totals are exact. Demand of at most one request, or 16 KiB, a second is negligible: the first bin.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use ebs_base::counter::{Delta, bins_since};
use ebs_base::units::{KIB, SECOND_US};

use crate::evidence::{Block, CounterDelta, DeviceCounts, Volume, Window};

/// Significant digits of a bound: mantissas from 1,000 to 9,999.
const MANTISSAS: (u64, u64) = (1_000, 10_000);
/// Largest bound, as a power of ten: more than any instance has.
const MAX_EXPONENT: i32 = 12;
/// Largest quotient of two neighbouring bounds.
const WIDTH: f64 = 1.05;

ebs_base::named! {
    /// Rate that a histogram counts by.
    #[derive(PartialOrd, Ord, Hash)]
    pub enum DemandMetric {
        /// Requests a second, as EBS counts them on SSD volumes ([`DeviceCounts::ssd_requests`]).
        Requests = "requests",
        /// Bytes a second, read and written.
        Bytes = "bytes",
    }
}

impl DemandMetric {
    /// The metric of this name.
    pub fn from_name(name: &str) -> Option<DemandMetric> {
        DemandMetric::ALL.into_iter().find(|metric| metric.name() == name)
    }

    /// Upper bounds of the bins, ascending; the last bin, above them, has none.
    pub fn bounds(self) -> &'static [f64] {
        static REQUESTS: LazyLock<Vec<f64>> = LazyLock::new(|| bounds_from(1.0));
        static BYTES: LazyLock<Vec<f64>> = LazyLock::new(|| bounds_from(16.0 * KIB as f64));
        match self {
            DemandMetric::Requests => &REQUESTS,
            DemandMetric::Bytes => &BYTES,
        }
    }

    /// Upper bound of the bin of a rate; infinite above all bounds.
    pub fn bound(self, rate: f64) -> f64 {
        let bounds = self.bounds();
        bounds.get(bounds.partition_point(|bound| *bound < rate)).copied().unwrap_or(f64::INFINITY)
    }

    fn amount(self, counts: &DeviceCounts) -> u64 {
        match self {
            DemandMetric::Requests => counts.ssd_requests(),
            DemandMetric::Bytes => counts.read_bytes.saturating_add(counts.write_bytes),
        }
    }
}

/// The first bound, then each bound times 1.05, cut to four significant digits.
fn bounds_from(first: f64) -> Vec<f64> {
    let written =
        |mantissa: u64, exponent: i32| format!("{mantissa}e{}", exponent - 3).parse().unwrap_or(f64::INFINITY);
    let mut exponent = first.log10().floor() as i32;
    let mut mantissa = (first / 10f64.powi(exponent - 3)).ceil() as u64;
    let mut bounds = vec![first];
    while exponent < MAX_EXPONENT {
        mantissa = mantissa * 105 / 100;
        if mantissa >= MANTISSAS.1 {
            (mantissa, exponent) = (mantissa * MANTISSAS.0 / MANTISSAS.1, exponent + 1);
        }
        bounds.push(written(mantissa, exponent));
    }
    bounds
}

/// Text of a bound as the label `le` has it: `17200`, `1.05`, `+Inf`.
pub fn bound_label(bound: f64) -> String {
    if bound == f64::INFINITY { "+Inf".to_owned() } else { bound.to_string() }
}

/// Content of a bin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BinCounts {
    /// Time with such a rate, microseconds.
    pub us: u64,
    /// Requests, or bytes, of that time.
    pub amount: u64,
}

/// Histogram of one metric of one volume: the bins that hold time, by index into [`DemandMetric::bounds`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DemandHistogram {
    metric: DemandMetric,
    bins: BTreeMap<usize, BinCounts>,
}

impl DemandHistogram {
    /// An empty histogram.
    pub fn new(metric: DemandMetric) -> DemandHistogram {
        DemandHistogram { metric, bins: BTreeMap::new() }
    }

    /// Metric that it counts by.
    pub fn metric(&self) -> DemandMetric {
        self.metric
    }

    /// Adds an interval of this length with this amount of requests or bytes, weighted by its length.
    pub fn add(&mut self, amount: u64, dt_us: u64) {
        if dt_us == 0 {
            return;
        }
        let rate = amount as f64 * SECOND_US as f64 / dt_us as f64;
        let index = self.metric.bounds().partition_point(|bound| *bound < rate);
        self.add_to_bin(index, BinCounts { us: dt_us, amount });
    }

    /// Adds the content of the bin with this upper bound, as it was stored.
    pub fn add_bin(&mut self, bound: f64, counts: BinCounts) {
        let index = self.metric.bounds().partition_point(|other| *other < bound);
        self.add_to_bin(index, counts);
    }

    /// Adds all that the other one holds. Of another metric nothing is added.
    pub fn merge(&mut self, other: &DemandHistogram) {
        if self.metric == other.metric {
            other.bins.iter().for_each(|(index, counts)| self.add_to_bin(*index, *counts));
        }
    }

    fn add_to_bin(&mut self, index: usize, counts: BinCounts) {
        let bin = self.bins.entry(index).or_default();
        bin.us = bin.us.saturating_add(counts.us);
        bin.amount = bin.amount.saturating_add(counts.amount);
    }

    /// Bins that hold time, with their upper bounds, ascending; the last may be infinite.
    pub fn bins(&self) -> impl Iterator<Item = (f64, BinCounts)> {
        let bounds = self.metric.bounds();
        self.bins.iter().map(|(index, counts)| (bounds.get(*index).copied().unwrap_or(f64::INFINITY), *counts))
    }

    /// Time in it, microseconds.
    pub fn total_us(&self) -> u64 {
        self.bins.values().fold(0, |sum, bin| sum.saturating_add(bin.us))
    }

    /// Requests or bytes in it.
    pub fn total_amount(&self) -> u64 {
        self.bins.values().fold(0, |sum, bin| sum.saturating_add(bin.amount))
    }

    /// Reading as exporters publish it: bounds of bins that hold time, with the time at or below each, and at last `+Inf`.
    pub fn reading(&self) -> HistogramReading {
        let mut sum = 0u64;
        let finite = self.bins().filter(|(bound, _)| bound.is_finite());
        let mut cumulative_us: Vec<(f64, u64)> = finite
            .map(|(bound, counts)| {
                sum = sum.saturating_add(counts.us);
                (bound, sum)
            })
            .collect();
        cumulative_us.push((f64::INFINITY, self.total_us()));
        HistogramReading { metric: self.metric, cumulative_us, amount: self.total_amount() }
    }
}

/// Volumes of a block, and the histograms of its samples, requests and bytes. Intervals whose counts are not known are in none; short
/// ones are joined as answers join them ([`Window::finish`]).
pub fn block_histograms(block: &Block) -> Vec<(Volume, Vec<DemandHistogram>)> {
    let window = Window::assemble([block.clone()], i64::MIN, i64::MAX);
    let empty = || DemandMetric::ALL.map(DemandHistogram::new).to_vec();
    let mut volumes: Vec<_> = window.layout.volumes.into_iter().map(|volume| (volume, empty())).collect();
    for interval in &window.intervals {
        for (index, (_, histograms)) in (0u16..).zip(&mut volumes) {
            let reading = interval.devices.iter().find(|(known, _)| *known == index).map(|(_, reading)| *reading);
            let CounterDelta::Known(counts) = reading.unwrap_or(CounterDelta::Known(DeviceCounts::default())) else {
                continue;
            };
            for histogram in histograms {
                histogram.add(histogram.metric().amount(&counts), interval.dt_us);
            }
        }
    }
    volumes
}

/// One scrape of a histogram: counters since some beginning.
#[derive(Clone, Debug, PartialEq)]
pub struct HistogramReading {
    /// Metric that it counts by.
    pub metric: DemandMetric,
    /// Bounds, ascending, each with the time at or below it, microseconds. A bound that holds no time of its own may be left out.
    pub cumulative_us: Vec<(f64, u64)>,
    /// Requests or bytes.
    pub amount: u64,
}

/// Time with similar demand, between two readings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DemandGroup {
    /// Requests or bytes a second: within 5 % of that of each second in it, but for negligible demand.
    pub rate: f64,
    /// Length, microseconds.
    pub us: u64,
}

impl HistogramReading {
    /// Reading from scraped values: pairs of `le` and seconds in any order, and the sum. `None` where a value is no count.
    pub fn from_seconds(metric: DemandMetric, buckets: &[(f64, f64)], sum: f64) -> Option<HistogramReading> {
        let count = |value: f64| (value >= 0.0 && value < u64::MAX as f64).then(|| value.round() as u64);
        let pairs = buckets
            .iter()
            .map(|&(bound, seconds)| (!bound.is_nan()).then_some((bound, count(seconds * SECOND_US as f64)?)));
        let mut cumulative_us = pairs.collect::<Option<Vec<_>>>()?;
        cumulative_us.sort_by(|a, b| a.0.total_cmp(&b.0));
        cumulative_us.dedup_by(|later, earlier| later.0 == earlier.0);
        Some(HistogramReading { metric, cumulative_us, amount: count(sum)? })
    }

    /// Subtracts the earlier reading `before`: the time between them, by rate, busiest first; the rates times their lengths add up
    /// to the requests or bytes of that time. A bound that `before` does not have held what the next lower one did.
    pub fn since(&self, before: &HistogramReading) -> Delta<Vec<DemandGroup>> {
        let mut bounds: Vec<f64> = self.cumulative_us.iter().chain(&before.cumulative_us).map(|pair| pair.0).collect();
        bounds.sort_by(f64::total_cmp);
        bounds.dedup();
        let amount = |amount: u64| (f64::INFINITY, amount);
        let amounts = bins_since(&[amount(self.amount)], &[amount(before.amount)]);
        let times = bins_since(&self.at_bounds(&bounds), &before.at_bounds(&bounds));
        let (Delta::Advanced(times), Delta::Advanced(amounts)) = (times, amounts) else { return Delta::Reset };
        // Time at or below a bound cannot be less than that below a lower one, unless a reset lies between.
        if self.metric != before.metric || !times.is_sorted_by_key(|time| time.1) {
            return Delta::Reset;
        }
        Delta::Advanced(groups(self.metric, &times, amounts.first().map_or(0, |amount| amount.1)))
    }

    /// Its counts at these bounds, which contain its own.
    fn at_bounds(&self, bounds: &[f64]) -> Vec<(f64, u64)> {
        let mut own = self.cumulative_us.iter().peekable();
        let mut held = 0;
        let filled = bounds.iter().map(|&bound| {
            while let Some(pair) = own.next_if(|pair| pair.0 <= bound) {
                held = pair.1;
            }
            (bound, held)
        });
        filled.collect()
    }
}

/// Groups of the bins of this cumulative time, whose rates make up the amount.
fn groups(metric: DemandMetric, cumulative_us: &[(f64, u64)], amount: u64) -> Vec<DemandGroup> {
    let first = metric.bounds().first().copied().unwrap_or(0.0);
    let last = metric.bounds().last().copied().unwrap_or(0.0);
    let seconds = |us: u64| us as f64 / SECOND_US as f64;
    let mut below = 0;
    let mut bins: Vec<(f64, u64)> = Vec::new();
    for &(bound, until) in cumulative_us {
        let inside = until.saturating_sub(below);
        below = until;
        if inside > 0 {
            bins.push((bound.min(last), inside));
        }
    }
    let (negligible, busy): (Vec<_>, Vec<_>) = bins.into_iter().partition(|bin| bin.0 <= first);
    let most: f64 = busy.iter().map(|(bound, us)| bound * seconds(*us)).sum();
    // Every rate of a bin lies between its bound over the width and its bound; so does the same part of all bounds.
    let part = if most > 0.0 { (amount as f64 / most).clamp(1.0 / WIDTH, 1.0) } else { 1.0 };
    let idle_us = negligible.iter().fold(0u64, |sum, bin| sum.saturating_add(bin.1));
    let rest = ((amount as f64 - part * most) / seconds(idle_us.max(1))).clamp(0.0, first);
    let busy = busy.into_iter().rev().map(|(bound, us)| DemandGroup { rate: bound * part, us });
    let idle = (idle_us > 0).then_some(DemandGroup { rate: rest, us: idle_us });
    busy.chain(idle).collect()
}

#[cfg(test)]
#[path = "demand_histogram_tests.rs"]
mod tests;
