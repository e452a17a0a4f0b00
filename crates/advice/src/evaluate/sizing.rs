//! Sizing of each type: a closed loop asks a volume of another latency for another demand.

use std::cell::OnceCell;

use crate::current::saturation::Saturation;
use crate::replay::Series;
use crate::requirement::{Requirement, SizingRule};
use crate::search::Task;
use ebs_aws::catalogue::{Ceiling, VolumeType};

/// Demand of a closed loop on volumes of a type.
#[derive(Clone, Debug)]
pub struct TypeDemand {
    /// The type.
    pub volume_type: VolumeType,
    /// Demand over the observed demand, at most one.
    pub scale: f64,
    /// The demand.
    pub series: Series,
}

/// Task of the search for volumes of a type.
pub struct Sizing<'a> {
    /// Demand over the observed demand, at most one.
    pub scale: f64,
    /// The task.
    pub task: Task<'a>,
    requirement: OnceCell<Requirement>,
}

/// Sizings of all types.
pub struct Sizings<'a> {
    /// Sizing for the observed demand.
    pub observed: Sizing<'a>,
    types: Vec<(VolumeType, Sizing<'a>)>,
    series: &'a Series,
    demands: &'a [TypeDemand],
    /// Its conditions.
    pub conditions: SizingConditions<'a>,
}

/// Rule of a sizing, and the conditions that do not depend on the type.
#[derive(Clone, Copy)]
pub struct SizingConditions<'a> {
    /// Upper end of the percentile of the observed demand.
    pub percentile: Ceiling,
    /// Upper end of it in a closed loop.
    pub closed_percentile: Ceiling,
    /// GiB of all volumes together.
    pub size_gib: Option<u64>,
    /// Current size of RDS storage that is modified, GiB; `None` elsewhere.
    pub storage_gib: Option<u64>,
    /// The rule.
    pub rule: SizingRule,
    /// The limit that the run was saturated at; `None` of none, or for no longer than may be throttled.
    pub saturation: Option<Saturation>,
    /// Rates that the instance sustains.
    pub instance: Option<Ceiling>,
    /// True where the run reached the instance's limit.
    pub is_instance_reached: bool,
    /// Most IOPS that one volume reaches on the instance.
    pub max_volume_iops: Option<u64>,
    /// Function that is called before each replay.
    pub pause: &'a dyn Fn(),
}

impl<'a> Sizing<'a> {
    fn new(series: &'a Series, scale: f64, percentile: Ceiling, conditions: &SizingConditions<'a>) -> Sizing<'a> {
        let scaled = Ceiling { iops: percentile.iops * scale, mibps: percentile.mibps * scale };
        let floor =
            conditions.saturation.map_or(Ceiling::default(), |saturation| saturation.floor(conditions.rule.headroom));
        let requirement = Requirement::from_percentile(scaled, conditions.size_gib, conditions.rule)
            .on_storage(conditions.storage_gib)
            .at_least(floor);
        (conditions.pause)();
        let task = Task::new(series, requirement, conditions.rule, conditions.instance)
            .with_steady_floor(floor)
            .with_instance_reached(conditions.is_instance_reached)
            .with_max_volume_iops(conditions.max_volume_iops)
            .with_pause(conditions.pause);
        Sizing { scale, task, requirement: OnceCell::new() }
    }

    /// Requirement: no more than the instance carries, and no less than the replay requires.
    pub fn requirement(&self) -> Requirement {
        *self.requirement.get_or_init(|| replayed_requirement(&self.task))
    }
}

impl<'a> Sizings<'a> {
    /// Sizings for an observed demand, and for that of a closed loop on each type.
    pub fn new(series: &'a Series, demands: &'a [TypeDemand], conditions: &SizingConditions<'a>) -> Sizings<'a> {
        let sizing = |demand: &'a TypeDemand| {
            let percentile = conditions.closed_percentile;
            (demand.volume_type, Sizing::new(&demand.series, demand.scale, percentile, conditions))
        };
        Sizings {
            observed: Sizing::new(series, 1.0, conditions.percentile, conditions),
            types: demands.iter().map(sizing).collect(),
            series,
            demands,
            conditions: *conditions,
        }
    }

    /// Sizings of the same demands under other conditions.
    pub fn with_conditions(&self, conditions: &SizingConditions<'a>) -> Sizings<'a> {
        Sizings::new(self.series, self.demands, conditions)
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
