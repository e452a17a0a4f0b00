//! Two separated modes in a histogram of latencies: requests that were served in two ways.

use ebs_samples::evidence::Bin;

/// Requests of a valley, as a share of the lower of the two peaks beside it, are below this.
const MAX_VALLEY: f64 = 0.5;

/// Fewest requests on either side of the valley: a peak of so many varies by a tenth by chance, far less than the depth of a
/// valley.
const MIN_REQUESTS: f64 = 100.0;

/// Smallest share of all requests on either side: a smaller one is a tail and no mode.
const MIN_SHARE: f64 = 0.01;

/// Two modes and the valley between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Modes {
    /// The bucket of the faster peak, and the share of all requests on its side.
    pub fast: (Bin, f64),
    /// The bucket of the slower peak, and the share of all requests on its side.
    pub slow: (Bin, f64),
    /// Requests in the valley, as a share of the lower peak.
    pub valley: f64,
}

/// The deepest valley between two peaks, if there is one: a bucket with less than half the requests of the lower of the
/// largest buckets on its two sides, each side having at least 100 requests and 1 % of all. `None` with one mode, or
/// too few requests to tell.
pub fn two_modes(buckets: &[Bin]) -> Option<Modes> {
    let buckets = fill_gaps(buckets);
    let all: f64 = buckets.iter().map(|bucket| bucket.count as f64).sum();
    let least = MIN_REQUESTS.max(MIN_SHARE * all);
    let split = |at: usize| {
        let (fast, slow) = (&buckets[..at], &buckets[at + 1..]);
        let mass = |side: &[Bin]| side.iter().map(|bucket| bucket.count as f64).sum::<f64>();
        if mass(fast) < least || mass(slow) < least {
            return None;
        }
        let peak = |side: &[Bin]| side.iter().copied().max_by_key(|bucket| bucket.count);
        let (high, low) = (peak(fast)?, peak(slow)?);
        let valley = buckets[at].count as f64 / high.count.min(low.count) as f64;
        let modes = Modes { fast: (high, mass(fast) / all), slow: (low, mass(slow) / all), valley };
        (valley < MAX_VALLEY).then_some(modes)
    };
    (0..buckets.len()).filter_map(split).min_by(|a, b| a.valley.total_cmp(&b.valley))
}

/// Adds an empty bucket wherever buckets do not touch, as empty ones are not listed.
fn fill_gaps(buckets: &[Bin]) -> Vec<Bin> {
    let mut filled: Vec<Bin> = Vec::with_capacity(2 * buckets.len());
    for bucket in buckets {
        if let Some(end) = filled.last().and_then(|last| last.upper_us).filter(|end| *end < bucket.lower_us) {
            filled.push(Bin { lower_us: end, upper_us: Some(bucket.lower_us), count: 0 });
        }
        filled.push(*bucket);
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn histogram(counts: &[u64]) -> Vec<Bin> {
        let bucket = |(place, &count): (u32, &u64)| Bin { lower_us: 1 << place, upper_us: Some(2 << place), count };
        (0..).zip(counts).map(bucket).filter(|bucket| bucket.count > 0).collect()
    }

    #[test]
    fn two_peaks_with_a_valley_between_them() {
        let modes = two_modes(&histogram(&[10, 600, 90, 0, 0, 50, 250])).unwrap();
        assert_eq!((modes.fast.0.lower_us, modes.slow.0.lower_us, modes.valley), (2, 64, 0.0));
        assert_eq!((modes.fast.1, modes.slow.1), (0.7, 0.3));
        assert!(two_modes(&histogram(&[600, 260, 500])).is_none(), "more than half of the lower peak");
        assert!(two_modes(&histogram(&[600, 240, 500])).is_some());
    }

    #[test]
    fn a_tail_is_no_mode_and_few_requests_tell_nothing() {
        assert!(two_modes(&histogram(&[100_000, 10, 0, 900])).is_none(), "0.9 % of all");
        assert!(two_modes(&histogram(&[90, 0, 90])).is_none(), "under 100");
        assert!(two_modes(&[]).is_none());
    }

    proptest! {
        #[test]
        fn one_hill_is_never_two(mut counts in prop::collection::vec(0u64..100_000, 1..20), top in 0usize..20) {
            let top = top.min(counts.len());
            counts[..top].sort_unstable();
            counts[top..].sort_unstable_by(|a, b| b.cmp(a));
            prop_assert_eq!(two_modes(&histogram(&counts)), None);
        }

        #[test]
        fn shares_and_the_valley_add_up(counts in prop::collection::vec(0u64..100_000, 0..20)) {
            if let Some(modes) = two_modes(&histogram(&counts)) {
                prop_assert!(modes.fast.1 + modes.slow.1 <= 1.0 + 1e-9);
                prop_assert!(modes.fast.0.lower_us < modes.slow.0.lower_us && modes.valley < MAX_VALLEY);
            }
        }
    }
}
