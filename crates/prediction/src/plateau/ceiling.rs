//! A ceiling: many seconds within a narrow band, and next to none above it.
//!
//! How narrow is measured by the index of dispersion, the variance of a count by its mean. For arrivals at random it is one
//! (Poisson; Cox and Lewis, "The statistical analysis of series of events", 1966, section 4.5), for what sessions do
//! mostly more, since checkpoints and queries come in bursts; for a full token bucket it is next to nothing. At most a
//! quarter is asked for: half of the deviation that random arrivals have, 1 / √requests of the rate. Above 2,500 requests
//! a second that is less than 1 %, which is as even as a limit can be seen to be through merged requests and
//! through clocks; arrivals at random are so even too there, and [`super::queue`] alone decides.

use super::second::Second;
use ebs_base::pause::Pause;
use ebs_stats::{Sample, pausing_quantile};

/// Seconds at a ceiling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ceiling {
    /// Their rate.
    pub level: f64,
    /// Relative spread of the rates near it: median absolute deviation, scaled to a standard deviation.
    pub spread: f64,
}

/// Share of seconds that must lie in the band, and seconds.
const LEAST_SHARE: f64 = 0.1;
const LEAST_SECONDS: f64 = 20.0;

/// Half of the band, as a share of the level.
const BAND: f64 = 0.025;

/// So much below the level is near it: were a rate free, many seconds would lie there.
const NEAR: f64 = 0.1;

/// Seconds above the band, of those in it: what a bucket saved up while little was asked.
const ABOVE: f64 = 0.25;

/// Of the deviation of arrivals at random.
const EVENNESS: f64 = 0.5;

/// As even as a limit can be seen to be.
const EVENNESS_LEAST: f64 = 0.01;

/// From the median of absolute deviations to the standard deviation, for a normal distribution.
const NORMAL: f64 = 1.4826;

impl Ceiling {
    /// `None` where there is none.
    pub fn find(seconds: &[Second], pause: Pause) -> Option<Ceiling> {
        let quantile = |samples: &[Sample], p: f64| pausing_quantile(samples, p, pause);
        let rates: Vec<Sample> = seconds.iter().map(|s| Sample { value: s.rate, seconds: s.seconds }).collect();
        let top = quantile(&rates, 1.0 - LEAST_SHARE / 2.0).filter(|top| *top > 0.0)?;
        let above = |least: f64| rates.iter().copied().filter(|rate| rate.value >= least).collect::<Vec<_>>();
        let first = quantile(&above(top * (1.0 - 2.0 * BAND)), 0.5)?;
        let level = quantile(&above(first * (1.0 - BAND)), 0.5)?;
        let ceiling = Ceiling { level, spread: spread(&above(level * (1.0 - NEAR)), level, pause)? };
        let (from, to) = ceiling.band();
        let length = |of: &dyn Fn(f64) -> bool| -> f64 {
            pause.each(&rates).filter(|rate| of(rate.value)).map(|rate| rate.seconds).sum()
        };
        let (all, held) = (length(&|_| true), length(&|rate| (from..=to).contains(&rate)));
        let wide = held >= LEAST_SECONDS && held >= LEAST_SHARE * all;
        let closed = length(&|rate| rate > to) <= ABOVE * held;
        let at_random = at_random(seconds, from, to)?;
        (wide && closed && ceiling.spread <= (EVENNESS * at_random).max(EVENNESS_LEAST)).then_some(ceiling)
    }

    /// Rates that are at it, from and to.
    pub fn band(&self) -> (f64, f64) {
        (self.level * (1.0 - BAND), self.level * (1.0 + BAND))
    }
}

/// The deviation that as many requests would have at random, as a share.
fn at_random(seconds: &[Second], from: f64, to: f64) -> Option<f64> {
    let held = || seconds.iter().filter(|second| (from..=to).contains(&second.rate));
    let each = held().map(|second| second.requests).sum::<f64>() / held().count() as f64;
    (each > 0.0).then(|| 1.0 / each.sqrt())
}

/// Relative spread of values about `middle`: median absolute deviation, scaled to a standard deviation.
pub(super) fn spread(values: &[Sample], middle: f64, pause: Pause) -> Option<f64> {
    let away = |value: &Sample| Sample { value: (value.value / middle - 1.0).abs(), ..*value };
    let away: Vec<Sample> = values.iter().map(away).collect();
    Some(NORMAL * pausing_quantile(&away, 0.5, pause)?)
}
