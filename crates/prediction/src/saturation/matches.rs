//! Limits that explain a plateau: of the volume, of the instance, of IOPS or of throughput.
//!
//! EBS delivers at least 90 % of the provisioned performance 99 % of the time
//! (<https://docs.aws.amazon.com/ebs/latest/userguide/general-purpose.html>): a plateau lies at 0.9 to 1.0 of its limit. One plateau
//! may be near several limits, and then all of them are named.

use crate::LimitOwner;
use ebs_aws::catalogue::LimitKind;
use ebs_base::ramp::{log_ramp, ramp};
use ebs_workload::exceeded::ExceededShares;

/// Way in which a limit is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitSource {
    /// The limit is known: of the volume as it was declared, or of the instance.
    Declared,
    /// The limit is inferred from the seconds alone.
    Inferred,
}

/// A limit near a plateau.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimitMatch {
    /// Its owner.
    pub owner: LimitOwner,
    /// The limited rate.
    pub limited: LimitKind,
    /// The limit: requests, or bytes, a second.
    pub level: f64,
    /// Way in which it is known.
    pub source: LimitSource,
    /// The plateau over the limit.
    pub share: f64,
    /// Degree to which the limit explains the plateau, 0 to 1.
    pub weight: f64,
    /// True where it binds only if burst credits were spent before: the owner has more for half an hour, and the evidence is shorter.
    pub requires_spent_credits: bool,
}

/// Weight from which on a limit is named: it is at least as likely as not.
pub const NAMED_WEIGHT: f64 = 0.5;

/// Weight from which on a limit is sure.
pub const SURE_WEIGHT: f64 = 0.9;

/// Largest weight of limits that EBS did not count any time above: its counts are believed, but they may not be kept everywhere.
const UNCOUNTED_WEIGHT: f64 = 0.4;

/// Share of the time at a limit that EBS must have counted for its limit to be believed whole: the counts are of moments, the time is of
/// whole seconds.
const COUNTED_SHARE: f64 = 0.5;

/// Plateau over a limit up to which the limit does not explain it, and from which on it does. In the middle, at 0.9, it is as likely as
/// not.
const NEARNESS: [f64; 2] = [0.86, 0.94];

/// Plateau over a limit from which on all of the latency there is taken for its queue: short of one, which a rate in whole seconds does not
/// always reach.
const FULL_SHARE: f64 = 0.98;

/// Per cent by which the factor of latency that a limit explains falls for each per cent that the plateau is below it. A choice: with 1 % more
/// of the rate itself no more than 5 % of what follows. A mean over time of which a part is at the limit lies below it, too.
const EXPLAINED_FALL: f64 = 4.0;

/// Degree to which a limit explains a plateau at this share of it, 0 to 1.
pub fn nearness(share: f64) -> f64 {
    ramp(share, NEARNESS)
}

/// Degree to which a limit explains a latency that is so many times that without a queue, of a plateau at this share of it, 0 to 1: the factor to
/// this power falls by [`EXPLAINED_FALL`].
pub(super) fn explained(share: f64, latency_ratio: f64) -> f64 {
    let below = (FULL_SHARE / share).ln().max(0.0);
    if below > 0.0 { (1.0 - EXPLAINED_FALL * below / latency_ratio.ln().max(f64::MIN_POSITIVE)).max(0.0) } else { 1.0 }
}

/// Multiple of the least time and share from which on the demand behind a limit is believed whole. A choice: over a wide range, 1 % more
/// time at the limit changes the demand by about 1 %.
const FULL_TIME: f64 = 4.0;

/// Degree to which a time is long enough, as a multiple of the least: 0 up to one, 1 from [`FULL_TIME`] on.
pub(super) fn long_ramp(multiple: f64) -> f64 {
    log_ramp(multiple, [1.0, FULL_TIME])
}

/// Least share of a limit that is looked at. A choice: half of a limit explains a latency of 15 times that without a queue ([`explained`]).
pub(super) const MIN_SHARE_OF_LIMIT: f64 = 0.5;

