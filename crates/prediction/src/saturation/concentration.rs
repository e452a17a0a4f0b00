//! Concentration of the seconds at a known limit, whatever the latency of their requests.
//!
//! A token bucket holds the rate at exactly its limit: the seconds lie there, and not beside it. The sessions of a short closed loop then
//! wait little longer than the volume takes by itself, less than published latencies differ, so that no queue shows it; but beyond the
//! declared limit there is nothing to be had for them.

use super::ceiling::{MIN_SECONDS, MIN_SHARE};
use super::flat::FLAT;
use super::matches::long_ramp;
use super::second::Second;
use ebs_base::ramp::ramp;

/// Largest rate over its limit: EBS delivers up to 7 % more than nominal (3,212 of 3,000 IOPS of a gp3 on m6i.large in August 2026; others are
/// in docs/advice.md), and 1 % as of a flat rate.
const MAX_OVER: f64 = 0.08;

/// Shares of the time at a limit from which on it explains the seconds, and from which on it is sure to. From 95 % on; EBS itself promises
/// its limit 99 % of the time. A choice: it begins 5 points below, without a step.
const SUSTAINED: [f64; 2] = [0.9, 0.95];

/// Degree to which the seconds are held at a limit, 0 to 1.
///
/// Nearly all of them lie within 1 % of it, or up to what is delivered above it. Or more lie within 1 % than in the two bands beside it,
/// 1 to 2 % away and together as wide: a rate without a limit is as often in the one as in the other. A limit cuts off above it, so that the
/// upper of the two counts doubled where it has more seconds than the lower. What lies within 1 % more is the share of the seconds that the
/// limit explains. The mean of a group of downsampled seconds is none of these: it may hide 5 %.
///
/// `near` are the seconds of [`band`], of `all_s` together.
pub(super) fn concentration<'a>(near: impl Iterator<Item = Second<'a>>, level: f64, all_s: f64) -> f64 {
    let (mut within, mut sustained, mut above, mut below) = (0.0, 0.0, 0.0, 0.0);
    for second in near.filter(|second| !second.interval.is_grouped) {
        let over = second.rate / level - 1.0;
        let add = |sum: &mut f64, is_counted: bool| *sum += if is_counted { second.interval.seconds } else { 0.0 };
        if (-2.0 * FLAT..=MAX_OVER).contains(&over) {
            add(&mut within, over.abs() <= FLAT);
            add(&mut sustained, over >= -FLAT);
            add(&mut above, over > FLAT && over <= 2.0 * FLAT);
            add(&mut below, over < -FLAT);
        }
    }
    let beside = (above + below).max(2.0 * above);
    let excess = if within > 0.0 { (1.0 - beside / within).max(0.0) } else { 0.0 };
    let is_long = long_ramp(within / MIN_SECONDS.max(MIN_SHARE * all_s));
    let sustained_long = if sustained >= MIN_SECONDS { ramp(sustained / all_s, SUSTAINED) } else { 0.0 };
    sustained_long.max(excess * is_long)
}

/// Rates that count for a limit, with some more for rounding.
pub(super) fn band(level: f64) -> (f64, f64) {
    (level * (1.0 - 3.0 * FLAT), level * (1.0 + MAX_OVER + FLAT))
}

#[cfg(test)]
#[path = "concentration_tests.rs"]
mod tests;
