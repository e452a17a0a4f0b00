//! Demand that the present volumes carried with headroom, though averages may hide more of it: money is added on evidence alone.

use crate::evaluate::candidate::Candidate;
use crate::request::settings::Request;
use crate::scenario::Scenario;
use ebs_aws::catalogue::{Ceiling, VolumeConfig};
use ebs_stats::pausing_quantile;
use ebs_workload::busy_rates::BusyRates;

/// Demand of averages within the present limits, and what others would cost for the seconds that these may hide.
#[derive(Clone, Debug, PartialEq)]
pub struct CarriedDemand {
    /// Volumes for the upper end of the demand.
    pub candidate: Candidate,
    /// Percentile of the demand.
    pub percentile: f64,
    /// Headroom, per cent.
    pub headroom_pct: f64,
    /// The percentile of the averages.
    pub demand: Ceiling,
    /// Upper end of its confidence interval.
    pub demand_high: Ceiling,
    /// Limits of the present volume.
    pub limits: Ceiling,
}

impl CarriedDemand {
    /// Demand that the present volume carried, where the recommended one costs more for no evidence: the percentile of averages with
    /// headroom fits the limits of the present volume, which is of a suitable type, as durable as requested, and as large as needed. `None` elsewhere.
    /// That the counts show no limit is for the caller to say.
    pub fn find(scenario: &Scenario, best: &Candidate, required: Ceiling, needs_space: bool) -> Option<CarriedDemand> {
        let [(present, volumes)] = scenario.current?.volumes.as_slice() else { return None };
        let request = &scenario.request;
        let is_dearer = best.saving.is_some_and(|saving| saving.cents() < 0);
        let is_as_large = best.config.size_gib * best.volumes <= present.size_gib * volumes;
        if !is_dearer || needs_space && !is_as_large || !is_acceptable(present, request) {
            return None;
        }
        let (percentile, headroom) = (request.rule.percentile, request.rule.headroom);
        let all = &scenario.part.state.group.demand;
        let demand = Ceiling {
            iops: pausing_quantile(all.samples(|interval| Some(interval.iops())), percentile / 100.0, all.pause)?,
            mibps: pausing_quantile(all.samples(|interval| Some(interval.mibps())), percentile / 100.0, all.pause)?,
        };
        let limits = present.ceiling(*volumes);
        let demand_high = Ceiling { iops: required.iops / (1.0 + headroom), mibps: required.mibps / (1.0 + headroom) };
        let candidate = best.clone();
        let carried =
            CarriedDemand { candidate, percentile, headroom_pct: 100.0 * headroom, demand, demand_high, limits };
        carried.fits(demand).then_some(carried)
    }

    /// True where so much, with headroom, may have been demanded while the device was busy as the present limits do not carry.
    pub fn may_exceed(&self, busy: BusyRates) -> bool {
        !self.fits(Ceiling { iops: busy.iops, mibps: busy.mibps })
    }

    fn fits(&self, demand: Ceiling) -> bool {
        let factor = 1.0 + self.headroom_pct / 100.0;
        factor * demand.iops <= self.limits.iops && factor * demand.mibps <= self.limits.mibps
    }
}

/// True of a type that is suitable for a database, and as durable as requested.
fn is_acceptable(present: &VolumeConfig, request: &Request) -> bool {
    let volume_type = present.volume_type;
    volume_type.characteristics().unfit.is_none() && request.accepts_durability(volume_type)
}
