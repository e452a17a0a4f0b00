//! The I/O mix of a volume: each figure as mean, percentiles and maximum of the sampled intervals.

use crate::demand::{Demand, Interval};
use ebs_base::units::{KIB, MIB};
use ebs_stats::{Distribution, averaging, mean};

/// One figure of a volume's demand. `None` stands for not known: no requests have no latency.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// Its name, as shown.
    pub metric: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Over the whole window: totals divided by totals, so that a busy second counts for its requests.
    pub mean: Option<f64>,
    /// Median over time.
    pub p50: Option<f64>,
    /// 95th percentile over time.
    pub p95: Option<f64>,
    /// 99th percentile over time.
    pub p99: Option<f64>,
    /// Largest interval.
    pub max: Option<f64>,
    /// The 95 % interval of the 99th percentile; of coarse samples, its upper end is that of seconds.
    pub p99_interval: Option<ebs_stats::Interval>,
}

/// Definition of a figure of one interval: a numerator over a denominator, so that its mean can be taken over totals.
pub struct Recipe {
    /// Its name, as shown.
    pub metric: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// True if it needs times of requests.
    pub timed: bool,
    /// Numerator and denominator.
    pub terms: fn(&Interval) -> (f64, f64),
}

impl Recipe {
    /// The figure of one interval; `None` where its denominator is zero.
    pub fn value(&self, interval: &Interval) -> Option<f64> {
        let (part, whole) = (self.terms)(interval);
        (whole > 0.0).then(|| part / whole)
    }
}

/// The recipe of a figure, by its name.
pub fn recipe(metric: &str) -> Option<&'static Recipe> {
    RECIPES.iter().find(|recipe| recipe.metric == metric)
}

/// Every figure, in the order of the report.
pub static RECIPES: [Recipe; 11] = [
    Recipe { metric: "requests", unit: "1/s", timed: false, terms: |i| (i.ssd_requests() as f64, i.seconds) },
    Recipe { metric: "reads", unit: "1/s", timed: false, terms: |i| (i.counts.reads as f64, i.seconds) },
    Recipe { metric: "writes", unit: "1/s", timed: false, terms: |i| (i.counts.writes as f64, i.seconds) },
    Recipe { metric: "throughput", unit: "MiB/s", timed: false, terms: |i| (i.bytes() as f64 / MIB as f64, i.seconds) },
    Recipe {
        metric: "read throughput",
        unit: "MiB/s",
        timed: false,
        terms: |i| (i.counts.read_bytes as f64 / MIB as f64, i.seconds),
    },
    Recipe {
        metric: "write throughput",
        unit: "MiB/s",
        timed: false,
        terms: |i| (i.counts.write_bytes as f64 / MIB as f64, i.seconds),
    },
    Recipe {
        metric: "request size",
        unit: "KiB",
        timed: false,
        terms: |i| (i.bytes() as f64 / KIB as f64, requests(i)),
    },
    Recipe { metric: "read share", unit: "%", timed: false, terms: |i| (100.0 * i.counts.reads as f64, requests(i)) },
    Recipe {
        metric: "read latency",
        unit: "ms",
        timed: true,
        terms: |i| (i.counts.read_ms as f64, i.counts.reads as f64),
    },
    Recipe {
        metric: "write latency",
        unit: "ms",
        timed: true,
        terms: |i| (i.counts.write_ms as f64, i.counts.writes as f64),
    },
    Recipe {
        metric: "concurrency",
        unit: "requests",
        timed: true,
        terms: |i| (i.counts.weighted_ms as f64 / 1000.0, i.seconds),
    },
];

fn requests(interval: &Interval) -> f64 {
    (interval.counts.reads + interval.counts.writes) as f64
}

/// Every figure of this demand, in the order of the report.
pub fn figures(demand: &Demand) -> Vec<Figure> {
    RECIPES.iter().map(|recipe| figure(recipe, demand, true)).collect()
}

/// The figures that sizes are read off in full, and of the others only the mean: what the report shows. `pause` is called
/// before each: an interval over weeks takes a tenth of a second.
pub fn brief_figures(demand: &Demand, pause: &dyn Fn()) -> Vec<Figure> {
    let brief = |recipe: &Recipe| {
        pause();
        figure(recipe, demand, ["requests", "throughput"].contains(&recipe.metric))
    };
    RECIPES.iter().map(brief).collect()
}

/// One figure by its name.
pub fn find<'a>(figures: &'a [Figure], metric: &str) -> Option<&'a Figure> {
    figures.iter().find(|figure| figure.metric == metric)
}

