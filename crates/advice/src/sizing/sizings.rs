//! Sizing of each type: a closed loop asks a volume of another latency for another demand.

use std::cell::OnceCell;

use crate::replay::Series;
use crate::requirement::Requirement;
use crate::scenario::type_demand::TypeDemand;
use crate::scenario::{Conditions, Scenario};
use crate::search::Task;
use ebs_aws::catalogue::{Ceiling, Instance, VolumeType};

/// Task of the search for volumes of a type.
pub struct Sizing<'a> {
    /// Demand over the observed demand, at most one.
    pub scale: f64,
    /// The task.
    pub task: Task<'a>,
    requirement: OnceCell<Requirement>,
}

/// Sizings of all types for a scenario.
pub struct Sizings<'a> {
    /// The scenario.
    pub scenario: &'a Scenario<'a>,
    /// Sizing for the observed demand.
    pub observed: Sizing<'a>,
    types: Vec<(VolumeType, Sizing<'a>)>,
}

impl<'a> Sizing<'a> {
    fn new(scenario: &Scenario<'a>, series: &'a Series, scale: f64, percentile: Ceiling) -> Sizing<'a> {
        let (conditions, rule) = (&scenario.conditions, scenario.request.rule);
        let pause = scenario.part.inputs.pause;
        let scaled = Ceiling { iops: percentile.iops * scale, mibps: percentile.mibps * scale };
        let floor = conditions.saturation.map_or(Ceiling::default(), |saturation| saturation.floor(rule.headroom));
        let requirement = Requirement::from_percentile(scaled, conditions.size_gib, rule)
            .on_storage(scenario.part.state.size.storage_gib)
            .at_least(floor);
        pause();
        let task = Task::new(series, requirement, rule, conditions.instance)
            .with_steady_floor(floor)
            .with_instance_reached(conditions.is_instance_reached)
            .with_max_volume_iops(scenario.request.instance.and_then(Instance::max_volume_iops))
            .with_pause(pause);
        Sizing { scale, task, requirement: OnceCell::new() }
    }

    /// Requirement: no more than the instance carries, and no less than the replay requires.
    pub fn requirement(&self) -> Requirement {
        *self.requirement.get_or_init(|| replayed_requirement(&self.task))
    }
}

impl<'a> Sizings<'a> {
    /// Sizings for the demand of a scenario, and for that of a closed loop on each type.
    pub fn new(scenario: &'a Scenario<'a>) -> Sizings<'a> {
        let Conditions { percentile, closed_percentile, .. } = scenario.conditions;
        let of_type = |demand: &'a TypeDemand| {
            (demand.volume_type, Sizing::new(scenario, &demand.series, demand.scale, closed_percentile))
        };
        Sizings {
            scenario,
            observed: Sizing::new(scenario, &scenario.series, 1.0, percentile),
            types: scenario.type_demands.iter().map(of_type).collect(),
        }
    }

    /// The sizing of a type.
    pub fn get(&self, volume_type: VolumeType) -> &Sizing<'a> {
        self.types.iter().find(|sizing| sizing.0 == volume_type).map_or(&self.observed, |sizing| &sizing.1)
    }
}

/// Requirement of a task, by percentile or by replay.
fn replayed_requirement(task: &Task) -> Requirement {
    let (replayed, requirement) = (task.min_ceiling(), *task.requirement());
    // The replay's figures are whole numbers: they exceed the percentile's where they exceed it rounded up.
    let larger = |replayed: f64, by_percentile: f64| {
        if replayed > by_percentile.ceil() { replayed } else { by_percentile }
    };
    Requirement {
        iops: larger(replayed.iops, requirement.iops),
        mibps: larger(replayed.mibps, requirement.mibps),
        ..requirement
    }
}
