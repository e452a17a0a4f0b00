//! Evaluation of one candidate against everything that was asked for but the budget.

use crate::evaluate::bound::Bound;
use crate::evaluate::candidate::{Candidate, Excess};
use crate::evaluate::context::EvaluationContext;
use crate::evaluate::explain::explain;
use crate::evaluate::reason::Reason;
use crate::evaluate::risk::Risk;
use crate::evaluate::{binding, latency};
use crate::prediction::predictor::carried;
use crate::replay::{InstanceLimit, Outcome, TOLERANCE, replay};
use crate::search::{Priced, Shortfall};
use ebs_aws::price::uncertainties;

/// One candidate against everything that was asked for but the budget.
pub fn evaluate(context: &EvaluationContext, found: Priced, short: Option<Shortfall>) -> Candidate {
    let request = context.request;
    let Priced { config, volumes, bill } = found;
    let instance = InstanceLimit::from(request.instance_baseline());
    let allowed = request.rule.max_throttled_pct;
    context.task.pause()();
    let own = replay(context.task.series(), &config, volumes, instance, allowed).unwrap_or_default();
    let outcome = match context.instance_short {
        Some(short) if short.outcome.throttled_s > own.throttled_s => short.outcome,
        _ => own,
    };
    let ceiling = carried(context.task.series(), &config, volumes, allowed, Some(&own));
    let expected = context.predictor.and_then(|predictor| {
        let service = predictor.service(config.volume_type)?;
        Some(predictor.expect(context.task.series(), service, ceiling))
    });
    let mut candidate = Candidate {
        config,
        volumes,
        bill: Some(bill),
        price_uncertainties: uncertainties(&config, &request.prices),
        saved: context.current.and_then(|present| present.saved(&bill)),
        outcome: Some(outcome),
        expected,
        prediction: None,
        latency_ms: latency::mean_latency_ms(context, config.volume_type, expected.as_ref(), &outcome),
        bound: Bound::None,
        feasible: false,
        missed: None,
        risk: Some(risk(context, &outcome)),
        reason: Reason::Unsuitable,
    };
    match broken(context, &candidate, &outcome, short) {
        Some((bound, missed)) => (candidate.bound, candidate.missed) = (bound, missed),
        None => {
            candidate.bound = binding::deciding(context, &candidate);
            candidate.feasible = true;
        }
    }
    candidate.reason = explain(context, &candidate, &outcome, short);
    candidate
}

/// The risk by the replay, one step higher where demand beyond a limit is estimated.
fn risk(context: &EvaluationContext, outcome: &Outcome) -> Risk {
    let risk = Risk::new(outcome, context.request.rule.max_throttled_pct, context.coarse, context.few);
    if context.saturation.is_some() { risk.higher() } else { risk }
}

/// The first limit that this candidate breaks, and by how much; performance before promises.
fn broken(
    context: &EvaluationContext,
    candidate: &Candidate,
    outcome: &Outcome,
    short: Option<Shortfall>,
) -> Option<(Bound, Option<Excess>)> {
    let request = context.request;
    let characteristics = candidate.config.volume_type.characteristics();
    let missed = |needed: f64, most: f64| Some(Excess { needed, most });
    let allowed = request.rule.max_throttled_pct;
    if characteristics.unfit.is_some() {
        return Some((Bound::Unfit, None));
    }
    if let Some(short) = context.instance_short {
        let (wanted, baseline) = (context.required_without_instance, short.baseline);
        return Some(match short.bound {
            Bound::InstanceThroughput => (short.bound, missed(wanted.mibps, baseline.mibps)),
            bound => (bound, missed(wanted.iops, baseline.iops)),
        });
    }
    if let Some(short) = short {
        return Some((binding::bound_of(short.lack), missed(short.needed, short.most)));
    }
    if !outcome.within(allowed) {
        return Some(binding::throttling(context, candidate, outcome));
    }
    let promised = candidate.config.volume_type.durability_pct();
    if let Some(asked) = request.durability_pct.filter(|asked| promised < *asked) {
        return Some((Bound::Durability, missed(asked, promised)));
    }
    if let (Some(target), Some(given)) = (request.latency_target_ms, candidate.latency_ms)
        && given > target * TOLERANCE
    {
        return Some((Bound::Latency, missed(given, target)));
    }
    if let (Some(asked), Some(expected)) = (request.min_throughput_ratio, candidate.expected)
        && expected.ratio * TOLERANCE < asked
    {
        return Some((Bound::ThroughputRatio, missed(asked, expected.ratio)));
    }
    None
}