fn figure(recipe: &Recipe, demand: &Demand, in_full: bool) -> Figure {
    let mut figure = Figure { metric: recipe.metric, unit: recipe.unit, ..Figure::default() };
    if recipe.timed && !demand.timed {
        return figure;
    }
    let (part, whole) = demand.each().map(recipe.terms).fold((0.0, 0.0), |sum, x| (sum.0 + x.0, sum.1 + x.1));
    figure.mean = (whole > 0.0).then(|| part / whole);
    if in_full {
        let samples = demand.samples(|interval| recipe.value(interval));
        let distribution = Distribution::pausing(&samples, demand.pause);
        [figure.p50, figure.p95, figure.p99, figure.max] = [0.50, 0.95, 0.99, 1.0].map(|p| distribution.quantile(p));
        figure.p99_interval = distribution.interval(0.99);
        // Of rates: latencies, sizes and shares of coarse samples are those of all their requests, not of seconds.
        let rate = ["1/s", "MiB/s"].contains(&recipe.unit);
        if let (Some(interval), Some(mean)) = (&mut figure.p99_interval, mean(&samples).filter(|_| rate)) {
            interval.high = averaging::widen(interval.high, mean, demand.averaged_s);
        }
    }
    figure
}

/// The time-weighted mean of IOPS, for callers that need no percentiles.
pub fn mean_iops(demand: &Demand) -> f64 {
    mean(&demand.samples(|interval| Some(interval.iops()))).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebs_samples::evidence::DeviceCounts;

    fn interval(seconds: f64, reads: u64, writes: u64) -> Interval {
        let counts = DeviceCounts {
            reads,
            writes,
            read_bytes: reads * 8 * KIB,
            write_bytes: writes * 8 * KIB,
            read_ms: reads,
            write_ms: writes * 3,
            busy_ms: 0,
            weighted_ms: reads + writes * 3,
        };
        Interval { ended_us: 0, seconds, counts }
    }

    #[test]
    fn means_are_totals_over_totals() {
        let demand =
            Demand { timed: true, intervals: vec![interval(1.0, 100, 0), interval(3.0, 0, 100)], ..Demand::default() };
        let figures = figures(&demand);
        let mean = |metric| find(&figures, metric).and_then(|figure| figure.mean);
        assert_eq!(mean("requests"), Some(50.0));
        assert_eq!(mean("read share"), Some(50.0));
        assert_eq!(mean("request size"), Some(8.0));
        assert_eq!((mean("read latency"), mean("write latency")), (Some(1.0), Some(3.0)));
        assert_eq!(mean("concurrency"), Some(0.1));
    }

    /// Averages over 300 s: the upper end is 3.1 times as far above the mean; a latency's stays. Seconds that were aged
    /// together stay too, however long they are.
    #[test]
    fn only_the_upper_end_of_rates_of_coarse_samples_is_widened() {
        let intervals: Vec<Interval> = (1..=100).map(|n| interval(300.0, 300 * n, 300)).collect();
        let seconds = Demand { timed: true, averaged_s: 1.0, intervals, ..Demand::default() };
        let coarse = Demand { averaged_s: 300.0, ..seconds.clone() };
        let of = |demand: &Demand, metric: &str| find(&figures(demand), metric).cloned().unwrap();
        let (fine, wide) = (of(&seconds, "requests"), of(&coarse, "requests"));
        let (fine_ends, wide_ends) = (fine.p99_interval.unwrap(), wide.p99_interval.unwrap());
        assert_eq!((fine_ends.low, fine.p99, fine.max), (wide_ends.low, wide.p99, wide.max));
        let mean = fine.mean.unwrap();
        assert!((wide_ends.high - mean - (fine_ends.high - mean) * 300f64.powf(0.2)).abs() < 1e-9);
        assert_eq!(of(&seconds, "read latency"), of(&coarse, "read latency"));
    }

    #[test]
    fn without_times_latency_is_not_known() {
        let untimed = Demand { timed: false, intervals: vec![interval(1.0, 100, 100)], ..Demand::default() };
        let mean = |metric| find(&figures(&untimed), metric).and_then(|figure| figure.mean);
        assert_eq!((mean("read latency"), mean("concurrency"), mean("reads")), (None, None, Some(100.0)));
    }

    #[test]
    fn an_idle_volume_has_rates_of_zero_and_no_latency() {
        let figures = figures(&Demand { timed: true, intervals: vec![interval(1.0, 0, 0)], ..Demand::default() });
        let max = |metric| find(&figures, metric).and_then(|figure| figure.max);
        assert_eq!((max("requests"), max("read latency"), max("request size")), (Some(0.0), None, None));
    }
}
