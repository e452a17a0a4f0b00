//! Sizing of each type: an open loop asks every volume for the same, a closed one keeps its throughput by what the type answers.

use ebs_base::ramp::weighted_mean;
use std::cell::OnceCell;
use std::rc::Rc;

use crate::prediction::kept_throughput::KeptThroughput;
use crate::replay::{Loaded, Series};
use crate::requirement::Requirement;
use crate::scenario::Scenario;
use crate::scenario::loop_demand::LoopDemand;
use crate::search::{Task, TaskLoad};
use ebs_aws::catalogue::{Ceiling, Instance, VolumeType};

/// Task of the search for volumes of a type.
pub struct Sizing<'a> {
    /// Demand over the observed demand: a closed loop asks a slower volume for less.
    pub scale: f64,
    /// This demand, without headroom.
    series: Loaded<'a>,
    /// The task.
    pub task: Task<'a>,
    /// Weight of the closed loop, 0 to 1.
    pub closed_weight: f64,
    /// The throughput that its volumes keep, where the load is surely a closed loop.
    pub kept: Option<KeptThroughput>,
    max_throttled_pct: f64,
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
    /// The sizing for an open loop: the percentile of its demand with headroom, and what the replay requires of it.
    fn open(scenario: &'a Scenario<'a>) -> Sizing<'a> {
        let (conditions, rule) = (&scenario.conditions, scenario.request.rule);
        let requirement = Requirement::from_percentile(conditions.percentile, conditions.size_gib, rule);
        let load = TaskLoad::open(&scenario.series, rule);
        Sizing {
            scale: 1.0,
            series: Loaded::Recorded(&scenario.series),
            closed_weight: 0.0,
            kept: None,
            task: task(scenario, load, requirement, rule.headroom),
            // A part of the demand leaves the rest to wait.
            max_throttled_pct: if rule.headroom < 0.0 { 100.0 } else { rule.max_throttled_pct },
            requirement: OnceCell::new(),
        }
    }

    /// The sizing for a closed loop by its weight, from that for an open one at none: the least limits that keep its throughput, whatever
    /// share of the time they are reached in.
    fn closed(scenario: &'a Scenario<'a>, demand: &LoopDemand, open: &Sizing<'a>) -> Sizing<'a> {
        let (conditions, rule, weight) = (&scenario.conditions, scenario.request.rule, demand.weight);
        let is_sure = weight >= 1.0;
        let with_headroom = |ceiling: Ceiling| ceiling.times(1.0 + rule.closed_headroom);
        let least = if is_sure { Ceiling::default() } else { open.task.min_ceiling() };
        let required = blend(least, with_headroom(demand.kept.ceiling), weight);
        let load = TaskLoad {
            series: match is_sure {
                true => Loaded::Scaled(Rc::clone(&demand.series)),
                false => scenario.series.loaded(over(required, least).times(1.0 + rule.headroom)),
            },
            recorded: Loaded::Scaled(Rc::clone(&demand.series)),
            sustained: blend(open.task.sustained(), with_headroom(demand.kept.at.used), weight),
            // Each rate may throttle as much as in an open loop, and both together, the nearer to a closed one, twice as much, which nothing
            // exceeds; in a closed one nothing is asked for that is not answered.
            max_throttled: if is_sure { 1.0 } else { (1.0 + weight) * rule.max_throttled() },
        };
        let headroom = weighted_mean(1.0 + rule.headroom, 1.0 + rule.closed_headroom, weight) - 1.0;
        let percentile = conditions.percentile.times(demand.scale);
        let requirement = Requirement {
            iops: required.iops,
            mibps: required.mibps,
            ..Requirement::from_percentile(percentile, conditions.size_gib, rule)
        };
        Sizing {
            scale: demand.scale,
            series: Loaded::Scaled(Rc::clone(&demand.series)),
            closed_weight: weight,
            kept: is_sure.then_some(demand.kept),
            task: task(scenario, load, requirement, headroom),
            max_throttled_pct: 100.0 * (rule.max_throttled_pct / 100.0).powf(1.0 - weight),
            requirement: OnceCell::new(),
        }
    }

    /// The demand, without headroom.
    pub fn series(&self) -> &Series {
        &self.series
    }

    /// Share of the time that may be throttled without a risk, per cent: in a closed loop all of it, as its loss of throughput counts.
    pub fn max_throttled_pct(&self) -> f64 {
        self.max_throttled_pct
    }

    /// Requirement: no more than the instance carries, and no less than the replay requires.
    pub fn requirement(&self) -> Requirement {
        *self.requirement.get_or_init(|| replayed_requirement(&self.task))
    }
}

/// The task of a scenario for a load; a demand that was cut off is not met by a smaller limit than the one with this headroom.
fn task<'a>(scenario: &Scenario<'a>, load: TaskLoad<'a>, requirement: Requirement, headroom: f64) -> Task<'a> {
    let (conditions, request, pause) = (&scenario.conditions, &scenario.request, scenario.part.inputs.pause);
    let floor = conditions.saturation.map_or(Ceiling::default(), |saturation| saturation.floor(headroom));
    let requirement = requirement.on_storage(scenario.part.state.size.storage_gib).at_least(floor);
    pause();
    Task::new(load, requirement, request.rule.percentile, conditions.instance)
        .with_steady_floor(floor)
        .with_instance_reached(conditions.is_instance_reached)
        .with_max_volume_iops(request.instance.and_then(Instance::max_volume_iops))
        .with_pause(pause)
}

/// Ratio of each rate; 1 where there is none.
fn over(one: Ceiling, other: Ceiling) -> Ceiling {
    let ratio = |one: f64, other: f64| if other > 0.0 { one / other } else { 1.0 };
    Ceiling { iops: ratio(one.iops, other.iops), mibps: ratio(one.mibps, other.mibps) }
}

/// Geometric mean of each rate, by the weight of the closed loop; its own at 1.
fn blend(open: Ceiling, closed: Ceiling, weight: f64) -> Ceiling {
    let mean = |open: f64, closed: f64| match open > 0.0 && weight < 1.0 {
        true => open * (closed / open).powf(weight),
        false => closed,
    };
    Ceiling { iops: mean(open.iops, closed.iops), mibps: mean(open.mibps, closed.mibps) }
}

impl<'a> Sizings<'a> {
    /// Sizings for the demand of a scenario, and for that of a closed loop on each type.
    pub fn new(scenario: &'a Scenario<'a>) -> Sizings<'a> {
        let observed = Sizing::open(scenario);
        let of_type = |demand: &LoopDemand| (demand.volume_type, Sizing::closed(scenario, demand, &observed));
        let types = scenario.loop_demands.iter().map(of_type).collect();
        Sizings { scenario, observed, types }
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
