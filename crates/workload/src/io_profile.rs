//! The I/O mix of a volume: each figure as mean, percentiles and maximum of the sampled intervals.

use crate::demand::{Demand, DemandInterval};
use crate::demand_summary::DemandSummary;
use ebs_aws::catalogue::LimitKind;
use ebs_base::named;
use ebs_base::units::{KIB, MIB};
use ebs_stats::{ConfidenceInterval, Distribution, QuantileBounds, QuantileEvidence, mean};

named! {
    /// A metric of a volume's demand.
    pub enum Metric {
        /// Requests as EBS counts them, one per 256 KiB at least.
        Requests = "requests",
        /// Read requests.
        Reads = "reads",
        /// Write requests.
        Writes = "writes",
        /// Bytes read and written.
        Throughput = "throughput",
        /// Bytes read.
        ReadThroughput = "read throughput",
        /// Bytes written.
        WriteThroughput = "write throughput",
        /// Mean size of a request.
        RequestSize = "request size",
        /// Share of reads among the requests.
        ReadShare = "read share",
        /// Mean time of a read.
        ReadLatency = "read latency",
        /// Mean time of a write.
        WriteLatency = "write latency",
        /// Average queue depth.
        Concurrency = "concurrency",
    }
}

impl Metric {
    /// The metric of this name.
    pub fn from_name(name: &str) -> Option<Metric> {
        Metric::ALL.into_iter().find(|metric| metric.name() == name)
    }

    /// Its unit.
    pub fn unit(self) -> &'static str {
        match self {
            Metric::Requests | Metric::Reads | Metric::Writes => "1/s",
            Metric::Throughput | Metric::ReadThroughput | Metric::WriteThroughput => "MiB/s",
            Metric::RequestSize => "KiB",
            Metric::ReadShare => "%",
            Metric::ReadLatency | Metric::WriteLatency => "ms",
            Metric::Concurrency => "requests",
        }
    }

    /// True of an amount a second; latencies, sizes and shares are those of requests.
    fn is_rate(self) -> bool {
        matches!(self.unit(), "1/s" | "MiB/s")
    }

    /// True if it needs times of requests.
    pub fn is_timed(self) -> bool {
        matches!(self, Metric::ReadLatency | Metric::WriteLatency | Metric::Concurrency)
    }

    /// True if it needs bytes of requests.
    pub fn is_of_bytes(self) -> bool {
        matches!(self, Metric::Throughput | Metric::ReadThroughput | Metric::WriteThroughput | Metric::RequestSize)
    }

    /// Numerator and denominator of one interval, so that a mean can be taken over totals.
    pub fn terms(self, interval: &DemandInterval) -> (f64, f64) {
        let (counts, seconds) = (&interval.counts, interval.seconds);
        match self {
            Metric::Requests => (interval.ssd_requests() as f64, seconds),
            Metric::Reads => (counts.reads as f64, seconds),
            Metric::Writes => (counts.writes as f64, seconds),
            Metric::Throughput => (interval.bytes() as f64 / MIB as f64, seconds),
            Metric::ReadThroughput => (counts.read_bytes as f64 / MIB as f64, seconds),
            Metric::WriteThroughput => (counts.write_bytes as f64 / MIB as f64, seconds),
            Metric::RequestSize => (interval.bytes() as f64 / KIB as f64, requests(interval)),
            Metric::ReadShare => (100.0 * counts.reads as f64, requests(interval)),
            Metric::ReadLatency => (counts.read_ms as f64, counts.reads as f64),
            Metric::WriteLatency => (counts.write_ms as f64, counts.writes as f64),
            Metric::Concurrency => (counts.weighted_ms as f64 / 1000.0, seconds),
        }
    }

    /// Its value in one interval; `None` where the denominator is zero.
    pub fn value(self, interval: &DemandInterval) -> Option<f64> {
        let (part, whole) = self.terms(interval);
        (whole > 0.0).then(|| part / whole)
    }
}

/// A metric of a volume's demand over a window. `None` stands for not known: no requests have no latency.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The metric.
    pub metric: Metric,
    /// Mean over the whole window: totals divided by totals, so that each request has the same weight.
    pub mean: Option<f64>,
    /// Median over time.
    pub p50: Option<f64>,
    /// 95th percentile over time.
    pub p95: Option<f64>,
    /// 99th percentile over time.
    pub p99: Option<f64>,
    /// Largest interval.
    pub max: Option<f64>,
    /// 95 % lower and 95 % upper bound of the 99th percentile; of coarse or few samples, the upper one is that of a model.
    pub p99_interval: Option<ConfidenceInterval>,
    /// Number of samples that the bounds rest on.
    pub p99_evidence: Option<QuantileEvidence>,
}

