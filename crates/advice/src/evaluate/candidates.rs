//! Candidates of every type, and their order.

use ebs_prediction::BindingLimit;
use std::ops::RangeInclusive;

use crate::evaluate::candidate::{Candidate, Excess, max_durable_volumes};
use crate::evaluate::context::EvaluationContext;
use crate::evaluate::evaluation::evaluate;
use crate::evaluate::latency::ServiceTimes;
use crate::evaluate::latency_search;
use crate::evaluate::reason::Reason;
use crate::evaluate::shortage::shortage_of;
use crate::evaluate::successor::with_current_limits;
use crate::request::settings::Request;
use crate::search::{Priced, best_of_type};
use ebs_aws::catalogue::{Class, Platform, Purpose, VolumeConfig, VolumeType, classes_of};
use ebs_aws::price::{Bill, order_bill};
use ebs_base::units::Usd;

/// Finds the cheapest candidate that meets everything that was requested except the budget.
pub fn best(context: &EvaluationContext) -> Option<Candidate> {
    if context.instance_saturation.is_some() {
        return None;
    }
    let request = context.request;
    let fit = VolumeType::suitable();
    let counts = |volume_type| 1..=durable_stripe(request, volume_type).max(1);
    let cheapest = fit.filter_map(|volume_type| {
        let task = context.for_type(volume_type).task;
        best_of_type(volume_type, request.platform, &request.prices, counts(volume_type), task)?.ok()
    });
    let mut cheapest: Vec<Priced> = cheapest.collect();
    cheapest.sort_by_key(Priced::order);
    let mut best: Option<Candidate> = None;
    for priced in cheapest {
        if best.as_ref().is_some_and(|best| best.order() <= priced.order()) {
            break;
        }
        let candidate = evaluate(context, priced, None);
        // A faster one is dearer, perhaps than the next type.
        let faster = latency_search::search_faster(context, &candidate, counts(priced.config.volume_type));
        let candidate = faster.unwrap_or(candidate);
        if candidate.feasible && best.as_ref().is_none_or(|best| candidate.order() < best.order()) {
            best = Some(candidate);
        }
    }
    let successor = with_current_limits(context, best.as_slice());
    best.into_iter().chain(successor).min_by_key(Candidate::order)
}

/// Lists the candidates of every type, evaluated without the budget; in no order.
pub fn candidates(context: &EvaluationContext) -> Vec<Candidate> {
    let mut candidates: Vec<Candidate> =
        VolumeType::ALL.into_iter().flat_map(|volume_type| candidates_of_type(context, volume_type)).collect();
    candidates.extend(with_current_limits(context, &candidates));
    candidates.extend(near_misses(context, &candidates));
    candidates
}

/// Sorts candidates: feasible ones first, cheapest first; then the others by their peak demand over the limit; then the types
/// that are not to be had; last those that are unsuitable for a database.
pub fn rank(candidates: &mut [Candidate]) {
    candidates.sort_by(|a, b| {
        let unfit = |c: &Candidate| match c.bound {
            BindingLimit::Unfit => 2,
            BindingLimit::Unavailable => 1,
            _ => 0,
        };
        let peak = |c: &Candidate| c.outcome.map_or(f64::INFINITY, |outcome| outcome.peak);
        let by_peak = if a.feasible { std::cmp::Ordering::Equal } else { peak(a).total_cmp(&peak(b)) };
        b.feasible.cmp(&a.feasible).then(unfit(a).cmp(&unfit(b))).then(by_peak).then_with(|| a.order().cmp(&b.order()))
    });
}

/// Marks candidates as infeasible that exceed the budget together with the other roles, whose cheapest cost `others`.
pub fn apply_budget(candidates: &mut [Candidate], budget: Usd, others: Usd) {
    for candidate in candidates.iter_mut().filter(|candidate| candidate.feasible) {
        let total = candidate.total() + others;
        if total > budget {
            let dollars = |amount: Usd| amount.cents() as f64 / 100.0;
            candidate.feasible = false;
            candidate.bound = BindingLimit::Budget;
            candidate.excess = Some(Excess { required: dollars(total), limit: dollars(budget) });
            candidate.reason = Reason::OverBudget { excess: total - budget, others };
        }
    }
}

/// Most volumes in a stripe of a type with the requested durability; zero where not even one volume has it.
fn durable_stripe(request: &Request, volume_type: VolumeType) -> u64 {
    max_durable_volumes(volume_type, request.max_stripe(), request.durability_pct)
}

/// One volume of the type; the cheapest stripe, where stripes are allowed and it is cheaper or alone sufficient; and a stripe
/// that is cheaper still, and lacks nothing but the requested durability.
fn candidates_of_type(context: &EvaluationContext, volume_type: VolumeType) -> Vec<Candidate> {
    if volume_type == VolumeType::InstanceStore {
        return instance_store(context).into_iter().collect();
    }
    if volume_type.characteristics().unfit.is_some() {
        return unsuitable(context, volume_type).into_iter().collect();
    }
    let max_volumes = context.request.max_stripe();
    let durable = durable_stripe(context.request, volume_type).max(1);
    let best = |counts: RangeInclusive<u64>| {
        if counts.is_empty() { None } else { latency_search::cheapest(context, volume_type, counts) }
    };
    let mut candidates = with_stripe(context, best(1..=1), best(2..=durable));
    // More volumes of a type that has the durability alone.
    let fragile = best((durable + 1)..=max_volumes).filter(|stripe| suffices(context, stripe));
    let is_cheaper = |fragile: &Candidate| {
        let mut sufficient = candidates.iter().filter(|candidate| suffices(context, candidate));
        sufficient.all(|candidate| fragile.total() < candidate.total())
    };
    candidates.extend(fragile.filter(is_cheaper));
    candidates
}

