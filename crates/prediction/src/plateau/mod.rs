//! Saturation: detects that a run was at the limit of its volume, and so shows the limit in place of the demand.
//!
//! A limit is a token bucket. Of the rate and the latency of requests, it holds the rate constant and lets the latency grow
//! with the requests in flight; a volume below its limit does the reverse (Little's law binds the three: Little, "A proof
//! for the queuing formula L = λW", Operations Research 9(3), 1961, <https://doi.org/10.1287/opre.9.3.383>). So two things
//! are required: seconds that lie at a ceiling ([`ceiling`]), and requests that queue there ([`queue`]). A rate alone is no
//! evidence: a workload may be steady by itself, driven at a fixed rate, bound by the CPU, or one session that waits for
//! each answer.

mod ceiling;
mod evidence;
mod queue;
mod second;

use crate::predict::{Limited, Limits};
use ceiling::Ceiling;
use ebs_aws::catalogue::{Promise, VolumeType};
use ebs_base::pause::Pause;
use ebs_workload::demand::Demand;
pub use evidence::{Apart, Base, How, Known, Plateau, Whose};
use second::Second;

/// Fewest seconds at a limit that are one: a checkpoint's burst may fill as many by chance.
const LEAST_SECONDS: f64 = 10.0;

/// Least share of seconds at a known limit: what is less does not reach a 99th percentile.
const LEAST_SHARE: f64 = 0.01;

/// Relative distance from a known limit that still counts as being at it.
const NEAR: f64 = 0.05;

/// The limit that the volume with this demand was at, if it was at one.
///
/// A known limit: at least 1 % of the time and 10 s within 5 % of it or above, in which requests took longer than they do
/// by themselves. Otherwise see [`ceiling`] and [`queue`].
pub fn limited(demand: &Demand, known: &Known) -> Option<Plateau> {
    if !demand.timed {
        return None;
    }
    let of = |limited| Measured { limited, seconds: Second::from_demand(demand, limited), pause: demand.pause };
    let both = [of(Limited::Iops), of(Limited::Throughput)];
    let declared = both.iter().flat_map(|measured| measured.at_declared(known));
    let wider = |a: Plateau, b: Plateau| if b.seconds_share > a.seconds_share { b } else { a };
    declared.reduce(wider).or_else(|| {
        let inferred = both.iter().filter_map(|measured| measured.at_ceiling(known));
        // Requests of one size hold both rates; the limit is on the one that is held tighter.
        inferred.reduce(|a, b| if b.1 < a.1 { b } else { a }).map(|(plateau, _)| plateau)
    })
}

/// Seconds by one of the rates that are limited.
struct Measured {
    limited: Limited,
    seconds: Vec<Second>,
    pause: Pause,
}

impl Measured {
    fn at_declared<'a>(&'a self, known: &'a Known) -> impl Iterator<Item = Plateau> + 'a {
        let level = |(whose, limits): &(Whose, Limits)| Some((*whose, self.of_limits(limits)?));
        let levels: Vec<(Whose, f64)> = known.limits.iter().filter_map(level).collect();
        let most = levels.iter().map(|(_, level)| *level).fold(0.0, f64::max);
        levels.into_iter().filter_map(move |(whose, level)| {
            let to = if level < most { level * (1.0 + NEAR) } else { f64::INFINITY };
            let plateau = self.plateau(How::Declared, level, (level * (1.0 - NEAR), to), known.volume_type)?;
            let wide = plateau.seconds_share >= LEAST_SHARE;
            (wide && queue::waited(&plateau)).then_some(Plateau { whose, ..plateau })
        })
    }

    fn of_limits(&self, limits: &Limits) -> Option<f64> {
        match self.limited {
            Limited::Iops => limits.iops,
            Limited::Throughput => limits.bytes,
        }
        .filter(|level| *level > 0.0)
    }

    /// With how tightly the rate is held.
    fn at_ceiling(&self, known: &Known) -> Option<(Plateau, f64)> {
        let ceiling = Ceiling::find(&self.seconds, self.pause)?;
        let plateau = self.plateau(How::Inferred, ceiling.level, ceiling.band(), known.volume_type)?;
        let held = self.pause.each(&self.seconds).filter(|second| plateau.at(second));
        let spread = queue::spread(held, self.pause);
        queue::grew(&plateau, known, ceiling.spread, spread).then_some((plateau, ceiling.spread))
    }

    fn plateau(&self, how: How, level: f64, band: (f64, f64), volume_type: Option<VolumeType>) -> Option<Plateau> {
        let all = || self.pause.each(&self.seconds);
        let held = || all().filter(|second| (band.0..=band.1).contains(&second.rate));
        let sum = |of: &dyn Fn(&Second) -> f64| held().map(of).sum::<f64>();
        let (length, requests) = (sum(&|second| second.seconds), sum(&|second| second.requests));
        if length < LEAST_SECONDS || requests <= 0.0 {
            return None;
        }
        let promise: Option<&Promise> = volume_type.map(VolumeType::promise);
        Some(Plateau {
            limited: self.limited,
            level,
            band,
            seconds_share: length / all().map(|second| second.seconds).sum::<f64>(),
            requests_share: requests / all().map(|second| second.requests).sum::<f64>(),
            how,
            whose: Whose::Volume,
            latency_ms: sum(&|second| second.waited_ms) / requests,
            base: Base::from_seconds(
                (&self.seconds, self.pause),
                level,
                sum(&|second| second.bytes) / requests,
                promise,
            ),
            in_flight: sum(&|second| second.in_flight * second.seconds) / length,
        })
    }
}

#[cfg(test)]
#[path = "plateau_tests.rs"]
mod tests;
