//! Scenarios: the demands that volumes are sized for, each with the request that they must meet.

pub(crate) mod alternatives;
pub(crate) mod evaluated_demand;
pub(crate) mod inputs;
mod instance_limit;
pub(crate) mod instance_load;
pub(crate) mod instance_saturation;
mod instance_share;
mod joint_size;
pub(crate) mod loop_demand;
pub(crate) mod part;
pub(crate) mod variation;

use std::borrow::Cow;

use crate::current::bottleneck::Bottleneck;
use crate::current::current_volume::CurrentVolume;
use crate::current::file_parts::FileParts;
use crate::current::saturation::Saturation;
use crate::prediction::predictor::Predictor;
use crate::replay::Series;
use crate::request::settings::Request;
use crate::requirement::{Requirement, SizingRule};
use ebs_aws::catalogue::Ceiling;
use ebs_workload::merging::CountDoubt;
use evaluated_demand::EvaluatedDemand;
use instance_saturation::InstanceSaturation;
use instance_share::instance_share;
use loop_demand::{ClosedLoop, LoopDemand};
use part::Part;

/// A demand, and the request that volumes for it must meet.
#[derive(Clone)]
pub struct Scenario<'a> {
    /// The part of the cluster that the demand is of.
    pub part: &'a Part<'a>,
    /// The request.
    pub request: Cow<'a, Request>,
    /// The demand, unmet demand beyond a limit included.
    pub demand: EvaluatedDemand<'a>,
    /// Its series, which predictions scale.
    pub series: Cow<'a, Series>,
    /// Demand on each type in a closed loop; empty where all types are sized for the demand itself.
    pub loop_demands: Cow<'a, [LoopDemand]>,
    /// Conditions of the sizing.
    pub conditions: Conditions,
    /// Saturation of the instance, if there is one.
    pub instance_saturation: Option<InstanceSaturation>,
    /// Predictor that volumes are ranked by; `None` without the evidence for it.
    pub predictor: Option<&'a Predictor>,
    /// The bottleneck of the database; `None` where the evidence does not say.
    pub bottleneck: Option<Bottleneck>,
    /// The current volumes, as far as they were declared.
    pub current: Option<&'a CurrentVolume>,
    /// True where the database is predicted on the volumes of several scenarios together: what those of one deliver at the observed queue
    /// depth then says nothing.
    pub is_joint: bool,
}

/// Throughput relative to the current one at which it is kept. A choice.
pub(crate) const KEPT_RATIO: f64 = 0.95;

/// The least share of the throughput without a limit that can be requested: the current throughput then decides.
const MIN_KEPT_SHARE: f64 = 0.5;

/// Conditions of a sizing that do not depend on the type.
#[derive(Clone, Copy)]
pub struct Conditions {
    /// Upper end of the percentile of the demand.
    pub percentile: Ceiling,
    /// GiB of all volumes together.
    pub size_gib: Option<u64>,
    /// The limit that the run was saturated at; `None` of none, or for no longer than may be throttled.
    pub saturation: Option<Saturation>,
    /// Rates that the instance sustains.
    pub instance: Option<Ceiling>,
    /// True where the run reached the instance's limit.
    pub is_instance_reached: bool,
}

