//! Saturation of the instance: its limit binds the demand on all volumes together.

use crate::current::saturation::Saturation;
use crate::replay::Outcome;
use ebs_aws::catalogue::{Ceiling, Instance};
use ebs_prediction::saturation::LimitMatch;
use ebs_prediction::{BindingLimit, LimitOwner};

/// A plateau at the instance's limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InstancePlateau {
    /// The limit: of its owner, its level, and how well it explains the plateau.
    pub limit: LimitMatch,
    /// Mean rate of the plateau: requests, or bytes, a second.
    pub rate: f64,
    /// Share of seconds at it, 0 to 1.
    pub seconds_share: f64,
    /// Requests in flight there, on average.
    pub in_flight: f64,
    /// The volume's limit, where that may have been reached too.
    pub volume: Option<LimitMatch>,
    /// True where that there was a limit, and which, is sure.
    pub sure: bool,
}

impl InstancePlateau {
    /// The plateau of a run that was saturated at the instance's limit, or may have been; `None` where it was not.
    pub fn from_saturation(saturation: &Saturation) -> Option<InstancePlateau> {
        let (limit, run) = (saturation.instance_match?, &saturation.limit);
        let rate = limit.share * limit.level;
        Some(InstancePlateau {
            limit,
            rate,
            seconds_share: run.seconds_share,
            in_flight: run.in_flight,
            volume: run.match_of(LimitOwner::Volume).copied(),
            sure: run.is_sure(),
        })
    }
}

/// Saturation of the instance: the demand of all volumes together exceeds its limits, or was at them.
#[derive(Clone, Copy, Debug)]
pub struct InstanceSaturation {
    /// The instance.
    pub instance: &'static Instance,
    /// Its limit that binds.
    pub bound: BindingLimit,
    /// Its sustained limits.
    pub baseline: Ceiling,
    /// Plateau at which the run reached it; `None` where the replay shows it.
    pub reached: Option<InstancePlateau>,
    /// Replay against that limit alone.
    pub outcome: Outcome,
    /// Replay with its 30 minutes a day at the maximum; `None` where the baseline is the maximum.
    pub burst: Option<Outcome>,
}

/// Share of a plateau's seconds for which the instance must be at its limit to explain it. A choice: most of them.
const MIN_EXPLAINED: f64 = 0.5;

impl InstanceSaturation {
    /// Share of the time at its limit, 0 to 1: of the replay, or of a plateau, the larger.
    pub fn limit_share(&self) -> f64 {
        let reached = self.reached.map_or(0.0, |plateau| plateau.seconds_share);
        reached.max(self.outcome.throttled_pct() / 100.0)
    }

    /// True of a plateau of a volume, for so much of the time, that this limit explains: what the instance carries is divided among its
    /// volumes, each of which is flat below its own limit.
    pub fn explains(&self, seconds_share: f64) -> bool {
        self.limit_share() >= MIN_EXPLAINED * seconds_share
    }
}
