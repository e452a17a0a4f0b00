//! Quantiles of samples that stand for periods of unequal length.

use std::borrow::Cow;

use ebs_base::pause::{Pause, STEP};

/// A rate and the seconds it stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightedSample {
    /// The rate, in whatever unit.
    pub value: f64,
    /// Length of time, seconds.
    pub seconds: f64,
}

/// Most samples that are sorted or selected from without a pause: some milliseconds.
const MAX_UNPAUSED: usize = 8 * STEP;

/// Share of all samples, as its inverse, from which on going through all of them is faster than sorting indexes of some.
const MANY: usize = 8;

/// The mean over time; `None` over no time.
pub fn mean(samples: &[WeightedSample]) -> Option<f64> {
    let seconds = total_seconds(samples);
    let area: f64 = samples.iter().map(|s| s.value * s.seconds).sum();
    (seconds > 0.0).then(|| area / seconds)
}

/// Samples in time order, and in the order of their values: sorted once for all quantiles.
pub struct Distribution<'a> {
    pub(super) samples: Cow<'a, [WeightedSample]>,
    /// Indexes, by ascending value.
    pub(super) indexes: Vec<u32>,
    /// The samples in this order, side by side: looking each up by its index takes as long as sorting.
    pub(super) ascending: Vec<WeightedSample>,
    /// Seconds from the least sample to the end of each.
    passed: Vec<f64>,
    pub(super) seconds: f64,
    pub(super) pause: Pause,
}

