//! A case to evaluate: volumes of one type in a scenario.

use crate::replay::{InstanceLimit, replay};
use crate::scenario::Scenario;
use crate::scenario::instance_saturation::InstanceSaturation;
use crate::search::Found;
use crate::sizing::sizings::{Sizing, Sizings};

/// Volumes of one type in a scenario.
#[derive(Clone, Copy)]
pub struct Case<'a> {
    /// The scenario.
    pub scenario: &'a Scenario<'a>,
    /// The sizing of the type.
    pub sizing: &'a Sizing<'a>,
    /// Saturation of the instance; `None` where the limit of the volumes binds first.
    pub instance_saturation: Option<InstanceSaturation>,
}

impl<'a> Case<'a> {
    /// The case of volumes that a search found.
    pub fn new(sizings: &'a Sizings<'a>, found: &Found) -> Case<'a> {
        let scenario = sizings.scenario;
        let sizing = sizings.get(found.priced.config.volume_type);
        let case = Case { scenario, sizing, instance_saturation: scenario.instance_saturation };
        let is_own_limit = case.throttles_below_instance(found);
        Case { instance_saturation: case.instance_saturation.filter(|_| !is_own_limit), ..case }
    }

    /// True where the instance is saturated, and these volumes by themselves throttle the demand below all that it delivers: their own
    /// limit then binds first. Volumes that only the instance's own limits refuse never do.
    fn throttles_below_instance(&self, found: &Found) -> bool {
        let config = &found.priced.config;
        let is_of_instance = found.shortfall.is_some_and(|shortfall| shortfall.resource.is_instance());
        if self.instance_saturation.is_none() || is_of_instance {
            return false;
        }
        let (requirement, ceiling) = (self.sizing.requirement(), config.ceiling(found.priced.volumes));
        if ceiling.iops >= requirement.iops.floor() && ceiling.mibps >= requirement.mibps.floor() {
            return false;
        }
        (self.scenario.part.inputs.pause)();
        let series = self.sizing.series();
        let outcome = replay(series, config, found.priced.volumes, InstanceLimit::None, 0.0);
        outcome.is_some_and(|outcome| !outcome.is_within(self.sizing.max_throttled_pct()))
    }
}