/// One volume, and the stripe where it is cheaper or alone sufficient.
fn with_stripe(context: &EvaluationContext, single: Option<Candidate>, stripe: Option<Candidate>) -> Vec<Candidate> {
    let Some(stripe) = stripe else { return single.into_iter().collect() };
    let Some(single) = single else { return vec![stripe] };
    match (suffices(context, &single), suffices(context, &stripe)) {
        (true, true) if stripe.total() < single.total() => vec![single, stripe],
        (true, _) | (false, false) => vec![single],
        // Where the limits of one volume are too low, a stripe that fails for another reason is the nearer miss.
        (false, true) if stripe.feasible || context.instance_saturation.is_some() => vec![single, stripe],
        (false, true) => vec![stripe],
    }
}

/// True where its size, IOPS and throughput suffice, whatever else does not: where the instance binds, for all that it carries.
fn suffices(context: &EvaluationContext, candidate: &Candidate) -> bool {
    if context.instance_saturation.is_some() {
        return candidate.reaches(&context.for_type(candidate.config.volume_type).requirement);
    }
    // A feasible one is bound by the limit that decided its provisioning.
    let is_short = matches!(
        candidate.bound,
        BindingLimit::Size | BindingLimit::VOLUME_IOPS | BindingLimit::VOLUME_THROUGHPUT | BindingLimit::Credits
    );
    candidate.feasible || !is_short
}

/// The smallest volume of an unsuitable type, which needs no search.
fn unsuitable(context: &EvaluationContext, volume_type: VolumeType) -> Option<Candidate> {
    evaluate_single(context, least(context, volume_type)?)
}

/// The smallest volume of a type with the required size; `None` where none is as large, or the type is not sold.
fn least(context: &EvaluationContext, volume_type: VolumeType) -> Option<VolumeConfig> {
    let (platform, size_gib) = (context.request.platform, context.requirement.size_gib.unwrap_or(1));
    let least = |class: &Class| Some(VolumeConfig { platform, ..class.least(size_gib, 0, 0)? });
    classes_of(platform, volume_type, Purpose::Any).find_map(least)
}

/// Evaluates one volume that was not searched for; `None` where its price is not known.
fn evaluate_single(context: &EvaluationContext, config: VolumeConfig) -> Option<Candidate> {
    let bill = order_bill(&config, 1, &context.request.prices)?;
    Some(evaluate(context, Priced { config, volumes: 1, bill }, None))
}

/// The rows that readers expect: gp3 with its included limits, at the recommended size and, where RDS includes fewer in smaller
/// volumes, at the required size; and gp2 of the required size.
fn near_misses(context: &EvaluationContext, candidates: &[Candidate]) -> Vec<Candidate> {
    let is_single = |c: &&Candidate| c.config.volume_type == VolumeType::Gp3 && c.volumes == 1;
    let included = candidates.iter().find(is_single).and_then(|single| {
        let (platform, size_gib) = (context.request.platform, single.config.size_gib);
        VolumeConfig::new(platform, VolumeType::Gp3, size_gib, None, None).ok()
    });
    let limits = |config: &VolumeConfig| (config.iops, config.throughput_mibps);
    let is_smaller = |least: &VolumeConfig| included.as_ref().is_none_or(|included| limits(included) != limits(least));
    let smallest = least(context, VolumeType::Gp3).filter(is_smaller);
    let included = included.into_iter().chain(smallest).filter_map(|config| evaluate_single(context, config));
    let included = included.map(|candidate| with_shortage(context, candidate));
    let required_size = least(context, VolumeType::Gp2).and_then(|config| evaluate_single(context, config));
    let is_new = |candidate: &Candidate| {
        candidates.iter().all(|known| (known.config, known.volumes) != (candidate.config, candidate.volumes))
    };
    included.chain(required_size).filter(is_new).collect()
}

/// Volumes that serve the recorded seconds, and not the requirement, whose percentile and headroom may be above all of them: as a miss.
fn with_shortage(context: &EvaluationContext, candidate: Candidate) -> Candidate {
    let required = context.for_type(candidate.config.volume_type).task.requirement().ceiling();
    match shortage_of(required, candidate.config.ceiling(candidate.volumes)).filter(|_| candidate.feasible) {
        Some((bound, shortage)) => Candidate {
            feasible: false,
            bound,
            excess: Some(Excess { required: shortage.required, limit: shortage.limit }),
            reason: Reason::Shortage(shortage),
            ..candidate
        },
        None => candidate,
    }
}

/// The disk of the instance, for comparison: without price and known limits, and unsuitable.
fn instance_store(context: &EvaluationContext) -> Option<Candidate> {
    let volume_type = VolumeType::InstanceStore;
    let platform = context.request.platform;
    let config = VolumeConfig {
        platform,
        volume_type,
        size_gib: context.requirement.size_gib.unwrap_or(1),
        iops: 0,
        throughput_mibps: 0,
    };
    (platform == Platform::Ec2).then(|| Candidate {
        config,
        volumes: 1,
        bill: None,
        order_bill: Bill::default(),
        price_uncertainties: Vec::new(),
        saving: None,
        scale: 1.0,
        required: context.required_without_instance,
        outcome: None,
        expected: None,
        prediction: None,
        device_prediction: None,
        is_wal_alone: false,
        service_times: Some(ServiceTimes::published(volume_type)),
        latency_ms: None,
        queued_latency: None,
        queue_limit: None,
        bound: BindingLimit::Unfit,
        feasible: false,
        excess: None,
        missed_targets: Vec::new(),
        risk: None,
        reason: Reason::Unsuitable,
    })
}