impl<'a> Scenario<'a> {
    /// The demand on a part as observed, on an instance with this saturation.
    pub fn observed(part: &'a Part<'a>, instance_saturation: Option<InstanceSaturation>) -> Scenario<'a> {
        let request = part.inputs.request;
        let percentile = part.percentile(request.rule);
        let max_throttled_pct = request.rule.max_throttled_pct;
        let is_accepted = |saturation: &Saturation| 100.0 * saturation.limit.seconds_share <= max_throttled_pct;
        Scenario {
            part,
            request: Cow::Borrowed(request),
            demand: EvaluatedDemand::new(Cow::Borrowed(part.demand())),
            series: Cow::Borrowed(part.series()),
            loop_demands: Cow::Borrowed(&part.loop_demands),
            conditions: Conditions {
                percentile,
                size_gib: part.state.size.size_gib,
                saturation: part.state.saturation.filter(|saturation| !is_accepted(saturation)),
                instance: part.instance_ceiling(),
                is_instance_reached: part.reached_instance().is_some(),
            },
            instance_saturation,
            predictor: part.state.sizing_predictor(),
            bottleneck: part.state.bottleneck.ok(),
            current: part.current.as_ref(),
            is_joint: false,
        }
    }

    /// The same on the share of the instance that the other volumes leave, by the percentile of the demand on all of them.
    pub fn on_instance_share(self, all: Ceiling) -> Scenario<'a> {
        let share = |instance| instance_share(instance, self.conditions.percentile, all);
        let instance = self.conditions.instance.map(share);
        Scenario { conditions: Conditions { instance, ..self.conditions }, ..self }
    }

    /// The same, borrowed.
    fn borrowed(&'a self) -> Scenario<'a> {
        Scenario {
            request: Cow::Borrowed(&*self.request),
            demand: self.demand.borrowed(),
            series: Cow::Borrowed(&*self.series),
            loop_demands: Cow::Borrowed(&*self.loop_demands),
            ..*self
        }
    }

    /// The same demand with another request.
    pub fn with_request(&'a self, request: Request) -> Scenario<'a> {
        let conditions = if request.rule.percentile == self.request.rule.percentile {
            self.conditions
        } else {
            let varied = Requirement::from_demand(&self.demand.source, None, request.rule, self.part.inputs.pause);
            let percentile = varied.percentile;
            Conditions { percentile, ..self.conditions }
        };
        let keeps_as_much = request.rule.keep_throughput == self.request.rule.keep_throughput;
        let scenario = Scenario { request: Cow::Owned(request), conditions, ..self.borrowed() };
        match self.loop_demands.first().filter(|_| !keeps_as_much).map(|demand| demand.weight) {
            Some(weight) => {
                let loop_demands = scenario.loop_of_weight(weight).demands();
                Scenario { loop_demands: Cow::Owned(loop_demands), ..scenario }
            }
            None => scenario,
        }
    }

    /// The same demand on volumes of another size, GiB.
    pub fn with_size(&'a self, size_gib: u64) -> Scenario<'a> {
        Scenario { conditions: Conditions { size_gib: Some(size_gib), ..self.conditions }, ..self.borrowed() }
    }

    /// The observed demand on all types, as if clients kept their pace.
    pub fn peak(&'a self) -> Scenario<'a> {
        Scenario { loop_demands: Cow::Borrowed(&[]), ..self.borrowed() }
    }

    /// The demand of a closed loop on each type, where it is not known that there is one.
    pub fn closed_loop(&'a self) -> Scenario<'a> {
        Scenario { loop_demands: Cow::Owned(self.loop_of_weight(1.0).demands()), ..self.borrowed() }
    }

    /// The same demand on volumes that keep the current throughput, however little of that without a limit, and whatever they cost.
    pub fn keeping_throughput(&'a self) -> Scenario<'a> {
        let least = self.request.min_throughput_ratio.unwrap_or_default().max(KEPT_RATIO);
        let rule = SizingRule { keep_throughput: MIN_KEPT_SHARE, ..self.request.rule };
        let request = Request::clone(&self.request);
        self.with_request(Request { rule, min_throughput_ratio: Some(least), budget_usd: None, ..request })
    }

    /// The other count of the requests, on an instance with this saturation by it; `None` where there is no doubt. The instance delivers its
    /// baseline, but for a plateau of throughput.
    pub fn other_count(&'a self, instance_saturation: Option<InstanceSaturation>) -> Option<Scenario<'a>> {
        let demand = self.part.state.other_count()?;
        let percentile = Requirement::from_demand(&demand, None, self.request.rule, self.part.inputs.pause).percentile;
        let is_instance_reached = self.part.reached_instance_throughput().is_some();
        let baseline = self.request.instance_baseline();
        let instance = if is_instance_reached { self.conditions.instance } else { baseline };
        let saturation = None;
        Some(Scenario {
            series: Cow::Owned(Series::new(&demand)),
            demand: EvaluatedDemand::new(Cow::Owned(demand)),
            loop_demands: Cow::Borrowed(&[]),
            conditions: Conditions { percentile, saturation, instance, is_instance_reached, ..self.conditions },
            instance_saturation,
            predictor: None,
            ..self.borrowed()
        })
    }

    /// The demand of a part of the database's files on volumes of their own, of which nothing is predicted: the prediction is of both parts.
    pub fn of_files(&'a self, parts: &'a FileParts, is_wal: bool, request: Cow<'a, Request>) -> Scenario<'a> {
        let files = if is_wal { &parts.wal } else { &parts.data };
        let pause = self.part.inputs.pause;
        let percentile = Requirement::from_demand(&files.demand, None, request.rule, pause).percentile;
        let closed_loop = self.loop_of_weight(self.part.state.load.closed_weight);
        let scenario = Scenario {
            request,
            demand: EvaluatedDemand::new(Cow::Borrowed(&files.demand)),
            series: Cow::Borrowed(&files.series),
            loop_demands: Cow::Owned(closed_loop.demands_of_files(parts, is_wal)),
            conditions: Conditions { percentile, size_gib: files.size_gib, ..self.conditions },
            predictor: None,
            bottleneck: None,
            current: None,
            is_joint: true,
            ..self.borrowed()
        };
        scenario.on_instance_share(self.conditions.percentile)
    }

    /// The loop of its part with another weight.
    fn loop_of_weight(&self, weight: f64) -> ClosedLoop<'_> {
        let Part { state, inputs, .. } = self.part;
        ClosedLoop { state, weight, rule: self.request.rule, pause: inputs.pause }
    }

    /// True where another count of the same requests needs far other volumes.
    pub fn has_risky_count(&self) -> bool {
        self.part.state.count_doubt.as_ref().is_some_and(CountDoubt::is_risky)
    }
}
