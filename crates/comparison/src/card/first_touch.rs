//! A start that is slower than the rest at the same load: first reads of blocks of a volume that is still loaded from a snapshot,
//! or a cache above the volume that is still empty.

use ebs_stats::{WeightedSample, quantile, quantile_interval};
use ebs_workload::demand::{Demand, DemandInterval, ratio};

/// Share of the seconds with reads that is the start.
const START_SHARE: f64 = 0.2;
/// Largest factor between reads a second, and between bytes a read, of two comparable seconds.
const TOLERANCE: f64 = 1.25;
/// Fewest reads of a second with a meaningful mean.
const MIN_READS: u64 = 10;
/// Fewest seconds of the rest that are comparable to a second of the start.
const MIN_COMPARABLE: usize = 5;
/// Fewest seconds of the start with comparable ones.
const MIN_SECONDS: usize = 20;
/// Most seconds to compare: each of the start is compared with each of the rest, which would take seconds for a day and an hour
/// for a month. With so many the interval of the median is narrow.
const MAX_SECONDS: usize = 6_000;
/// Smallest ratio, at the lower end of its interval, that is reported.
const MIN_RATIO: f64 = 1.25;

/// Latency at the start over that of later.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FirstTouch {
    /// Median of the ratios of the read latency of a second of the start to the median of comparable seconds of the rest.
    pub ratio: f64,
    /// Lower end of its 95 % interval.
    pub low: f64,
    /// Upper end of its 95 % interval.
    pub high: f64,
    /// Seconds of the start that were compared.
    pub seconds: f64,
}

impl FirstTouch {
    /// True if the start is significantly slower.
    pub fn is_slower(&self) -> bool {
        self.low >= MIN_RATIO
    }
}

/// A second in which reads were timed.
struct Second {
    sample: WeightedSample,
    rate: f64,
    size: f64,
}

/// Compares the first fifth of the seconds with reads with comparable ones of the rest. `None` where there are too few.
pub fn first_touch(demand: &Demand) -> Option<FirstTouch> {
    if !demand.timed {
        return None;
    }
    let seconds = thin_out(demand.each().filter_map(second).collect());
    let (start, rest) = seconds.split_at((seconds.len() as f64 * START_SHARE) as usize);
    let compare = |second: &Second| {
        demand.pause.now();
        latency_ratio(second, rest)
    };
    let ratios: Vec<WeightedSample> = start.iter().filter_map(compare).collect();
    if ratios.len() < MIN_SECONDS {
        return None;
    }
    let interval = quantile_interval(&ratios, 0.5)?;
    let seconds = ratios.iter().map(|sample| sample.seconds).sum();
    Some(FirstTouch { ratio: quantile(&ratios, 0.5)?, low: interval.low, high: interval.high, seconds })
}

/// Keeps every n-th of the seconds, so that no more than [`MAX_SECONDS`] remain.
fn thin_out(seconds: Vec<Second>) -> Vec<Second> {
    let every = seconds.len().div_ceil(MAX_SECONDS).max(1);
    seconds.into_iter().step_by(every).collect()
}

fn second(interval: &DemandInterval) -> Option<Second> {
    let counts = &interval.counts;
    let value = ratio(counts.read_ms, counts.reads).filter(|_| counts.reads >= MIN_READS)?;
    Some(Second {
        sample: WeightedSample { value, seconds: interval.seconds },
        rate: counts.reads as f64 / interval.seconds,
        size: ratio(counts.read_bytes, counts.reads)?,
    })
}

/// Ratio of a second's latency to the median of the comparable seconds of the rest.
fn latency_ratio(second: &Second, rest: &[Second]) -> Option<WeightedSample> {
    let close = |a: f64, b: f64| a <= b * TOLERANCE && b <= a * TOLERANCE;
    let comparable = rest.iter().filter(|other| close(second.rate, other.rate) && close(second.size, other.size));
    let comparable: Vec<WeightedSample> = comparable.map(|other| other.sample).collect();
    let median = quantile(&comparable, 0.5).filter(|median| comparable.len() >= MIN_COMPARABLE && *median > 0.0)?;
    Some(WeightedSample { value: second.sample.value / median, seconds: second.sample.seconds })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebs_samples::evidence::DeviceCounts;
    use proptest::prelude::*;

    /// Seconds of these reads, each of 8 KiB and of so many milliseconds.
    fn demand(seconds: impl Iterator<Item = (u64, u64)>) -> Demand {
        let interval = |(reads, ms): (u64, u64)| {
            let counts = DeviceCounts { reads, read_bytes: reads * 8192, read_ms: reads * ms, ..Default::default() };
            DemandInterval { ended_us: 0, seconds: 1.0, counts, ..DemandInterval::default() }
        };
        Demand { timed: true, averaged_s: 1.0, intervals: seconds.map(interval).collect(), ..Demand::default() }
    }

    #[test]
    fn a_start_three_times_as_slow_at_the_same_rate_is_seen() {
        let found = first_touch(&demand((0..300).map(|n| (500, if n < 60 { 6 } else { 2 })))).unwrap();
        assert_eq!((found.ratio, found.low, found.high, found.seconds), (3.0, 3.0, 3.0, 60.0));
        assert!(found.is_slower());
    }

    /// A week's seconds, of which the first fifth is slower: as many are compared as of a hundred minutes.
    #[test]
    fn a_long_run_is_thinned() {
        let week = 7 * 86_400;
        let found = first_touch(&demand((0..week).map(|n| (500, if n < week / 5 { 6 } else { 2 })))).unwrap();
        assert_eq!((found.ratio, found.low, found.high), (3.0, 3.0, 3.0));
        assert!(
            found.seconds <= START_SHARE * MAX_SECONDS as f64
                && found.seconds >= START_SHARE * MAX_SECONDS as f64 / 2.0
        );
    }

    #[test]
    fn the_same_latency_is_not_slower_and_another_rate_is_no_comparison() {
        assert!(!first_touch(&demand((0..300).map(|_| (500, 2)))).unwrap().is_slower());
        assert_eq!(first_touch(&demand((0..300).map(|n| (if n < 60 { 5_000 } else { 500 }, 6)))), None);
        assert_eq!(first_touch(&demand((0..60).map(|_| (500, 2)))), None, "12 s of start");
        assert_eq!(first_touch(&Demand { timed: false, ..demand((0..300).map(|_| (500, 2))) }), None);
    }

    proptest! {
        #[test]
        fn latency_that_does_not_depend_on_time_is_seldom_called_slow(seed: u64) {
            // A fixed pattern of three latencies, shifted: the start has the same mix as the rest.
            let found = first_touch(&demand((0..600u64).map(|n| (500, 1 + (n.wrapping_add(seed)) % 3))));
            prop_assert!(found.is_some_and(|found| !found.is_slower()));
        }
    }
}