impl<'a> Distribution<'a> {
    /// The distribution of these samples.
    pub fn new(samples: &'a [WeightedSample]) -> Distribution<'a> {
        Distribution::pausing(samples, Pause::default())
    }

    /// Returns the distribution of these samples; `pause` is called within the computations.
    pub fn pausing(samples: impl Into<Cow<'a, [WeightedSample]>>, pause: Pause) -> Distribution<'a> {
        let samples = samples.into();
        // Keys beside their indexes: sorting indexes alone looks each value up at each comparison.
        let mut by_value: Vec<(i64, u32)> = samples.iter().map(|sample| order_key(sample.value)).zip(0..).collect();
        let compare = |a: &(i64, u32), b: &(i64, u32)| a.0.cmp(&b.0);
        // Counting comparisons takes as long as they do: the order is the same without.
        match by_value.len() <= MAX_UNPAUSED {
            true => by_value.sort_unstable_by(compare),
            false => by_value.sort_unstable_by(pause.comparing(compare)),
        }
        let indexes: Vec<u32> = by_value.into_iter().map(|(_, index)| index).collect();
        let ascending: Vec<WeightedSample> = indexes.iter().map(|&index| samples[index as usize]).collect();
        let mut sum = 0.0;
        let passed = ascending.iter().map(|sample| {
            sum += sample.seconds;
            sum
        });
        let (passed, seconds) = (passed.collect(), total_seconds(&samples));
        Distribution { samples, indexes, ascending, passed, seconds, pause }
    }

    /// The smallest observed value that was not exceeded for a share `p` of the time (inverse of the empirical
    /// distribution; Hyndman & Fan 1996, definition 1): an observed rate, never an interpolated one. `None` over no time.
    pub fn quantile(&self, p: f64) -> Option<f64> {
        self.quantile_behind(0, p)
    }

    /// The same of the samples of at least this value.
    pub fn quantile_from(&self, least: f64, p: f64) -> Option<f64> {
        self.quantile_behind(self.below(least), p)
    }

    /// The same without so many of the least samples.
    fn quantile_behind(&self, least: usize, p: f64) -> Option<f64> {
        let passed = self.passed_at(least);
        let seconds = if least == 0 { self.seconds } else { self.passed.last()? - passed };
        let wanted = passed + wanted_seconds(p, seconds);
        let index = least + self.passed[least..].partition_point(|passed| *passed < wanted);
        let reached = self.ascending.get(index).or(self.ascending.last());
        reached.filter(|_| seconds > 0.0).map(|sample| sample.value)
    }

    /// Samples of at least this value, by ascending value.
    pub fn at_least(&self, value: f64) -> &[WeightedSample] {
        &self.ascending[self.below(value)..]
    }

    /// Seconds of the samples of at least this value.
    pub fn seconds_from(&self, value: f64) -> f64 {
        self.passed.last().map_or(0.0, |all| all - self.passed_at(self.below(value)))
    }

    /// Seconds of so many of the least samples.
    fn passed_at(&self, samples: usize) -> f64 {
        self.passed[..samples].last().copied().unwrap_or_default()
    }

    /// Indexes of the samples from one value up to another, in time order.
    pub fn indexes_within(&self, (from, to): (f64, f64)) -> impl Iterator<Item = u32> {
        let first = self.below(from);
        let past = first + self.ascending[first..].partition_point(|sample| sample.value <= to);
        let are_many = (past - first) * MANY > self.samples.len();
        let (all, mut few) =
            if are_many { (&*self.samples, Vec::new()) } else { (&[][..], self.indexes[first..past].to_vec()) };
        few.sort_unstable();
        let is_within = move |(_, sample): &(u32, &WeightedSample)| (from..=to).contains(&sample.value);
        // One of both is empty.
        few.into_iter().chain((0..).zip(all).filter(is_within).map(|(index, _)| index))
    }

    /// The samples, in time order.
    pub fn samples(&self) -> &[WeightedSample] {
        &self.samples
    }

    /// Seconds of all samples.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Number of samples below a value.
    fn below(&self, value: f64) -> usize {
        self.ascending.partition_point(|sample| sample.value < value)
    }
}

/// Seconds of samples together.
pub fn total_seconds(samples: &[WeightedSample]) -> f64 {
    samples.iter().map(|sample| sample.seconds).sum()
}

/// [`Distribution::quantile`] of samples of ascending values, which last so many seconds together.
pub fn ascending_quantile(ascending: impl Iterator<Item = WeightedSample>, seconds: f64, p: f64) -> Option<f64> {
    if seconds <= 0.0 {
        return None;
    }
    let wanted = wanted_seconds(p, seconds);
    let (mut passed, mut last) = (0.0, None);
    for sample in ascending {
        passed += sample.seconds;
        last = Some(sample.value);
        if passed >= wanted {
            break;
        }
    }
    last
}

/// Whole number of the same order as [`f64::total_cmp`].
fn order_key(value: f64) -> i64 {
    let bits = value.to_bits().cast_signed();
    if bits < 0 { bits ^ i64::MAX } else { bits }
}

/// See [`Distribution::quantile`].
pub fn quantile(samples: &[WeightedSample], p: f64) -> Option<f64> {
    pausing_quantile(samples, p, Pause::default())
}

/// The same, by selection in place of sorting; `pause` is called within the computation, and may unwind.
pub fn pausing_quantile(samples: impl Into<Vec<WeightedSample>>, p: f64, pause: Pause) -> Option<f64> {
    let mut samples = samples.into();
    let seconds = total_seconds(&samples);
    if seconds <= 0.0 {
        return None;
    }
    let (mut rest, mut wanted) = (samples.as_mut_slice(), wanted_seconds(p, seconds));
    let mut middle = (p * rest.len() as f64) as usize;
    loop {
        let by_value = |a: &WeightedSample, b: &WeightedSample| a.value.total_cmp(&b.value);
        let index = middle.min(rest.len() - 1);
        let (lower, at, upper) = match rest.len() <= MAX_UNPAUSED {
            true => rest.select_nth_unstable_by(index, by_value),
            false => rest.select_nth_unstable_by(index, pause.comparing(by_value)),
        };
        let below = total_seconds(lower);
        if below >= wanted && !lower.is_empty() {
            rest = lower;
        } else if below + at.seconds >= wanted || upper.is_empty() {
            return Some(at.value);
        } else {
            (rest, wanted) = (upper, wanted - (below + at.seconds));
        }
        middle = rest.len() / 2;
    }
}

/// Seconds up to a quantile, slightly less than requested: sums of decimal seconds must not skip a sample by a rounding error.
fn wanted_seconds(p: f64, seconds: f64) -> f64 {
    p * seconds - 1e-9 * seconds
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn each_second(values: &[f64]) -> Vec<WeightedSample> {
        values.iter().map(|&value| WeightedSample { value, seconds: 1.0 }).collect()
    }

    #[test]
    fn quantiles_are_observed_values() {
        let samples = each_second(&(1..=100).map(f64::from).collect::<Vec<_>>());
        assert_eq!(quantile(&samples, 0.5), Some(50.0));
        assert_eq!(quantile(&samples, 0.99), Some(99.0));
        assert_eq!(quantile(&samples, 1.0), Some(100.0));
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(mean(&samples), Some(50.5));
    }

    #[test]
    fn a_sample_counts_for_as_long_as_it_lasted() {
        let samples = [WeightedSample { value: 10.0, seconds: 9.0 }, WeightedSample { value: 100.0, seconds: 1.0 }];
        assert_eq!((quantile(&samples, 0.9), quantile(&samples, 0.95)), (Some(10.0), Some(100.0)));
        assert_eq!(mean(&samples), Some(19.0));
    }

    proptest! {
        /// One quantile is selected, several are read off one order: both are the same.
        #[test]
        fn selection_finds_what_sorting_does(samples in prop::collection::vec((0u32..20, 1u32..90), 1..100), p in 0f64..=1.0) {
            let sample = |(value, seconds): &(u32, u32)| WeightedSample { value: f64::from(*value), seconds: f64::from(*seconds) };
            let samples: Vec<WeightedSample> = samples.iter().map(sample).collect();
            prop_assert_eq!(quantile(&samples, p), Distribution::new(&samples).quantile(p));
        }

        #[test]
        fn a_higher_quantile_is_no_smaller(values in prop::collection::vec(0f64..1e6, 1..100), p in 0f64..1.0, q in 0f64..1.0) {
            let samples = each_second(&values);
            prop_assert!(quantile(&samples, p.min(q)) <= quantile(&samples, p.max(q)));
        }
    }
}
