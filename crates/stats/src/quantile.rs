//! Quantiles of samples that stand for periods of unequal length.

use ebs_base::pause::Pause;

/// A rate and the seconds it stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightedSample {
    /// The rate, in whatever unit.
    pub value: f64,
    /// Length of time, seconds.
    pub seconds: f64,
}

/// The mean over time; `None` over no time.
pub fn mean(samples: &[WeightedSample]) -> Option<f64> {
    let seconds: f64 = samples.iter().map(|s| s.seconds).sum();
    let area: f64 = samples.iter().map(|s| s.value * s.seconds).sum();
    (seconds > 0.0).then(|| area / seconds)
}

/// Samples in time order, and in the order of their values: sorted once for all quantiles.
pub struct Distribution<'a> {
    pub(super) samples: &'a [WeightedSample],
    /// Indexes, by ascending value.
    pub(super) ascending: Vec<u32>,
    pub(super) seconds: f64,
    pub(super) pause: Pause,
}

impl<'a> Distribution<'a> {
    /// The distribution of these samples.
    pub fn new(samples: &'a [WeightedSample]) -> Distribution<'a> {
        Distribution::pausing(samples, Pause::default())
    }

    /// Returns the distribution of these samples; `pause` is called within the computations.
    pub fn pausing(samples: &'a [WeightedSample], pause: Pause) -> Distribution<'a> {
        // Values beside their indexes: sorting indexes alone looks each value up at each comparison.
        let mut by_value: Vec<(f64, u32)> = samples.iter().map(|sample| sample.value).zip(0..).collect();
        by_value.sort_unstable_by(pause.comparing(|a: &(f64, u32), b: &(f64, u32)| a.0.total_cmp(&b.0)));
        let ascending = by_value.into_iter().map(|(_, index)| index).collect();
        Distribution { samples, ascending, seconds: samples.iter().map(|s| s.seconds).sum(), pause }
    }

    /// The smallest observed value that was not exceeded for a share `p` of the time (inverse of the empirical
    /// distribution; Hyndman & Fan 1996, definition 1): an observed rate, never an interpolated one. `None` over no time.
    pub fn quantile(&self, p: f64) -> Option<f64> {
        self.pause.now();
        ascending_quantile(self.in_order(&self.ascending), self.seconds, p)
    }

    /// The same of the samples of at least this value.
    pub fn quantile_from(&self, least: f64, p: f64) -> Option<f64> {
        let samples = || self.in_order(self.at_least(least));
        ascending_quantile(samples(), samples().map(|sample| sample.seconds).sum(), p)
    }

    /// Indexes of the samples of at least this value, by ascending value.
    pub fn at_least(&self, value: f64) -> &[u32] {
        let below = self.ascending.partition_point(|&index| self.samples[index as usize].value < value);
        &self.ascending[below..]
    }

    /// The samples with these indexes.
    fn in_order(&self, indexes: &[u32]) -> impl Iterator<Item = WeightedSample> {
        indexes.iter().map(|&index| self.samples[index as usize])
    }
}

/// [`Distribution::quantile`] of samples of ascending values, which last so many seconds together.
pub fn ascending_quantile(ascending: impl Iterator<Item = WeightedSample>, seconds: f64, p: f64) -> Option<f64> {
    if seconds <= 0.0 {
        return None;
    }
    // Slightly less than requested: sums of decimal seconds must not skip a sample by a rounding error.
    let wanted = p * seconds - 1e-9 * seconds;
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

/// See [`Distribution::quantile`].
pub fn quantile(samples: &[WeightedSample], p: f64) -> Option<f64> {
    Distribution::new(samples).quantile(p)
}

/// The same; `pause` is called within the computation, and may unwind.
pub fn pausing_quantile(samples: &[WeightedSample], p: f64, pause: Pause) -> Option<f64> {
    Distribution::pausing(samples, pause).quantile(p)
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
        #[test]
        fn a_higher_quantile_is_no_smaller(values in prop::collection::vec(0f64..1e6, 1..100), p in 0f64..1.0, q in 0f64..1.0) {
            let samples = each_second(&values);
            prop_assert!(quantile(&samples, p.min(q)) <= quantile(&samples, p.max(q)));
        }
    }
}
