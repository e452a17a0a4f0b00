//! Evaluation of one candidate against everything that was requested except the budget.

use crate::evaluate::availability::Unavailable;
use crate::evaluate::candidate::{Candidate, Excess};
use crate::evaluate::context::EvaluationContext;
use crate::evaluate::explain::{explain, queue_limit};
use crate::evaluate::reason::Reason;
use crate::evaluate::risk::Risk;
use crate::evaluate::shortage::find_shortage;
use crate::evaluate::{binding, latency};
use crate::prediction::credits::{CreditLoad, effective_ceiling};
use crate::replay::{InstanceLimit, Outcome, TOLERANCE, replay};
use crate::search::{Priced, Shortfall};
use ebs_aws::price::uncertainties;
use ebs_prediction::BindingLimit;
use ebs_prediction::saturation::SURE_WEIGHT;

/// Evaluates one candidate against everything that was requested except the budget.
pub fn evaluate(context: &EvaluationContext, priced: Priced, shortfall: Option<Shortfall>) -> Candidate {
    let Priced { config, volumes, bill } = priced;
    let context = &context.for_type(config.volume_type);
    let is_own_limit = binding::throttles_below_instance(context, &config, volumes, shortfall);
    let context =
        &EvaluationContext { instance_saturation: context.instance_saturation.filter(|_| !is_own_limit), ..*context };
    let request = context.request;
    let series = context.task.series();
    let instance = InstanceLimit::from(request.instance_ceiling(&config, volumes));
    context.task.pause()();
    let replayed = replay(series, &config, volumes, instance, request.rule.followed_pct()).unwrap_or_default();
    let throttled = context.instance_saturation.map(|saturation| saturation.outcome);
    let outcome = throttled.filter(|outcome| outcome.throttled_s > replayed.throttled_s).unwrap_or(replayed);
    let are_prices_known = request.prices.are_known(request.platform);
    let predictor = context.predictor.map(|predictor| predictor.on_volumes(volumes));
    let predictor = predictor.as_deref();
    let load = CreditLoad { predictor, series: context.series, scale: context.scale };
    let ceiling = || effective_ceiling(load, &config, volumes, request).ceiling;
    let expected = predictor.and_then(|predictor| predictor.expect(context.series, config.volume_type, ceiling()));
    let latency_ms = latency::mean_latency_ms(context, config.volume_type, expected.as_ref(), &outcome);
    let mut candidate = Candidate {
        config,
        volumes,
        bill: are_prices_known.then_some(bill),
        order_bill: bill,
        price_uncertainties: uncertainties(&config, &request.prices),
        saving: context.current.filter(|_| are_prices_known).and_then(|one| one.monthly_saving(&config, &bill)),
        scale: context.scale,
        required: context.required_without_instance.max(context.requirement.ceiling()),
        outcome: Some(outcome),
        expected,
        prediction: None,
        device_prediction: None,
        is_wal_alone: false,
        service_times: latency::unqueued_service_times(context, config.volume_type),
        latency_ms,
        queued_latency: latency::queued_latency(context, latency_ms, ceiling),
        queue_limit: None,
        bound: BindingLimit::None,
        feasible: false,
        excess: None,
        missed_targets: Vec::new(),
        risk: Some(risk(context, &outcome)),
        reason: Reason::Unsuitable,
    };
    candidate.missed_targets = missed_targets(context, &candidate);
    match first_violation(context, &candidate, &outcome, shortfall) {
        Some((bound, excess)) => (candidate.bound, candidate.excess) = (bound, excess),
        None => {
            candidate.bound = binding::deciding_limit(context, &candidate);
            candidate.feasible = true;
        }
    }
    candidate.reason = explain(context, &candidate, &outcome, shortfall);
    candidate.queue_limit = queue_limit(context, &candidate);
    if let Some(limit) = candidate.queue_limit.filter(|_| candidate.feasible) {
        let share = limit.delivered_share();
        candidate.risk = candidate.risk.map(|risk| risk.with_delivery(share));
    }
    candidate
}

