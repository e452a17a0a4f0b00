//! Intervals by the circular block bootstrap (Politis & Romano 1992, in LePage & Billard, "Exploring the Limits of Bootstrap"): one-second
//! rates are autocorrelated (checkpoints last minutes), so blocks of consecutive seconds are drawn, never single seconds. The first second
//! follows the last one, so that each is in as many blocks: of moving blocks (Künsch 1989, Annals of Statistics 17:1217) those at the ends
//! are in fewer, and a burst there counts for less.

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64;

use super::{Distribution, WeightedSample};

/// Confidence interval: its two ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConfidenceInterval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// One seed for everything: the same evidence gives the same interval, digit for digit.
pub(super) const SEED: u64 = 0x0EB5_AD71;
/// Number of resamples of a short series.
const MAX_RESAMPLES: usize = 1000;
/// Maximum number of samples drawn: bounds the time for a long series, where the interval is narrow anyway.
const MAX_DRAWS: usize = 5_000_000;
/// Minimum number of resamples that still give a 2.5 % tail.
const MIN_RESAMPLES: usize = 200;

impl Distribution<'_> {
    /// The 95 % interval of the quantile `p`, by percentiles of the resampled quantiles; `None` for no samples.
    ///
    /// Blocks are n^(1/3) samples long, the order that is best for a distribution's estimate (Hall, Horowitz & Jing 1995,
    /// Biometrika 82:561), and at least five, so that the neighbouring seconds of one checkpoint burst stay together.
    pub fn interval(&self, p: f64) -> Option<ConfidenceInterval> {
        let n = self.samples.len();
        if n == 0 {
            return None;
        }
        let (block, resamples) = (block_length(n), resamples(n));
        let mut random = Pcg64::seed_from_u64(SEED);
        let mut resample = Resample::new(&self.samples);
        let mut quantiles: Vec<f64> = Vec::with_capacity(resamples);
        for _ in 0..resamples {
            self.pause.now();
            let total = resample.draw(block, &mut random);
            quantiles.extend(self.quantile_of_drawn(&resample.drawn, (1.0 - p) * total + 1e-9 * total));
        }
        quantiles.sort_unstable_by(f64::total_cmp);
        let at = |share: f64| quantiles.get(((quantiles.len() - 1) as f64 * share).round() as usize).copied();
        Some(ConfidenceInterval { low: at(0.025)?, high: at(0.975)? })
    }

    /// The smallest drawn value above which no more than `allowed` seconds lie. From the top, because that is near for the
    /// high quantiles that are needed.
    fn quantile_of_drawn(&self, drawn: &[u32], allowed: f64) -> Option<f64> {
        let (mut above, mut quantile) = (0.0, None);
        for index in self.indexes.iter().rev().map(|&index| index as usize).filter(|&index| drawn[index] > 0) {
            if above > allowed {
                break;
            }
            quantile = Some(self.samples[index].value);
            above += f64::from(drawn[index]) * self.samples[index].seconds;
        }
        quantile
    }
}

/// 95 % interval of the quantile `p`; see [`Distribution::interval`].
pub fn quantile_interval(samples: &[WeightedSample], p: f64) -> Option<ConfidenceInterval> {
    Distribution::new(samples).interval(p)
}

/// Samples in a block, of a series of `n`.
pub(super) fn block_length(n: usize) -> usize {
    (n as f64).cbrt().ceil().max(5.0).min(n as f64) as usize
}

/// Resamples of a series of `n`, which is not empty.
pub(super) fn resamples(n: usize) -> usize {
    (MAX_DRAWS / n).clamp(MIN_RESAMPLES, MAX_RESAMPLES)
}

/// A resample by counting instead of copying: it then needs no sorting.
struct Resample {
    /// Seconds before each sample, and of all.
    seconds: Vec<f64>,
    /// Blocks begun and ended at each place; their running sum is how many blocks hold it. A block past the end is one at each end.
    edges: Vec<i32>,
    /// Number of times that each sample was drawn.
    drawn: Vec<u32>,
}