/// Largest weight of a volume's limit that a plateau is farther below than EBS delivers.
pub(super) const FAR_WEIGHT: f64 = 0.05;

/// Limits that explain a plateau, the likeliest first: at most one for each owner and rate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LimitMatches {
    matches: [Option<LimitMatch>; 4],
    counted: bool,
}

impl LimitMatches {
    /// Orders limits, of which the first of an owner and a rate counts. The instance's stands first among equals: no volume changes it.
    pub(super) fn new(limits: impl IntoIterator<Item = LimitMatch>) -> LimitMatches {
        let mut kept: Vec<LimitMatch> = Vec::new();
        for limit in limits {
            let is_known = kept.iter().any(|one| one.owner == limit.owner && one.limited == limit.limited);
            kept.extend((!is_known && limit.weight > 0.0).then_some(limit));
        }
        let rank = |one: &LimitMatch| one.owner == LimitOwner::Volume;
        kept.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(rank(a).cmp(&rank(b))));
        let mut matches = [None; 4];
        matches.iter_mut().zip(kept).for_each(|(place, limit)| *place = Some(limit));
        LimitMatches { matches, counted: false }
    }

    /// The limits, the likeliest first.
    pub fn iter(&self) -> impl Iterator<Item = &LimitMatch> {
        self.matches.iter().flatten()
    }

    /// The likeliest.
    pub fn first(&self) -> Option<&LimitMatch> {
        self.iter().next()
    }

    /// True where EBS's own counts of the time above each limit decide.
    pub fn is_counted(&self) -> bool {
        self.counted
    }

    /// Weighs the limits by the time above them that EBS counted, in a plateau of this share of time with these rates of requests and
    /// bytes: the counts decide the owner. Where EBS counted none, no limit is more than possible; one that was not counted stays as
    /// likely as another does not explain the plateau.
    pub(super) fn with_counts(self, counts: &ExceededShares, seconds_share: f64, rates: (f64, f64)) -> LimitMatches {
        let counted = |owner, limited| {
            let share = match (owner, limited) {
                (LimitOwner::Volume, LimitKind::Iops) => counts.volume_iops,
                (LimitOwner::Volume, LimitKind::Throughput) => counts.volume_throughput,
                (LimitOwner::Instance, LimitKind::Iops) => counts.instance_iops,
                (LimitOwner::Instance, LimitKind::Throughput) => counts.instance_throughput,
                // The run's volumes are counted together.
                (LimitOwner::WalVolume, _) => None,
            };
            share.map(|share| (share / (COUNTED_SHARE * seconds_share)).clamp(0.0, 1.0))
        };
        let owners = [LimitOwner::Instance, LimitOwner::Volume];
        let all = || owners.into_iter().flat_map(|owner| LimitKind::BOTH.map(|limited| (owner, limited)));
        let most = all().filter_map(|(owner, limited)| counted(owner, limited)).fold(0.0, f64::max);
        let known = |owner, limited| self.iter().find(|one| one.owner == owner && one.limited == limited).copied();
        let weigh = |(owner, limited)| {
            let (weight, known) = (counted(owner, limited), known(owner, limited));
            let most_uncounted = if weight.is_some() { UNCOUNTED_WEIGHT } else { 1.0 };
            let before = known.map_or(0.0, |one| one.weight.min(most_uncounted));
            let weight = weight.unwrap_or(0.0);
            let level = if limited == LimitKind::Iops { rates.0 } else { rates.1 };
            let source = LimitSource::Inferred;
            let unknown =
                LimitMatch { owner, limited, level, source, share: 1.0, weight: 0.0, requires_spent_credits: false };
            let limit = known.unwrap_or(unknown);
            let requires_spent_credits = limit.requires_spent_credits && weight < SURE_WEIGHT;
            LimitMatch { weight: weight.max(before * (1.0 - most)), requires_spent_credits, ..limit }
        };
        LimitMatches { counted: most >= SURE_WEIGHT, ..LimitMatches::new(all().map(weigh)) }
    }
}

#[cfg(test)]
#[path = "matches_tests.rs"]
mod tests;
