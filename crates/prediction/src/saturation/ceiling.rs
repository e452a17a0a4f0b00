//! A ceiling: many seconds within a narrow band, and next to none above it.
//!
//! The width is measured by the index of dispersion, the variance of a count by its mean. For arrivals at random it is one
//! (Poisson; Cox and Lewis, "The statistical analysis of series of events", 1966, section 4.5), for what sessions do
//! mostly more, since checkpoints and queries come in bursts; for a full token bucket it is next to nothing. At most a
//! quarter is asked for: half of the deviation that random arrivals have, 1 / √requests of the rate. Above 2,500 requests
//! a second that is less than 1 %, which is as even as a limit can be seen to be through merged requests and
//! through clocks; arrivals at random are so even too there, and [`super::queue`] alone decides.

use super::second::{Second, Seconds};
use ebs_base::pause::Pause;
use ebs_stats::{Distribution, WeightedSample, ascending_quantile, pausing_quantile, total_seconds};

/// A rate that many seconds reach and next to none exceeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ceiling {
    /// The rate, a second.
    pub level: f64,
    /// Relative spread of the rates near it: median absolute deviation, scaled to a standard deviation.
    pub spread: f64,
}

/// Least time in the band: as a share, and in seconds.
pub(super) const MIN_SHARE: f64 = 0.1;
pub(super) const MIN_SECONDS: f64 = 20.0;

/// Half of the band, as a share of the level.
const BAND: f64 = 0.025;

/// Distance below the level, as a share, in which the spread is measured: a rate without a limit would have many seconds there.
const NEAR: f64 = 0.1;

/// Most seconds above the band, as a share of those in it: credits that a bucket saved at low demand, or during a stall.
const MAX_ABOVE: f64 = 0.25;

/// Shares of the time above which a ceiling is sought: as many seconds may lie above one as [`MAX_ABOVE`] allows, a fifth of all, and one
/// that is as wide as [`MIN_SHARE`] contains one of the rates.
const TOP_SHARES: [f64; 4] = [MIN_SHARE / 2.0, 0.1, 0.15, 0.2];

/// Largest spread, as a share of that of random arrivals.
const MAX_EVENNESS: f64 = 0.5;

/// Spread that the measurement of a limit always has.
const MIN_EVENNESS: f64 = 0.01;

/// Ratio of the standard deviation to the median absolute deviation, for a normal distribution.
const MAD_TO_DEVIATION: f64 = 1.4826;

impl Ceiling {
    /// Finds the ceiling of these seconds by their rates, the highest if there are several; `None` where there is none.
    pub fn find(seconds: Seconds) -> Option<Ceiling> {
        let tops = TOP_SHARES.into_iter().filter_map(|above| seconds.by_rate.quantile(1.0 - above));
        tops.filter(|top| *top > 0.0).find_map(|top| Ceiling::near(top, seconds))
    }

    /// The ceiling near a rate that few seconds exceed.
    fn near(top: f64, seconds: Seconds) -> Option<Ceiling> {
        let by_rate = seconds.by_rate;
        let first = by_rate.quantile_from(top * (1.0 - 2.0 * BAND), 0.5)?;
        let level = by_rate.quantile_from(first * (1.0 - BAND), 0.5)?;
        let least = level * (1.0 - NEAR);
        let near = (by_rate.at_least(least), by_rate.seconds_from(least));
        let ceiling = Ceiling { level, spread: spread_of_ascending(near, level)? };
        (ceiling.is_reached(by_rate) && ceiling.is_even(seconds)).then_some(ceiling)
    }

    /// True where the spread is at most [`MIN_EVENNESS`], or [`MAX_EVENNESS`] of that of random arrivals; false without requests.
    fn is_even(&self, seconds: Seconds) -> bool {
        let mut near = seconds.within(self.band());
        if self.spread <= MIN_EVENNESS {
            return near.any(|second| second.requests() > 0.0);
        }
        at_random(near).is_some_and(|deviation| self.spread <= MAX_EVENNESS * deviation)
    }

    /// True where enough of the time is at it, and little above.
    fn is_reached(&self, by_rate: &Distribution) -> bool {
        // Added one by one: of a difference of sums the last digits depend on all that is below.
        let from_band = by_rate.at_least(self.band().0);
        let past_band = from_band.partition_point(|rate| rate.value <= self.band().1);
        let [in_band, above] = [&from_band[..past_band], &from_band[past_band..]].map(total_seconds);
        let is_wide = in_band >= MIN_SECONDS && in_band >= MIN_SHARE * by_rate.seconds();
        is_wide && above <= MAX_ABOVE * in_band
    }

    /// Rates that are at it, from and to.
    pub fn band(&self) -> (f64, f64) {
        (self.level * (1.0 - BAND), self.level * (1.0 + BAND))
    }
}

/// The deviation that as many requests as in these seconds would have at random, as a share.
fn at_random<'a>(seconds: impl Iterator<Item = Second<'a>>) -> Option<f64> {
    let (mut requests, mut number) = (0.0, 0.0);
    for second in seconds {
        requests += second.requests();
        number += 1.0;
    }
    let each: f64 = requests / number;
    (each > 0.0).then(|| 1.0 / each.sqrt())
}

/// [`spread`] of ascending rates, of so many seconds: the nearest to the middle lie on both sides of it.
fn spread_of_ascending((rates, seconds): (&[WeightedSample], f64), middle: f64) -> Option<f64> {
    let away = |rate: &WeightedSample| WeightedSample { value: (rate.value / middle - 1.0).abs(), ..*rate };
    let (below, above) = rates.split_at(rates.partition_point(|rate| rate.value < middle));
    let (mut below, mut above) = (below.iter().rev().map(away).peekable(), above.iter().map(away).peekable());
    let nearest = std::iter::from_fn(|| match (below.peek(), above.peek()) {
        (Some(lower), Some(higher)) if lower.value < higher.value => below.next(),
        (_, Some(_)) => above.next(),
        _ => below.next(),
    });
    Some(MAD_TO_DEVIATION * ascending_quantile(nearest, seconds, 0.5)?)
}

/// Relative spread of values about `middle`: median absolute deviation, scaled to a standard deviation.
pub(super) fn spread(values: &[WeightedSample], middle: f64, pause: Pause) -> Option<f64> {
    let away = |value: &WeightedSample| WeightedSample { value: (value.value / middle - 1.0).abs(), ..*value };
    let away: Vec<WeightedSample> = values.iter().map(away).collect();
    Some(MAD_TO_DEVIATION * pausing_quantile(away, 0.5, pause)?)
}