impl Figure {
    /// A metric of which nothing is known.
    fn unknown(metric: Metric) -> Figure {
        Figure {
            metric,
            mean: None,
            p50: None,
            p95: None,
            p99: None,
            max: None,
            p99_interval: None,
            p99_evidence: None,
        }
    }
}

fn requests(interval: &DemandInterval) -> f64 {
    interval.counts.requests() as f64
}

/// All figures of this demand, in the order of the report.
pub fn figures(demand: &Demand) -> Vec<Figure> {
    let summary = DemandSummary::new(demand);
    let in_full = |(metric, mean): (Metric, Option<f64>)| {
        let own;
        let order = match ordered(metric, &summary) {
            None if is_known(metric, demand) => {
                own = Distribution::pausing(demand.samples(|interval| metric.value(interval)), demand.pause);
                Some((&own, 1.0))
            }
            of_limited => of_limited,
        };
        figure((metric, mean), demand, order)
    };
    Metric::ALL.into_iter().zip(means(&summary)).map(in_full).collect()
}

/// True where the counts have what a metric needs.
fn is_known(metric: Metric, demand: &Demand) -> bool {
    (demand.timed || !metric.is_timed()) && !(demand.bytes_unknown && metric.is_of_bytes())
}

/// The figures that sizes are read off in full, and of the others only the mean: what the report shows.
pub fn brief_figures(demand: &Demand, summary: &DemandSummary) -> Vec<Figure> {
    let brief = |(metric, mean)| figure((metric, mean), demand, ordered(metric, summary));
    Metric::ALL.into_iter().zip(means(summary)).map(brief).collect()
}

/// The order of the values of a metric that volumes are limited in, and the divisor that gives the metric's unit.
fn ordered(metric: Metric, summary: &DemandSummary) -> Option<(&Distribution<'static>, f64)> {
    match metric {
        Metric::Requests => Some((summary.rates(LimitKind::Iops), 1.0)),
        Metric::Throughput => Some((summary.rates(LimitKind::Throughput), MIB as f64)),
        _ => None,
    }
}

/// Mean of each metric over all time: terms are sums of counts, but for requests, which EBS counts interval by interval.
fn means(summary: &DemandSummary) -> [Option<f64>; Metric::ALL.len()] {
    let all = DemandInterval { counts: summary.total, seconds: summary.seconds, ..DemandInterval::default() };
    Metric::ALL.map(|metric| {
        let (part, whole) = match metric {
            Metric::Requests => (summary.requests, all.seconds),
            _ => metric.terms(&all),
        };
        (whole > 0.0).then(|| part / whole)
    })
}

/// Finds the figure of a metric.
pub fn find(figures: &[Figure], metric: Metric) -> Option<&Figure> {
    figures.iter().find(|figure| figure.metric == metric)
}

