//! Doubt of a declared limit: the samples show a lower one.
//!
//! A declaration or an imported configuration may be older than the volume, or of another one. The declared limit stays the one that
//! volumes are compared with, as the instance or a file system may hold the rate, too; the advice has the doubt.

use crate::current::limits::published_limits;
use ebs_aws::catalogue::{LimitKind, Platform};
use ebs_prediction::LimitOwner;
use ebs_prediction::predict::Limits;
use ebs_prediction::saturation::{LimitSource, ReachedLimit, RunContext, SaturationDetector};

/// A limit that the samples show below the declared one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RefutedLimit {
    /// The limited rate.
    pub limited: LimitKind,
    /// The limit that the samples show: requests, or bytes, a second.
    pub level: f64,
    /// The declared limit, in the same unit.
    pub declared: f64,
    /// Share of the seconds that were at the limit that the samples show, 0 to 1.
    pub seconds_share: f64,
}

/// Share of a declared limit below which another one refutes it: EBS promises at least 90 % of it 99 % of the time.
const REFUTED_SHARE: f64 = 0.9;

impl RefutedLimit {
    /// Finds the limit at which this demand was in place of the declared one of its volumes: an inferred one, or one that volumes are commonly
    /// sold with, and at which requests queued. Of an inferred one of throughput and a common one of IOPS, or the reverse, that with more of
    /// the seconds. `None` where the run reached a limit that is known, or no limit of its volumes was declared.
    pub(super) fn find(
        detector: &SaturationDetector,
        context: &RunContext,
        limit: Option<&ReachedLimit>,
        platform: Platform,
    ) -> Option<RefutedLimit> {
        if limit.is_some_and(|limit| limit.source != LimitSource::Inferred && limit.named().next().is_some()) {
            return None;
        }
        let reached = limit.copied().into_iter().chain(common_limit(detector, context, platform));
        let refuted = reached.filter_map(|reached| RefutedLimit::from_reached(&reached, context));
        refuted.reduce(|a, b| if b.seconds_share > a.seconds_share { b } else { a })
    }

    /// The limit that was reached, where it is below the declared one. Seconds that are even without a queue may be the demand.
    fn from_reached(reached: &ReachedLimit, context: &RunContext) -> Option<RefutedLimit> {
        let is_shown = reached.named().next().is_some() && reached.plateau.is_some() && reached.is_queued();
        let ReachedLimit { limited, level, seconds_share, .. } = *reached;
        let declared = least_declared(context, limited).filter(|_| is_shown)?;
        (level < REFUTED_SHARE * declared).then_some(RefutedLimit { limited, level, declared, seconds_share })
    }
}

/// The limit at which the demand was, of those below the declared ones that volumes are commonly sold with.
fn common_limit(detector: &SaturationDetector, context: &RunContext, platform: Platform) -> Option<ReachedLimit> {
    let below = |limited: LimitKind, level: f64| {
        least_declared(context, limited).is_some_and(|declared| level < REFUTED_SHARE * declared)
    };
    let lower = |limits: Limits| Limits {
        iops: limits.iops.filter(|iops| below(LimitKind::Iops, *iops)),
        bytes: limits.bytes.filter(|bytes| below(LimitKind::Throughput, *bytes)),
    };
    let common = published_limits(platform, None).into_iter().map(|(_, limits)| (LimitOwner::Volume, lower(limits)));
    let limits = common.filter(|(_, limits)| *limits != Limits::default()).collect();
    detector.detect(&RunContext { limits, ..context.clone() })
}

/// The least declared limit of the volumes; `None` where none was declared.
fn least_declared(context: &RunContext, limited: LimitKind) -> Option<f64> {
    let of_volumes = context.limits.iter().filter(|(owner, _)| *owner == LimitOwner::Volume);
    of_volumes.filter_map(|(_, limits)| limits.level(limited)).reduce(f64::min)
}

#[cfg(test)]
#[path = "refuted_limit_tests.rs"]
mod tests;
