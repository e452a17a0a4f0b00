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

use crate::predict::{LimitKind, Limits};
use ceiling::Ceiling;
use ebs_aws::catalogue::{Characteristics, VolumeType};
use ebs_base::pause::Pause;
use ebs_workload::demand::Demand;
pub use evidence::{LimitOwner, LimitSource, MeasuredLatency, ReachedLimit, RunContext, UnqueuedLatency};
use second::Second;

/// Least time at a limit, seconds: a checkpoint's burst may fill less by chance.
const MIN_SECONDS: f64 = 10.0;

/// Least share of seconds at a known limit: a smaller one does not reach a 99th percentile.
const MIN_SHARE: f64 = 0.01;

/// Relative distance from a known limit that still counts as being at it.
const NEAR: f64 = 0.05;

/// The limit that the volume with this demand was at, if it was at one.
///
/// A known limit: at least 1 % of the time and 10 s within 5 % of it or above, in which requests took longer than they do
/// by themselves. Otherwise see [`ceiling`] and [`queue`].
pub fn detect_saturation(demand: &Demand, run: &RunContext) -> Option<ReachedLimit> {
    if !demand.timed {
        return None;
    }
    let of = |limited| Measured { limited, seconds: Second::from_demand(demand, limited), pause: demand.pause };
    let both = [of(LimitKind::Iops), of(LimitKind::Throughput)];
    let declared = both.iter().flat_map(|measured| measured.at_declared(run));
    let wider = |a: ReachedLimit, b: ReachedLimit| if b.seconds_share > a.seconds_share { b } else { a };
    declared.reduce(wider).or_else(|| {
        let inferred = both.iter().filter_map(|measured| measured.at_ceiling(run));
        // Requests of one size hold both rates; the limit is on the one that is held tighter.
        inferred.reduce(|a, b| if b.1 < a.1 { b } else { a }).map(|(limit, _)| limit)
    })
}

/// Seconds by one of the rates that are limited.
struct Measured {
    limited: LimitKind,
    seconds: Vec<Second>,
    pause: Pause,
}

impl Measured {
    fn at_declared<'a>(&'a self, run: &'a RunContext) -> impl Iterator<Item = ReachedLimit> + 'a {
        let level = |(owner, limits): &(LimitOwner, Limits)| Some((*owner, self.of_limits(limits)?));
        let levels: Vec<(LimitOwner, f64)> = run.limits.iter().filter_map(level).collect();
        let most = levels.iter().map(|(_, level)| *level).fold(0.0, f64::max);
        levels.into_iter().filter_map(move |(owner, level)| {
            let to = if level < most { level * (1.0 + NEAR) } else { f64::INFINITY };
            let limit = self.limit(LimitSource::Declared, level, (level * (1.0 - NEAR), to), run.volume_type)?;
            let wide = limit.seconds_share >= MIN_SHARE;
            (wide && queue::waits_at_known_limit(&limit)).then_some(ReachedLimit { owner, ..limit })
        })
    }

    fn of_limits(&self, limits: &Limits) -> Option<f64> {
        match self.limited {
            LimitKind::Iops => limits.iops,
            LimitKind::Throughput => limits.bytes,
        }
        .filter(|level| *level > 0.0)
    }

    /// The inferred limit, and the relative spread of the rate at it.
    fn at_ceiling(&self, run: &RunContext) -> Option<(ReachedLimit, f64)> {
        let ceiling = Ceiling::find(&self.seconds, self.pause)?;
        let limit = self.limit(LimitSource::Inferred, ceiling.level, ceiling.band(), run.volume_type)?;
        let in_band = self.pause.each(&self.seconds).filter(|second| limit.at(second));
        let spread = queue::spread(in_band, self.pause);
        queue::waits_at_ceiling(&limit, run, ceiling.spread, spread).then_some((limit, ceiling.spread))
    }

    fn limit(
        &self,
        source: LimitSource,
        level: f64,
        band: (f64, f64),
        volume_type: Option<VolumeType>,
    ) -> Option<ReachedLimit> {
        let all = || self.pause.each(&self.seconds);
        let in_band = || all().filter(|second| (band.0..=band.1).contains(&second.rate));
        let sum = |of: &dyn Fn(&Second) -> f64| in_band().map(of).sum::<f64>();
        let (length, requests) = (sum(&|second| second.seconds), sum(&|second| second.requests));
        if length < MIN_SECONDS || requests <= 0.0 {
            return None;
        }
        let characteristics: Option<&Characteristics> = volume_type.map(VolumeType::characteristics);
        Some(ReachedLimit {
            limited: self.limited,
            level,
            band,
            seconds_share: length / all().map(|second| second.seconds).sum::<f64>(),
            requests_share: requests / all().map(|second| second.requests).sum::<f64>(),
            source,
            owner: LimitOwner::Volume,
            latency_ms: sum(&|second| second.waited_ms) / requests,
            unqueued: UnqueuedLatency::from_seconds(
                (&self.seconds, self.pause),
                level,
                sum(&|second| second.bytes) / requests,
                characteristics,
            ),
            in_flight: sum(&|second| second.in_flight * second.seconds) / length,
        })
    }
}

#[cfg(test)]
#[path = "saturation_tests.rs"]
mod tests;