impl Resample {
    fn new(samples: &[WeightedSample]) -> Resample {
        let running = samples.iter().scan(0.0, |sum, sample| {
            *sum += sample.seconds;
            Some(*sum)
        });
        let seconds = std::iter::once(0.0).chain(running).collect();
        Resample { seconds, edges: vec![0; samples.len() + 1], drawn: vec![0; samples.len()] }
    }

    /// Draws blocks until as many samples are drawn as there are; the seconds of all of them.
    fn draw(&mut self, block: usize, random: &mut Pcg64) -> f64 {
        let n = self.drawn.len();
        self.edges.fill(0);
        let (mut left, mut seconds) = (n, 0.0);
        while left > 0 {
            let start = below(random, n);
            let length = block.min(left);
            let (end, past_end) = ((start + length).min(n), (start + length).saturating_sub(n));
            for (start, end) in [(start, end), (0, past_end)] {
                self.edges[start] += 1;
                self.edges[end] -= 1;
                seconds += self.seconds[end] - self.seconds[start];
            }
            left -= length;
        }
        let mut open = 0;
        for (edge, count) in self.edges.iter().zip(&mut self.drawn) {
            open += edge;
            *count = open.unsigned_abs();
        }
        seconds
    }
}

/// A number in `0..bound`. The bias of the multiplication method is below bound / 2^64.
pub(super) fn below(random: &mut Pcg64, bound: usize) -> usize {
    ((u128::from(random.next_u64()) * bound as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quantile;

    /// A first-order autoregressive series: what follows resembles what came before, as load does.
    fn series(n: usize, seed: u64) -> Vec<WeightedSample> {
        let mut random = Pcg64::seed_from_u64(seed);
        let mut level = 0.0;
        let mut next = || {
            let uniform = random.next_u64() as f64 / u64::MAX as f64;
            level = 0.6 * level + uniform;
            WeightedSample { value: level, seconds: 1.0 }
        };
        (0..n).map(|_| next()).collect()
    }

    #[test]
    fn the_interval_holds_the_quantile_and_is_the_same_each_time() {
        let samples = series(600, 1);
        let interval = quantile_interval(&samples, 0.95).unwrap();
        let observed = quantile(&samples, 0.95).unwrap();
        assert!(interval.low <= observed && observed <= interval.high);
        assert!(interval.low < interval.high);
        assert_eq!(quantile_interval(&samples, 0.95), Some(interval));
        assert_eq!(quantile_interval(&[], 0.95), None);
    }

    /// Each sample is drawn 2,000 times in 2,000 resamples on average, the first and the last, too.
    #[test]
    fn no_place_in_the_series_counts_for_less() {
        let samples = vec![WeightedSample { value: 1.0, seconds: 1.0 }; 300];
        let (mut resample, mut random) = (Resample::new(&samples), Pcg64::seed_from_u64(SEED));
        let mut drawn = [0; 3];
        for _ in 0..2_000 {
            assert_eq!(resample.draw(block_length(300), &mut random), 300.0);
            drawn.iter_mut().zip([0, 150, 299]).for_each(|(sum, at)| *sum += resample.drawn[at]);
        }
        assert!(drawn.iter().all(|drawn| (1_800..2_200).contains(drawn)), "{drawn:?}");
    }

    #[test]
    fn the_interval_of_the_median_covers_the_truth_about_as_often_as_it_says() {
        let truth = quantile(&series(200_000, 99), 0.5).unwrap();
        let covers = |seed| {
            let interval = quantile_interval(&series(300, seed), 0.5).unwrap();
            interval.low <= truth && truth <= interval.high
        };
        let covered = (1000..1200).filter(|&seed| covers(seed)).count();
        assert!(covered >= 176, "{covered} of 200 intervals hold the true median");
    }

    #[test]
    fn a_longer_series_gives_a_narrower_interval() {
        let width = |n| quantile_interval(&series(n, 7), 0.9).map(|i| i.high - i.low).unwrap();
        assert!(width(10_000) < width(100));
    }
}
