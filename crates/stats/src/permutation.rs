//! Permutation test of the difference of two samples, without any assumption of their distribution: if they do not differ,
//! every way to deal the values out to the two sides was as likely as the observed one (Fisher 1935; Pitman 1937,
//! Supplement to the Journal of the Royal Statistical Society 4:119).

use rand_core::SeedableRng;
use rand_pcg::Pcg64;

use super::bootstrap::{SEED, below};

/// Result of a permutation test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Permutation {
    /// The two-sided p-value of the difference of means.
    pub p: f64,
    /// The smallest p-value that this many values can give: one way in C(n, k), or two where both sides have the same
    /// size, because each way with the sides swapped is as far apart.
    pub least: f64,
    /// True if all permutations were counted; if there are more than [`MAX_COUNTED`], a random part of them was drawn.
    pub exact: bool,
}

/// Maximum number of permutations that are all counted: nine against nine are 48,620.
pub const MAX_COUNTED: u64 = 50_000;
/// Number of permutations that are drawn where there are more.
const DRAWN: usize = 20_000;

/// The test of the difference of means; `None` where a side has fewer than two values.
pub fn permutation(a: &[f64], b: &[f64]) -> Option<Permutation> {
    if a.len() < 2 || b.len() < 2 {
        return None;
    }
    // In the order of their values, and dealt to the smaller side: so that the answer does not depend on which is called a.
    let mut pooled = [a, b].concat();
    pooled.sort_unstable_by(f64::total_cmp);
    let chosen = a.len().min(b.len());
    let deal = Deal::new(&pooled, chosen);
    let observed = (mean(a) - mean(b)).abs();
    let ways = binomial(pooled.len() as u64, chosen as u64);
    let exact = ways <= MAX_COUNTED;
    let p = if exact { deal.exact(observed) } else { deal.drawn(observed) };
    let least = if a.len() == b.len() { 2.0 } else { 1.0 } / ways as f64;
    Some(Permutation { p, least: if exact { least } else { 1.0 / (DRAWN + 1) as f64 }, exact })
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Binomial coefficient of n over k; the largest number where it is larger.
fn binomial(n: u64, k: u64) -> u64 {
    (0..k).try_fold(1u64, |ways, step| Some(ways.checked_mul(n - step)? / (step + 1))).unwrap_or(u64::MAX)
}

/// Values to be dealt out to two sides, `chosen` of them to the smaller one.
struct Deal<'a> {
    pooled: &'a [f64],
    chosen: usize,
    total: f64,
    /// Differences this close are ties: sums depend on their order in the last digits.
    tie: f64,
}

impl Deal<'_> {
    fn new(pooled: &[f64], chosen: usize) -> Deal<'_> {
        let largest = pooled.iter().fold(0.0f64, |most, value| most.max(value.abs()));
        Deal { pooled, chosen, total: pooled.iter().sum(), tie: 1e-12 * largest }
    }

    fn as_far(&self, sum: f64, observed: f64) -> bool {
        let rest = (self.pooled.len() - self.chosen) as f64;
        (sum / self.chosen as f64 - (self.total - sum) / rest).abs() >= observed - self.tie
    }

    /// Share of all permutations that are as far apart, in the order of their indexes.
    fn exact(&self, observed: f64) -> f64 {
        let n = self.pooled.len();
        let mut indexes: Vec<usize> = (0..self.chosen).collect();
        let (mut far, mut all) = (0u64, 0u64);
        loop {
            all += 1;
            let sum = indexes.iter().map(|&index| self.pooled[index]).sum();
            far += u64::from(self.as_far(sum, observed));
            let Some(place) = (0..self.chosen).rev().find(|&place| indexes[place] < n - self.chosen + place) else {
                return far as f64 / all as f64;
            };
            indexes[place] += 1;
            for next in place + 1..self.chosen {
                indexes[next] = indexes[next - 1] + 1;
            }
        }
    }

    /// Share of drawn permutations that are as far apart, the observed one among them (Phipson & Smyth 2010,
    /// <https://doi.org/10.2202/1544-6115.1585>).
    fn drawn(&self, observed: f64) -> f64 {
        let mut random = Pcg64::seed_from_u64(SEED);
        let mut values = self.pooled.to_vec();
        let mut far = 1u64;
        for _ in 0..DRAWN {
            let mut sum = 0.0;
            for place in 0..self.chosen {
                let other = place + below(&mut random, values.len() - place);
                values.swap(place, other);
                sum += values[place];
            }
            far += u64::from(self.as_far(sum, observed));
        }
        far as f64 / (DRAWN + 1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn three_against_three_cannot_go_below_a_tenth() {
        let found = permutation(&[1.0, 2.0, 3.0], &[11.0, 12.0, 13.0]).unwrap();
        assert_eq!((found.p, found.least, found.exact), (0.1, 0.1, true));
        let found = permutation(&[1.0, 2.0, 3.0, 4.0], &[11.0, 12.0, 13.0, 14.0]).unwrap();
        assert_eq!((found.p, found.least), (2.0 / 70.0, 2.0 / 70.0));
        assert_eq!(permutation(&[1.0], &[2.0, 3.0]), None);
    }

    /// Two of the ten permutations of 1, 2, 3, 4 and 9 are at least as far apart as 1 and 2 against 3, 4 and 9 (3.83): that one,
    /// and 4 and 9 against 1, 2 and 3 (4.5); 3 and 9 against 1, 2 and 4 are less (3.67).
    #[test]
    fn ways_are_counted() {
        assert_eq!(permutation(&[1.0, 2.0], &[3.0, 4.0, 9.0]).unwrap().p, 0.2);
        assert_eq!(permutation(&[5.0, 5.0], &[5.0, 5.0]).unwrap().p, 1.0);
    }

    #[test]
    fn many_ways_are_drawn_and_about_as_many_are_as_far() {
        let side = |shift: f64| -> Vec<f64> { (0..12).map(|n| f64::from(n * 7 % 12) + shift).collect() };
        let far = permutation(&side(0.0), &side(9.0)).unwrap();
        assert!(!far.exact && far.p < 0.001 && far.p >= far.least, "{far:?}");
        assert!(permutation(&side(0.0), &side(0.5)).unwrap().p > 0.5);
        assert_eq!(permutation(&side(0.0), &side(0.0)).unwrap().p, 1.0);
    }

    proptest! {
        #[test]
        fn it_turns_round(a in prop::collection::vec(-1e3f64..1e3, 2..7), b in prop::collection::vec(-1e3f64..1e3, 2..7)) {
            let there = permutation(&a, &b).unwrap();
            prop_assert_eq!(Some(there), permutation(&b, &a));
            prop_assert!(there.p > 0.0 && there.p <= 1.0);
        }
    }
}
