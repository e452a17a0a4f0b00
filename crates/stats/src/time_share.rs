//! The interval of a share of time, by the same circular block bootstrap as quantiles ([`super::bootstrap`]).
//!
//! The resamples are drawn once, so that every share of the same series is judged by the same ones: of two series of which
//! the one is never longer than the other in any sample, the one never has the higher end.

use std::cell::RefCell;
use std::rc::Rc;

use rand_core::SeedableRng;
use rand_pcg::Pcg64;

use super::bootstrap::{SEED, below, block_length, resamples};

/// Part of a sample's time: its index, and nanoseconds. Whole numbers, so that sums do not depend on their order.
pub type Part = (u32, u64);

/// The resamples of a series.
#[derive(Clone, Debug)]
pub struct Shares {
    draws: Rc<Draws>,
    total_ns: u64,
    /// Nanoseconds in each resample.
    lengths: Vec<u64>,
}

/// Draws of so many samples, whatever their lengths are.
#[derive(Debug)]
struct Draws {
    samples: usize,
    resamples: usize,
    /// The blocks of all resamples but the last of each, which is shorter; and those.
    blocks: [Blocks; 2],
}

/// Blocks of one length, in the order of where they begin: a share that is zero nearly everywhere then looks only at the
/// few that are not.
#[derive(Debug)]
struct Blocks {
    length: usize,
    /// Number of blocks that begin before each sample.
    before: Vec<u32>,
    /// Index of the resample that each block belongs to.
    resamples: Vec<u16>,
}

/// Most samples of which the draws are kept, half a megabyte: a month of minutes. Volumes of a fleet have as many as each other.
const MAX_KEPT: usize = 45_000;

thread_local! {
    /// The last draws: all of one number of samples are the same.
    static LAST: RefCell<Option<Rc<Draws>>> = const { RefCell::new(None) };
}

impl Draws {
    /// Draws of this number of samples.
    fn find(samples: usize) -> Rc<Draws> {
        let last = LAST.with_borrow(|last| last.clone().filter(|last| last.samples == samples));
        last.unwrap_or_else(|| {
            let draws = Rc::new(Draws::new(samples));
            if samples <= MAX_KEPT {
                LAST.set(Some(Rc::clone(&draws)));
            }
            draws
        })
    }

    fn new(samples: usize) -> Draws {
        let (block, count) = if samples > 0 { (block_length(samples), resamples(samples)) } else { (1, 0) };
        let each = samples.div_ceil(block).saturating_sub(1);
        let mut random = Pcg64::seed_from_u64(SEED);
        let (mut whole, mut last) = (Vec::with_capacity(count * each), Vec::with_capacity(count));
        for _ in 0..count {
            let mut draw = || below(&mut random, samples) as u32;
            whole.extend((0..each).map(|_| draw()));
            last.push(draw());
        }
        let blocks =
            [Blocks::new(block, samples, &whole, each), Blocks::new(samples - each * block, samples, &last, 1)];
        Draws { samples, resamples: count, blocks }
    }

    /// Sums up the parts in each resample, nanoseconds.
    fn sums(&self, parts: &[Part]) -> Vec<u64> {
        let mut sums = vec![0; self.resamples];
        for blocks in &self.blocks {
            blocks.add(parts, self.samples, &mut sums);
        }
        sums
    }
}

impl Shares {
    /// The resamples of samples with these lengths, in seconds.
    pub fn new(seconds: impl Iterator<Item = f64>) -> Shares {
        let all: Vec<Part> = (0..).zip(seconds.map(nanoseconds)).collect();
        let draws = Draws::find(all.len());
        Shares { total_ns: all.iter().map(|part| part.1).sum(), lengths: draws.sums(&all), draws }
    }

    /// The share of all time.
    pub fn observed(&self, parts: &[Part]) -> f64 {
        let whole = parts.iter().map(|part| part.1).sum();
        share(whole, self.total_ns)
    }

    /// The upper end of the 95 % interval of the share; never below the share itself.
    pub fn high(&self, parts: &[Part]) -> f64 {
        let observed = self.observed(parts);
        // Of none and of all of the time every resample has the same share.
        if observed <= 0.0 || observed >= 1.0 || self.lengths.is_empty() {
            return observed;
        }
        let sums = self.draws.sums(parts);
        let mut shares: Vec<f64> = sums.iter().zip(&self.lengths).map(|(&sum, &of)| share(sum, of)).collect();
        let rank = self.rank();
        observed.max(*shares.select_nth_unstable_by(rank, f64::total_cmp).1)
    }

    /// Returns true if [`Self::high`] is at most `most`.
    pub fn within(&self, parts: &[Part], most: f64) -> bool {
        let observed = self.observed(parts);
        if observed > most || observed <= 0.0 || self.lengths.is_empty() {
            return observed <= most;
        }
        let above =
            self.draws.sums(parts).iter().zip(&self.lengths).filter(|&(&sum, &of)| share(sum, of) > most).count();
        above < self.lengths.len() - self.rank()
    }

