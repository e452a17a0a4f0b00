//! Saturation: detects that a run was at the limit of its volume, and so shows the limit in place of the demand.
//!
//! A limit is a token bucket. Of the rate and the latency of requests, it holds the rate constant and lets the latency grow
//! with the requests in flight; a volume below its limit does the reverse (Little's law binds the three: Little, "A proof
//! for the queuing formula L = λW", Operations Research 9(3), 1961, <https://doi.org/10.1287/opre.9.3.383>). So two things
//! are required: seconds that lie at a ceiling ([`ceiling`]), and requests that queue there ([`queue`]). A rate alone is no
//! evidence: a workload may be steady by itself, driven at a fixed rate, bound by the CPU, or one session that waits for
//! each answer.

mod ceiling;
mod concentration;
mod evidence;
mod flat;
mod matches;
mod measured;
mod queue;
mod second;
mod unqueued;

use crate::LimitOwner;
use ebs_aws::catalogue::LimitKind;
use ebs_workload::demand::Demand;
use ebs_workload::demand_summary::DemandSummary;
pub use evidence::{MeasuredLatency, ReachedLimit, RunContext, UnqueuedLatency};
pub use flat::{FlatRate, LevelSource, detect_flat_rate};
pub use matches::{LimitMatch, LimitMatches, LimitSource, NAMED_WEIGHT, SURE_WEIGHT, nearness};
use measured::{InferredLimit, Measured};

/// A demand in the form in which limits are sought, for several contexts.
pub struct SaturationDetector<'a> {
    /// The seconds by requests and by bytes; `None` without times.
    both: Option<[Measured<'a>; 2]>,
}

impl<'a> SaturationDetector<'a> {
    /// Prepares a demand.
    pub fn new(demand: &'a Demand, summary: &'a DemandSummary) -> SaturationDetector<'a> {
        SaturationDetector { both: demand.timed.then(|| Measured::both(demand, summary)) }
    }

    /// The limit that the volume with this demand was at, if it was at one, with all limits that may be it.
    ///
    /// A known limit: at least 1 % of the time and 10 s within some 10 % of it or above, in which requests took longer than they do by
    /// themselves; or seconds that are concentrated at it, however long requests took ([`concentration`]). Otherwise see [`ceiling`] and
    /// [`queue`].
    pub fn detect(&self, run: &RunContext) -> Option<ReachedLimit> {
        let both = self.both.as_ref()?;
        let mut known: Vec<(ReachedLimit, LimitMatch)> =
            both.iter().flat_map(|measured| measured.at_known(run)).collect();
        // Beside a limit that is near, none that is far is told.
        let is_near = |(_, one): &(ReachedLimit, LimitMatch)| nearness(one.share) > 0.0;
        if known.iter().any(is_near) {
            known.retain(is_near);
        }
        let weight = |(limit, one): &(ReachedLimit, LimitMatch)| one.weight * limit.seconds_share;
        let widest = known.iter().max_by(|a, b| weight(a).total_cmp(&weight(b)));
        let inferred = inferred_limit(both, run);
        let (limit, matches) = match widest {
            None => inferred?,
            Some((limit, one)) => known_or_inferred((*limit, one.weight), inferred),
        };
        known.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
        Some(with_matches(limit, known.into_iter().map(|(_, one)| one).chain(matches), run))
    }
}

/// [`SaturationDetector::detect`] in one context.
pub fn detect_saturation(demand: &Demand, run: &RunContext) -> Option<ReachedLimit> {
    SaturationDetector::new(demand, &DemandSummary::new(demand)).detect(run)
}

/// A known limit, unless it is less likely than not and the seconds rather show a limit by themselves; and what else may be the limit, unless the
/// known one is sure.
fn known_or_inferred(
    (limit, weight): (ReachedLimit, f64),
    inferred: Option<(ReachedLimit, Vec<LimitMatch>)>,
) -> (ReachedLimit, Vec<LimitMatch>) {
    let Some((inferred, matches)) = inferred else { return (limit, Vec::new()) };
    // The seconds alone show that there is a limit: which it is does not change the demand behind it.
    let unmet_weight = limit.unmet_weight.max(inferred.unmet_weight);
    let at_limit = limit.weight.max(inferred.weight);
    let limit = if weight < inferred.weight.min(NAMED_WEIGHT) { inferred } else { limit };
    let other = |one: LimitMatch| LimitMatch { weight: one.weight * (1.0 - weight), ..one };
    let others = if weight < SURE_WEIGHT { matches.into_iter().map(other).collect() } else { Vec::new() };
    (ReachedLimit { weight: at_limit, unmet_weight, ..limit }, others)
}

/// The limit that the seconds show by themselves, and what it may be.
fn inferred_limit(both: &[Measured], run: &RunContext) -> Option<(ReachedLimit, Vec<LimitMatch>)> {
    let inferred: Vec<InferredLimit> = both.iter().filter_map(|measured| measured.at_ceiling(run)).collect();
    // Requests of one size hold both rates; the limit is on the one that is held tighter, unless the other is held for so much longer.
    let tightest = inferred.iter().map(|one| one.spread).reduce(f64::min)?;
    let held = |one: &InferredLimit| evenness(one, tightest) * one.limit.seconds_share;
    let is_limit =
        |a: &InferredLimit, b: &InferredLimit| held(b).total_cmp(&held(a)).then(a.spread.total_cmp(&b.spread));
    let limit = inferred.iter().copied().min_by(is_limit)?;
    let as_match = |one: &InferredLimit| LimitMatch {
        owner: LimitOwner::Volume,
        limited: one.limit.limited,
        level: one.limit.level,
        source: one.limit.source,
        share: 1.0,
        weight: one.limit.weight * if one.limit.limited == limit.limit.limited { 1.0 } else { evenness(one, tightest) },
        requires_spent_credits: false,
    };
    Some((limit.limit, inferred.iter().map(as_match).collect()))
}

/// Degree to which the looser of two plateaus may be the limit: by how much it is looser, and where no volume has such a limit, not at
/// all.
fn evenness(one: &InferredLimit, tightest: f64) -> f64 {
    let plausible = match one.limit.limited {
        LimitKind::Throughput => matches::nearness(one.limit.level / unqueued::MIN_THROUGHPUT),
        LimitKind::Iops => 1.0,
    };
    // Closer than a thousandth, rounding to whole requests decides.
    plausible * (tightest.max(1e-3) / one.spread.max(1e-3)).min(1.0)
}

fn with_matches(limit: ReachedLimit, found: impl Iterator<Item = LimitMatch>, run: &RunContext) -> ReachedLimit {
    let matches = LimitMatches::new(found);
    let rates = (limit.iops, limit.bytes_per_s);
    let counted = run.exceeded.as_ref().map(|counts| matches.with_counts(counts, limit.seconds_share, rates));
    let weight = counted.map_or(limit.weight, |counted| counted.first().map_or(0.0, |first| first.weight));
    let matches = counted.unwrap_or(matches);
    let owner = matches.first().map_or(LimitOwner::Volume, |first| first.owner);
    ReachedLimit { matches, owner, weight, ..limit }
}

#[cfg(test)]
#[path = "saturation_tests.rs"]
mod tests;

#[cfg(test)]
mod closed_loop_tests;
#[cfg(test)]
mod fileio_tests;