/// The figure of a metric; without the order of its values, and the divisor that gives its unit, only the mean.
fn figure((metric, mean): (Metric, Option<f64>), demand: &Demand, order: Option<(&Distribution, f64)>) -> Figure {
    let mut figure = Figure::unknown(metric);
    if !is_known(metric, demand) {
        return figure;
    }
    figure.mean = mean;
    if let Some((order, unit)) = order {
        [figure.p50, figure.p95, figure.p99, figure.max] =
            [0.50, 0.95, 0.99, 1.0].map(|p| Some(order.quantile(p)? / unit));
        // Averages hide peaks of rates alone: latencies, sizes and shares of coarse samples are those of all their requests.
        let averaged_s = if metric.is_rate() { demand.averaged_s } else { 0.0 };
        // Sizes and shares have no tail to continue.
        let has_tail = metric.is_rate() || metric.is_timed();
        let bounds = order.bounds(0.99, demand.averaged_s, averaged_s);
        let bounds = bounds.filter(|bounds| has_tail || bounds.evidence.bounded.is_none());
        figure.p99_evidence = bounds.map(|bounds| bounds.evidence);
        figure.p99_interval = bounds.map(|QuantileBounds { interval: ConfidenceInterval { low, high }, .. }| {
            ConfidenceInterval { low: low / unit, high: high / unit }
        });
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

    fn interval(seconds: f64, reads: u64, writes: u64) -> DemandInterval {
        let counts = DeviceCounts {
            reads,
            writes,
            read_bytes: reads * 8 * KIB,
            write_bytes: writes * 8 * KIB,
            read_ms: reads,
            write_ms: writes * 3,
            busy_ms: 0,
            weighted_ms: reads + writes * 3,
            ..DeviceCounts::default()
        };
        DemandInterval { ended_us: 0, seconds, counts, ..DemandInterval::default() }
    }

    #[test]
    fn means_are_totals_over_totals() {
        let demand =
            Demand { timed: true, intervals: vec![interval(1.0, 100, 0), interval(3.0, 0, 100)], ..Demand::default() };
        let figures = figures(&demand);
        let mean = |metric| find(&figures, metric).and_then(|figure| figure.mean);
        assert_eq!(mean(Metric::Requests), Some(50.0));
        assert_eq!(mean(Metric::ReadShare), Some(50.0));
        assert_eq!(mean(Metric::RequestSize), Some(8.0));
        assert_eq!((mean(Metric::ReadLatency), mean(Metric::WriteLatency)), (Some(1.0), Some(3.0)));
        assert_eq!(mean(Metric::Concurrency), Some(0.1));
    }

    /// Averages over 300 s: the upper end is 3.1 times as far above the mean; a latency's stays. Seconds that were downsampled
    /// together stay too, however long they are.
    #[test]
    fn only_the_upper_end_of_rates_of_coarse_samples_is_widened() {
        let intervals: Vec<DemandInterval> = (1..=100).map(|n| interval(300.0, 300 * n, 300)).collect();
        let seconds = Demand { timed: true, averaged_s: 1.0, intervals, ..Demand::default() };
        let coarse = Demand { averaged_s: 300.0, ..seconds.clone() };
        let of = |demand: &Demand, metric: Metric| find(&figures(demand), metric).cloned().unwrap();
        let (fine, wide) = (of(&seconds, Metric::Requests), of(&coarse, Metric::Requests));
        let (fine_ends, wide_ends) = (fine.p99_interval.unwrap(), wide.p99_interval.unwrap());
        assert_eq!((fine.p99, fine.max, fine_ends.high), (wide.p99, wide.max, 101.0));
        assert_eq!([&fine, &wide].map(|figure| figure.p99_evidence.unwrap().samples), [30_000.0, 100.0]);
        let mean = fine.mean.unwrap();
        assert!((wide_ends.high - mean - (fine_ends.high - mean) * 300f64.powf(0.2)).abs() < 1e-9);
        let latencies = [&seconds, &coarse].map(|demand| of(demand, Metric::ReadLatency).p99_interval);
        assert_eq!(latencies[0], latencies[1]);
    }

    #[test]
    fn without_times_latency_is_not_known() {
        let untimed = Demand { timed: false, intervals: vec![interval(1.0, 100, 100)], ..Demand::default() };
        let mean = |metric| find(&figures(&untimed), metric).and_then(|figure| figure.mean);
        assert_eq!(
            (mean(Metric::ReadLatency), mean(Metric::Concurrency), mean(Metric::Reads)),
            (None, None, Some(100.0))
        );
    }

    #[test]
    fn without_bytes_throughput_and_sizes_are_not_known() {
        let intervals = vec![interval(1.0, 100, 100)];
        let figures = figures(&Demand { timed: true, bytes_unknown: true, intervals, ..Demand::default() });
        let mean = |metric| find(&figures, metric).and_then(|figure| figure.mean);
        assert_eq!(
            (mean(Metric::Throughput), mean(Metric::ReadThroughput), mean(Metric::RequestSize), mean(Metric::Requests)),
            (None, None, None, Some(200.0))
        );
    }

    #[test]
    fn an_idle_volume_has_rates_of_zero_and_no_latency() {
        let figures = figures(&Demand { timed: true, intervals: vec![interval(1.0, 0, 0)], ..Demand::default() });
        let max = |metric| find(&figures, metric).and_then(|figure| figure.max);
        assert_eq!(
            (max(Metric::Requests), max(Metric::ReadLatency), max(Metric::RequestSize)),
            (Some(0.0), None, None)
        );
    }
}
