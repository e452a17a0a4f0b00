//! Variations of the request: one argument changed.

use crate::evaluate::binding;
use crate::evaluate::candidate::Candidate;
use crate::evaluate::candidates::best;
use crate::evaluate::context::EvaluationContext;
use crate::evaluate::sizing::SizingConditions;
use crate::request::settings::Request;
use crate::requirement::{Requirement, SizingRule};
use ebs_base::units::Usd;

/// A variation of the request and its recommendation.
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

/// Numbers of volumes that are tried in turn where the request has no answer. A choice.
const STRIPES: [u64; 4] = [2, 4, 8, 16];

/// Lists the variations that change the recommendation, or that have one where the request has none, within this budget: the part of
/// the request's that the other roles leave.
pub fn variations(context: &EvaluationContext, best: Option<&Candidate>, budget: Option<Usd>) -> Vec<Variation> {
    let request = context.request;
    let with = |argument: VariedArgument, request: Request| {
        let varied = recommend(context, &Request { budget_usd: budget, ..request });
        let volumes = |candidate: &Candidate| (candidate.config, candidate.volumes);
        let changes = varied.as_ref().map(volumes) != best.map(volumes);
        changes.then_some(Variation { argument, best: varied })
    };
    let with_rule = |rule: SizingRule| Request { rule, ..request.clone() };
    let mut variations = Vec::new();
    if request.rule.percentile < 100.0 {
        let busiest = with_rule(SizingRule { percentile: 100.0, ..request.rule });
        variations.push(with(VariedArgument::Percentile(100.0), busiest));
    }
    if request.rule.headroom > 0.0 {
        let bare = with_rule(SizingRule { headroom: 0.0, ..request.rule });
        variations.push(with(VariedArgument::Headroom(0.0), bare));
    }
    let mut stripes = tried_stripes(request, best).map(|volumes| {
        with(VariedArgument::MaxVolumes(volumes), Request { max_volumes: Some(volumes), ..request.clone() })
    });
    variations.push(stripes.find_map(|stripe| stripe).map(with_own_number));
    if let Some(target) = best.and_then(|best| binding::io2_latency_target(context, best)) {
        let faster = Request { latency_target_ms: Some(target), ..request.clone() };
        variations.push(with(VariedArgument::LatencyTargetMs(target), faster));
    }
    if request.durability_pct.is_none() {
        let durable = Request { durability_pct: Some(99.999), ..request.clone() };
        variations.push(with(VariedArgument::DurabilityPct(99.999), durable));
    }
    variations.into_iter().flatten().collect()
}

/// Numbers of volumes above the request's that are tried: four where it has an answer of one volume, else [`STRIPES`]; none on RDS,
/// which makes its stripes itself.
fn tried_stripes(request: &Request, best: Option<&Candidate>) -> impl Iterator<Item = u64> {
    let max_stripe = request.max_stripe();
    let tried: &[u64] = match best {
        _ if request.platform.is_rds() => &[],
        Some(_) if max_stripe > 1 => &[],
        Some(_) => &[4],
        None => &STRIPES,
    };
    tried.iter().copied().filter(move |volumes| *volumes > max_stripe)
}

/// The variation with the number of volumes that it recommends, which gives the same volumes.
fn with_own_number(stripe: Variation) -> Variation {
    let number = stripe.best.as_ref().map(|best| VariedArgument::MaxVolumes(best.volumes));
    Variation { argument: number.unwrap_or(stripe.argument), ..stripe }
}

/// Recommends volumes for another request on the same evidence.
fn recommend(context: &EvaluationContext, request: &Request) -> Option<Candidate> {
    let sizings = context.sizings?;
    let mut conditions = SizingConditions { rule: request.rule, ..sizings.conditions };
    if request.rule.percentile != context.request.rule.percentile {
        let requirement = Requirement::from_demand(context.demand.source, None, request.rule, conditions.pause);
        (conditions.percentile, conditions.closed_percentile) = (requirement.percentile, requirement.percentile);
    }
    let sizings = sizings.with_conditions(&conditions);
    let context = EvaluationContext { request, sizings: Some(&sizings), ..*context };
    let best = best(&context.with_sizing(&sizings.observed));
    best.filter(|best| request.budget_usd.is_none_or(|budget| best.total() <= budget))
}
