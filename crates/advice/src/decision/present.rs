//! The present volumes under the demand: the limit that binds them, and for how long.

use crate::current::current_state::CurrentState;
use crate::current::current_volume::CurrentVolume;
use crate::current::refuted_limit::RefutedLimit;
use crate::current::saturation::Saturation;
use crate::evaluate::risk::Risk;
use crate::replay::Outcome;
use crate::scenario::Scenario;
use crate::scenario::instance_saturation::InstanceSaturation;
use ebs_aws::bucket::Burst;
use ebs_prediction::saturation::{LimitSource, ReachedLimit};
use ebs_prediction::{BindingLimit, LimitOwner};
use ebs_workload::io_profile::{Metric, find};

/// The present volumes of a part, and their state.
#[derive(Clone, Copy)]
pub struct Present<'a> {
    /// State of the part.
    pub state: &'a CurrentState,
    /// The volumes; `None` where they are not known.
    pub current: Option<&'a CurrentVolume>,
    /// Saturation of the instance, if there is one.
    pub instance_saturation: Option<&'a InstanceSaturation>,
}

impl Scenario<'_> {
    /// The present volumes of its part.
    pub fn present(&self) -> Present<'_> {
        Present {
            state: &self.part.state,
            current: self.part.current.as_ref(),
            instance_saturation: self.instance_saturation.as_ref(),
        }
    }
}

/// Rate over a limit up to which demand is at it: EBS delivers a little more for moments.
const AT_LIMIT: f64 = 1.1;

impl<'a> Present<'a> {
    /// Replay of the demand; `None` where it is not known, and where the counts refute the limits.
    pub fn outcome(&self) -> Option<Outcome> {
        self.current.filter(|current| current.exceeded.is_none())?.outcome
    }

    /// True where the volumes carry the demand, with so much throttling accepted, per cent.
    pub fn suffices(&self, max_throttled_pct: f64) -> bool {
        let outcome = self.current.and_then(|current| current.outcome);
        self.state.saturation.is_none() && outcome.is_some_and(|outcome| outcome.is_within(max_throttled_pct))
    }

    /// True where neither the counts nor EBS's own ones show the volume at a limit.
    pub fn was_at_no_limit(&self, max_throttled_pct: f64) -> bool {
        let is_exceeded = self.current.is_some_and(|current| current.exceeded.is_some());
        let counted = self.state.checked.is_volume_exceeded();
        let share = self.limit_share().unwrap_or_default();
        !is_exceeded && !counted && 100.0 * share <= max_throttled_pct
    }

    /// Risk of the volumes, by the averages of their demand.
    pub fn risk(&self, max_throttled_pct: f64) -> Option<Risk> {
        Some(Risk::new(&self.current?.outcome?, max_throttled_pct, true, false))
    }

    /// Saturation at a limit of the volumes themselves; `None` where the limit of their instance binds them, unless they were at one that is
    /// declared.
    pub fn own_saturation(&self) -> Option<&'a Saturation> {
        let is_own = |limit: &ReachedLimit| {
            limit.source == LimitSource::Declared
                && limit.named().next().is_some_and(|one| one.owner == LimitOwner::Volume)
                || !self.instance_saturation.is_some_and(|instance| instance.explains(limit.seconds_share))
        };
        self.state.saturation.as_ref().filter(|saturation| is_own(&saturation.limit))
    }

    /// Limit that the samples show below the declared one; `None` where it is that of their instance.
    pub fn refuted_limit(&self) -> Option<RefutedLimit> {
        let is_instance = |refuted: &RefutedLimit| {
            self.instance_saturation.is_some_and(|instance| instance.explains(refuted.seconds_share))
        };
        self.state.refuted_limit.filter(|refuted| !is_instance(refuted))
    }

    /// Limit that binds them: that of the instance, the one at which the demand was, the one that EBS counted as exceeded, or
    /// the one that the replay finds; `None` where none is known.
    pub fn binding_limit(&self) -> Option<BindingLimit> {
        if let Some(instance) = self.instance_saturation {
            return Some(instance.bound);
        }
        if let Some(saturation) = &self.state.saturation {
            let limit = BindingLimit::Rate(saturation.limit.owner, saturation.limit.limited);
            return Some(if self.has_spent_credits() { BindingLimit::Credits } else { limit });
        }
        if let Some(limit) = self.state.checked.exceeded_limit() {
            let rate = |limited| BindingLimit::Rate(limit.owner, limited);
            return Some(limit.limited.map_or(BindingLimit::Credits, rate));
        }
        // Limits that the counts refute bind nothing.
        let outcome = self.outcome()?;
        if outcome.throttled_pct() <= 0.0 {
            return Some(BindingLimit::None);
        }
        if outcome.credits.is_some() {
            return Some(BindingLimit::Credits);
        }
        let (config, volumes) = self.current?.volumes.first()?;
        let limits = config.ceiling(*volumes);
        let peak = |metric| find(&self.state.figures, metric).and_then(|figure| figure.max).unwrap_or_default();
        let by_iops = peak(Metric::Requests) / limits.iops >= peak(Metric::Throughput) / limits.mibps;
        Some(if by_iops { BindingLimit::VOLUME_IOPS } else { BindingLimit::VOLUME_THROUGHPUT })
    }

    /// Share of the time at or above a limit of the volumes, 0 to 1: of the replay, of EBS's own counts, or of the seconds at the limit,
    /// the largest; `None` where none is known.
    pub fn limit_share(&self) -> Option<f64> {
        let replayed = self.outcome().map(|outcome| outcome.throttled_pct() / 100.0);
        let exceeded = self.state.checked.exceeded.into_iter().flat_map(|shares| {
            [shares.volume_iops, shares.volume_throughput, shares.instance_iops, shares.instance_throughput]
        });
        let saturated = self.state.saturation.as_ref().map(|saturation| saturation.limit.seconds_share);
        let instance = self.instance_saturation.map(InstanceSaturation::limit_share);
        exceeded.chain([replayed, saturated, instance]).flatten().reduce(f64::max)
    }

    /// True where the demand was at the baseline of volumes that reach more while they have burst credits.
    pub fn has_spent_credits(&self) -> bool {
        let Some(saturation) = &self.state.saturation else { return false };
        let Some((config, count)) = self.current.and_then(|current| current.volumes.first()) else { return false };
        let Some(class) = config.class() else { return false };
        let (baseline, burst) = (config.ceiling(*count), Burst::ceiling(class, config, *count));
        let limit = &saturation.limit;
        let (sustained, reached) = (baseline.counted(limit.limited), burst.counted(limit.limited));
        limit.owner == LimitOwner::Volume && limit.rate <= AT_LIMIT * sustained && reached > sustained
    }
}
