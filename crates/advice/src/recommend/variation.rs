//! Variations of the request: one argument changed.

use crate::evaluate::binding;
use crate::evaluate::candidate::Candidate;
use crate::evaluate::candidates::best;
use crate::evaluate::context::{EvaluationContext, least};
use crate::request::settings::Request;
use crate::requirement::{Requirement, SizingRule};
use crate::search::Task;

/// Another answer to almost the same question.
#[derive(Clone, Debug, PartialEq)]
pub struct Variation {
    /// The argument that differs.
    pub argument: VariedArgument,
    /// The volumes that would be recommended; `None` if nothing would.
    pub best: Option<Candidate>,
}

/// An argument of the request with another value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum VariedArgument {
    /// percentile: sized for the busiest sample.
    Percentile(f64),
    /// headroom, as a share.
    Headroom(f64),
    /// max_volumes.
    MaxVolumes(u64),
    /// latency_target_ms.
    LatencyTargetMs(f64),
    /// durability_pct.
    DurabilityPct(f64),
}

/// Of the arguments worth trying, those that change what is recommended; where nothing is, those that would.
pub fn variations(context: &EvaluationContext, best: Option<&Candidate>) -> Vec<Variation> {
    let request = context.request;
    let with = |argument: VariedArgument, request: Request| {
        let found = answer(context, &request);
        let what = |candidate: &Candidate| (candidate.config, candidate.volumes);
        let same = found.as_ref().map(what) == best.map(what);
        (!same).then_some(Variation { argument, best: found })
    };
    let rule = |rule: SizingRule| Request { rule, ..request.clone() };
    let mut tried = Vec::new();
    if request.rule.percentile < 100.0 {
        let busiest = rule(SizingRule { percentile: 100.0, ..request.rule });
        tried.push(with(VariedArgument::Percentile(100.0), busiest));
    }
    if request.rule.headroom > 0.0 {
        let bare = rule(SizingRule { headroom: 0.0, ..request.rule });
        tried.push(with(VariedArgument::Headroom(0.0), bare));
    }
    if request.most_volumes() == 1 && !request.platform.is_rds() {
        tried.push(with(VariedArgument::MaxVolumes(4), Request { max_volumes: Some(4), ..request.clone() }));
    }
    if let Some(target) = best.and_then(|best| binding::faster_than(context, best)) {
        let asked = Request { latency_target_ms: Some(target), ..request.clone() };
        tried.push(with(VariedArgument::LatencyTargetMs(target), asked));
    }
    if request.durability_pct.is_none() {
        let durable = Request { durability_pct: Some(99.999), ..request.clone() };
        tried.push(with(VariedArgument::DurabilityPct(99.999), durable));
    }
    tried.into_iter().flatten().collect()
}

/// The recommendation for another request on the same evidence.
fn answer(context: &EvaluationContext, request: &Request) -> Option<Candidate> {
    let size_gib = context.requirement.size_gib;
    let need = match request.rule.percentile == context.request.rule.percentile {
        true => Requirement::from_percentile(context.requirement.percentile, size_gib, request.rule),
        false => Requirement::from_demand(context.demand, size_gib, request.rule, context.task.pause()),
    };
    let task = Task::new(context.task.series(), need, request.rule, request.instance_baseline());
    let task = task.pausing(context.task.pause());
    let found = best(&EvaluationContext {
        request,
        requirement: least(&task),
        required_without_instance: need.ceiling(),
        task: &task,
        ..*context
    });
    found.filter(|found| request.budget_usd.is_none_or(|budget| found.total() <= budget))
}
