//! Figures from EBS's own statistics of each volume: rates, latencies, and the share of time above each limit.

use crate::demand::ratio;
use ebs_base::units::MIB;
use ebs_samples::evidence::{Bin, EbsCounts, EbsTotals, Window};

/// One figure of a volume. `None` stands for not known: no requests have no latency.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Volume id.
    pub volume: String,
    /// Its name, as shown.
    pub metric: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Value over the whole window.
    pub value: Option<f64>,
}

/// Definition of a figure, from counts over some seconds.
struct Recipe {
    metric: &'static str,
    unit: &'static str,
    value: fn(&EbsCounts, f64) -> Option<f64>,
}

/// Names and units are those of the I/O mix where the figure is the same one.
const RECIPES: [Recipe; 9] = [
    Recipe { metric: "reads", unit: "1/s", value: |c, seconds| Some(c.read_ops as f64 / seconds) },
    Recipe { metric: "writes", unit: "1/s", value: |c, seconds| Some(c.write_ops as f64 / seconds) },
    Recipe { metric: "throughput", unit: "MiB/s", value: |c, seconds| Some(bytes(c) / MIB as f64 / seconds) },
    Recipe { metric: "read latency", unit: "ms", value: |c, _| ratio(c.read_us, c.read_ops).map(us_to_ms) },
    Recipe { metric: "write latency", unit: "ms", value: |c, _| ratio(c.write_us, c.write_ops).map(us_to_ms) },
    Recipe { metric: "over volume IOPS limit", unit: OF_TIME, value: |c, s| of_time(c.volume_iops_exceeded_us, s) },
    Recipe {
        metric: "over volume throughput limit",
        unit: OF_TIME,
        value: |c, s| of_time(c.volume_throughput_exceeded_us, s),
    },
    Recipe { metric: "over instance IOPS limit", unit: OF_TIME, value: |c, s| of_time(c.instance_iops_exceeded_us, s) },
    Recipe {
        metric: "over instance throughput limit",
        unit: OF_TIME,
        value: |c, s| of_time(c.instance_throughput_exceeded_us, s),
    },
];

const OF_TIME: &str = "% of time";

fn bytes(counts: &EbsCounts) -> f64 {
    counts.read_bytes as f64 + counts.write_bytes as f64
}

fn us_to_ms(us: f64) -> f64 {
    us / 1000.0
}

fn of_time(us: u64, seconds: f64) -> Option<f64> {
    Some(us as f64 / 10_000.0 / seconds)
}

/// Every figure of every volume that was known in `window`, volumes in the order of their ids.
pub fn figures(window: &Window) -> Vec<Figure> {
    volumes(window).into_iter().flat_map(|(volume, totals)| of_volume(volume, totals)).collect()
}

fn of_volume(volume: &str, totals: &EbsTotals) -> Vec<Figure> {
    let figure = |metric, unit, value| Figure { volume: volume.to_owned(), metric, unit, value };
    let seconds = totals.counts.known_us as f64 / 1e6;
    let value = |recipe: &Recipe| totals.counts.known().and_then(|counts| (recipe.value)(&counts, seconds));
    let mut figures: Vec<Figure> =
        RECIPES.iter().map(|recipe| figure(recipe.metric, recipe.unit, value(recipe))).collect();
    let queue = totals.queue.mean_and_max();
    figures.push(figure("queue mean", "requests", queue.map(|(mean, _)| mean)));
    figures.push(figure("queue max", "requests", queue.map(|(_, max)| max)));
    figures
}

/// One bin of a volume's histogram.
#[derive(Clone, Debug, PartialEq)]
pub struct Share {
    /// Volume id.
    pub volume: String,
    /// `read` or `write`.
    pub operation: &'static str,
    /// Its bounds, and the requests between them.
    pub bin: Bin,
    /// Its part of all requests of this operation.
    pub share: f64,
}

/// Requests by latency, fastest first: bins in which there were any.
pub fn histogram(window: &Window) -> Vec<Share> {
    let mut shares = Vec::new();
    for (volume, totals) in volumes(window) {
        for (operation, bins) in [("read", &totals.read_histogram), ("write", &totals.write_histogram)] {
            let all: u128 = bins.iter().map(|bin| u128::from(bin.count)).sum();
            let share = |&bin: &Bin| {
                let share = bin.count as f64 / all as f64;
                Share { volume: volume.to_owned(), operation, bin, share }
            };
            shares.extend(bins.iter().filter(|bin| bin.count > 0).map(share));
        }
    }
    shares
}

fn volumes(window: &Window) -> Vec<(&str, &EbsTotals)> {
    let mut volumes: Vec<_> = window.totals.ebs.iter().map(|(volume, totals)| (volume.as_str(), totals)).collect();
    volumes.sort_by_key(|(volume, _)| *volume);
    volumes
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebs_samples::evidence::{Gauge, Timed, Totals};

    fn window(totals: EbsTotals) -> Window {
        let idle = EbsTotals::default();
        let ebs = vec![("vol-b".to_owned(), totals), ("vol-a".to_owned(), idle)];
        Window { totals: Totals { ebs, ..Totals::default() }, ..Window::default() }
    }

    fn of_b(totals: EbsTotals) -> Vec<(&'static str, Option<f64>)> {
        let figures = figures(&window(totals)).into_iter().filter(|figure| figure.volume == "vol-b");
        figures.map(|figure| (figure.metric, figure.value)).collect()
    }

    #[test]
    fn figures_are_counts_over_the_time_in_which_they_are_known() {
        let counts = EbsCounts {
            read_ops: 2_000,
            write_ops: 0,
            read_bytes: 20 * MIB,
            read_us: 1_000_000,
            volume_iops_exceeded_us: 2_500_000,
            instance_throughput_exceeded_us: 10_000_000,
            ..EbsCounts::default()
        };
        let queue = Gauge { readings: 4, sum: 10, max: 7 };
        let totals = EbsTotals { counts: Timed { counts, known_us: 10_000_000 }, queue, ..EbsTotals::default() };
        let expected = [
            ("reads", Some(200.0)),
            ("writes", Some(0.0)),
            ("throughput", Some(2.0)),
            ("read latency", Some(0.5)),
            ("write latency", None),
            ("over volume IOPS limit", Some(25.0)),
            ("over volume throughput limit", Some(0.0)),
            ("over instance IOPS limit", Some(0.0)),
            ("over instance throughput limit", Some(100.0)),
            ("queue mean", Some(2.5)),
            ("queue max", Some(7.0)),
        ];
        assert_eq!(of_b(totals), expected);
    }

    #[test]
    fn what_is_not_known_is_no_zero() {
        assert!(of_b(EbsTotals::default()).iter().all(|(_, value)| value.is_none()));
        assert!(figures(&Window::default()).is_empty());
    }

    #[test]
    fn shares_are_of_one_operation() {
        let bin = |lower_us, upper_us, count| Bin { lower_us, upper_us, count };
        let read_histogram = vec![bin(0, Some(512), 30), bin(512, None, 10)];
        let write_histogram = vec![bin(0, Some(512), 5)];
        let found = histogram(&window(EbsTotals { read_histogram, write_histogram, ..EbsTotals::default() }));
        let brief: Vec<_> = found.iter().map(|s| (s.operation, s.bin.lower_us, s.bin.count, s.share)).collect();
        assert_eq!(brief, [("read", 0, 30, 0.75), ("read", 512, 10, 0.25), ("write", 0, 5, 1.0)]);
    }
}