/// The risk by the replay, one step higher where demand beyond a limit is estimated; at least high where another count of the same
/// requests needs volumes of half or twice as many IOPS.
pub fn risk(context: &EvaluationContext, outcome: &Outcome) -> Risk {
    let max_throttled_pct = context.request.rule.max_throttled_pct;
    let risk = Risk::new(outcome, max_throttled_pct, context.coarse_samples, context.few_samples);
    let risk = if context.saturation.is_some() { risk.higher() } else { risk };
    let risk = plateau_risk(context, outcome).map_or(risk, |plateau| risk.max(plateau));
    if context.risky_count { risk.max(Risk::High) } else { risk }
}

/// The risk by the seconds at the instance's limit, which throttled as those above it do, though a replay of what they delivered throttles
/// none; at most high where the limit is not sure. `None` where the run was at none.
fn plateau_risk(context: &EvaluationContext, outcome: &Outcome) -> Option<Risk> {
    let plateau = context.instance_saturation?.reached?;
    let at_limit = Outcome { throttled_s: plateau.seconds_share * outcome.seconds, ..*outcome };
    let risk = Risk::new(&at_limit, context.request.rule.max_throttled_pct, false, false);
    Some(if plateau.limit.weight >= SURE_WEIGHT { risk } else { risk.min(Risk::High) })
}

/// The first limit that this candidate violates, and the excess over it; performance before promises.
fn first_violation(
    context: &EvaluationContext,
    candidate: &Candidate,
    outcome: &Outcome,
    shortfall: Option<Shortfall>,
) -> Option<(BindingLimit, Option<Excess>)> {
    let request = context.request;
    let characteristics = candidate.config.volume_type.characteristics();
    let excess = |required: f64, limit: f64| Some(Excess { required, limit });
    if characteristics.unfit.is_some() {
        return Some((BindingLimit::Unfit, None));
    }
    if Unavailable::find(context.request, context.current, candidate.config.volume_type).is_some() {
        return Some((BindingLimit::Unavailable, None));
    }
    if let Some(saturation) = context.instance_saturation {
        let (required, baseline) = (context.required_without_instance, saturation.baseline);
        let (required, limit) = match saturation.bound {
            BindingLimit::INSTANCE_THROUGHPUT => (required.mibps, baseline.mibps),
            _ => (required.iops, baseline.iops),
        };
        return Some((saturation.bound, excess(required, limit).filter(|_| required > limit)));
    }
    if let Some(Shortfall { resource, required, max, .. }) = shortfall {
        return Some((resource, excess(required, max)));
    }
    if !outcome.is_within(request.rule.max_throttled_pct) {
        return Some(binding::throttling_limit(context, candidate, outcome));
    }
    if let Some((bound, shortage)) = find_shortage(context, candidate) {
        return Some((bound, excess(shortage.required, shortage.limit)));
    }
    candidate.missed_targets.first().map(|(bound, excess)| (*bound, Some(*excess)))
}

/// Requested durability, latency and throughput that it misses, with the excesses, whatever else it lacks. Where a queue only grows, its
/// latency is at least the service time.
fn missed_targets(context: &EvaluationContext, candidate: &Candidate) -> Vec<(BindingLimit, Excess)> {
    let request = context.request;
    let promised = candidate.durability_pct();
    let durability = request.durability_pct.map(|requested| (BindingLimit::Durability, requested, promised));
    let service_ms = || Some(latency::service_ms(context, candidate.config.volume_type)?.0);
    let latency_ms = candidate.latency_ms.or_else(service_ms);
    let latency = latency_ms.zip(request.latency_target_ms).map(|(ms, target)| (BindingLimit::Latency, ms, target));
    let ratio = candidate.expected.map(|expected| expected.ratio);
    let throughput =
        request.min_throughput_ratio.zip(ratio).map(|(least, ratio)| (BindingLimit::ThroughputRatio, least, ratio));
    let targets = [durability, latency, throughput].into_iter().flatten();
    targets
        .filter(|(_, required, limit)| *required > limit * TOLERANCE)
        .map(|(bound, required, limit)| (bound, Excess { required, limit }))
        .collect()
}