    /// The place of the 97.5 % quantile among the resamples, from 0.
    fn rank(&self) -> usize {
        ((self.lengths.len() - 1) as f64 * 0.975).round() as usize
    }
}

impl Blocks {
    /// Blocks that begin at these samples, so many of each resample after those of the one before it.
    fn new(length: usize, samples: usize, starts: &[u32], each: usize) -> Blocks {
        let mut before = vec![0u32; samples + 2];
        for start in starts {
            before[*start as usize + 2] += 1;
        }
        for index in 2..before.len() {
            before[index] += before[index - 1];
        }
        // Counting sort: before[start + 1] is where the next block of this start goes, and ends as where those of start + 1
        // begin.
        let mut resamples = vec![0; starts.len()];
        for (resample, starts) in (0u16..).zip(starts.chunks(each.max(1))) {
            for start in starts {
                let next = &mut before[*start as usize + 1];
                resamples[*next as usize] = resample;
                *next += 1;
            }
        }
        Blocks { length, before, resamples }
    }

    /// Adds to each resample what its blocks hold of the parts.
    fn add(&self, parts: &[Part], samples: usize, sums: &mut [u64]) {
        // The first part follows the last one.
        let part = |at: usize| match parts.get(at) {
            Some(part) => Some((part.0 as usize, part.1)),
            None => parts.get(at - parts.len()).map(|part| (samples + part.0 as usize, part.1)),
        };
        let (mut start, mut entered, mut left, mut inside) = (0, 0, 0, 0u64);
        while start < samples {
            while let Some((_, ns)) = part(left).filter(|(index, _)| left < entered && *index < start) {
                inside -= ns;
                left += 1;
            }
            while let Some((_, ns)) = part(entered).filter(|(index, _)| *index < start + self.length) {
                inside += ns;
                entered += 1;
            }
            // The first block that holds the next part.
            let enters = part(entered).map_or(samples, |(index, _)| index + 1 - self.length);
            if left == entered {
                start = enters;
                continue;
            }
            // The same parts are inside until the first of them leaves, or the next one enters.
            let leaves = part(left).map_or(samples, |(index, _)| index + 1);
            let end = leaves.min(enters).min(samples);
            for &resample in &self.resamples[self.before[start] as usize..self.before[end] as usize] {
                sums[usize::from(resample)] += inside;
            }
            start = end;
        }
    }
}

/// Whole nanoseconds, rounded down.
pub fn nanoseconds(seconds: f64) -> u64 {
    (seconds * 1e9) as u64
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{WeightedSample, quantile_interval};
    use proptest::prelude::*;

    fn whole(indexes: impl Iterator<Item = u32>) -> Vec<Part> {
        indexes.map(|index| (index, 1_000_000_000)).collect()
    }

    /// A share of which the interval of a quantile tells: if the upper end is at most 5 %, then the upper end of the 95th
    /// percentile of the indicator is 0, drawn with the same seed.
    #[test]
    fn it_draws_what_quantiles_draw() {
        for every in 15..30 {
            let shares = Shares::new((0..900).map(|_| 1.0));
            let parts = whole((0..900).filter(|index: &u32| index.is_multiple_of(every)));
            let value =
                |index: u32| WeightedSample { value: f64::from(u8::from(index.is_multiple_of(every))), seconds: 1.0 };
            let samples: Vec<WeightedSample> = (0..900).map(value).collect();
            let high = quantile_interval(&samples, 0.95).unwrap().high;
            assert_eq!(high == 0.0, shares.within(&parts, 0.05), "{every}");
        }
    }

    #[test]
    fn the_ends_of_a_share() {
        let shares = Shares::new((0..1_000).map(|_| 1.0));
        assert_eq!((shares.high(&[]), shares.high(&whole(0..1_000))), (0.0, 1.0));
        let tenth = whole((0..1_000).filter(|index| index % 100 < 10));
        assert_eq!(shares.observed(&tenth), 0.1);
        // Ten seconds in a row in each hundred: the standard error of so many blocks is some 3 %.
        let high = shares.high(&tenth);
        assert!((0.13..0.22).contains(&high), "{high}");
        assert_eq!(Shares::new(std::iter::empty()).high(&[]), 0.0);
    }

    proptest! {
        #[test]
        fn longer_waits_never_have_a_lower_end(waits in prop::collection::vec((0u64..1_000_000_000, 0u64..3), 1..200)) {
            let shares = Shares::new(waits.iter().map(|_| 1.0));
            let parts = |less: u64| -> Vec<Part> {
                (0..).zip(&waits).map(|(index, (ns, cut))| (index, ns - ns / 3 * (cut * less).min(3))).collect()
            };
            prop_assert!(shares.high(&parts(1)) <= shares.high(&parts(0)));
            let high = shares.high(&parts(0));
            prop_assert!(shares.within(&parts(0), high) && !shares.within(&parts(0), high * 0.999 - 1e-9));
        }
    }
}
