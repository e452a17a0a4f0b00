//! Candidates of every type, and their order.

use crate::evaluate::candidate::{Candidate, Excess};
use crate::evaluate::cheapest::{cheapest_of_type, durable_stripe};
use crate::evaluate::evaluation::evaluate;
use crate::evaluate::latency::ServiceTimes;
use crate::evaluate::provisioning::Basis;
use crate::evaluate::reason::Reason;
use crate::evaluate::relaxed::{MAX_PRICE_FACTOR, for_less};
use crate::evaluate::successor::{is_replaced, with_current_limits};
use crate::request::settings::Request;
use crate::requirement::SizingRule;
use crate::scenario::Scenario;
use crate::scenario::inputs::Extent;
use crate::search::{Found, Priced};
use crate::sizing::sizings::Sizings;
use ebs_aws::catalogue::{Class, Platform, Purpose, VolumeConfig, VolumeType, classes_of};
use ebs_aws::price::{Bill, order_bill};
use ebs_base::units::Usd;
use ebs_prediction::BindingLimit;

/// Lists the candidates of every type, evaluated without the budget; in no order. For a decision alone only those of suitable types, where
/// one of them meets the request: the others are rows for a reader.
pub fn candidates(sizings: &Sizings) -> Vec<Candidate> {
    let of_types = |is_fit| {
        let types = VolumeType::ALL.into_iter().filter(move |one| one.characteristics().unfit.is_none() == is_fit);
        types.flat_map(|volume_type| candidates_of_type(sizings, volume_type)).collect::<Vec<Candidate>>()
    };
    let mut candidates = of_types(true);
    candidates.extend(with_current_limits(sizings, &candidates));
    let best = cheapest_feasible(&candidates);
    let less = for_less(sizings, best);
    candidates.extend(less);
    let scenario = sizings.scenario;
    let is_decision = scenario.part.inputs.extent == Extent::Decision && scenario.request.budget_usd.is_none();
    if is_decision && candidates.iter().any(|candidate| candidate.feasible) {
        return candidates;
    }
    candidates.extend(of_types(false));
    let best = cheapest_feasible(&candidates);
    let others = best.map_or_else(Vec::new, |best| other_shares(sizings, best));
    let rows = others.into_iter().chain(near_misses(sizings, &candidates)).collect();
    add_new(&mut candidates, rows);
    candidates
}

fn cheapest_feasible(candidates: &[Candidate]) -> Option<&Candidate> {
    candidates.iter().filter(|candidate| candidate.feasible).min_by_key(|candidate| candidate.order())
}

/// Adds candidates that are not there yet.
fn add_new(candidates: &mut Vec<Candidate>, more: Vec<Candidate>) {
    for candidate in more {
        if candidates.iter().all(|known| (known.config, known.volumes) != (candidate.config, candidate.volumes)) {
            candidates.push(candidate);
        }
    }
}

/// Sorts candidates: feasible ones first, cheapest first, but of the previous generation behind its successor where that is not much dearer;
/// then the others by their peak demand over the limit; then the types that are not to be had; last those that are unsuitable for a database.
pub fn rank(scenario: &Scenario, mut candidates: Vec<Candidate>) -> Vec<Candidate> {
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
    let first = candidates.first().filter(|first| first.feasible);
    let successor = first.and_then(|first| candidates.iter().position(|other| is_replaced(first, other, scenario)));
    if let Some(successor) = successor {
        candidates[..=successor].rotate_right(1);
    }
    candidates
}

/// A candidate within a budget, of which the other roles' cheapest volumes take `others`; an infeasible one where it exceeds that.
pub fn within_budget(candidate: Candidate, budget: Usd, others: Usd) -> Candidate {
    let total = candidate.total() + others;
    if !candidate.feasible || total <= budget {
        return candidate;
    }
    let dollars = |amount: Usd| amount.cents() as f64 / 100.0;
    Candidate {
        feasible: false,
        bound: BindingLimit::Budget,
        excess: Some(Excess { required: dollars(total), limit: dollars(budget) }),
        reason: Reason::OverBudget { excess: total - budget, others },
        ..candidate
    }
}

/// One volume of the type; the cheapest stripe, where stripes are allowed and it is cheaper or alone sufficient; and a stripe
/// that is cheaper still, and lacks nothing but the requested durability.
fn candidates_of_type(sizings: &Sizings, volume_type: VolumeType) -> Vec<Candidate> {
    if !volume_type.is_ebs() {
        return instance_store(sizings, volume_type).into_iter().collect();
    }
    if volume_type.characteristics().unfit.is_some() {
        return unsuitable(sizings, volume_type).into_iter().collect();
    }
    let max_volumes = sizings.scenario.request.max_stripe();
    let durable = durable_stripe(sizings.scenario, volume_type).max(1);
    let best = |counts| cheapest_of_type(sizings, volume_type, counts);
    let mut candidates = with_stripe(sizings, best(1..=1), best(2..=durable));
    // More volumes of a type that has the durability alone.
    let fragile = best((durable + 1)..=max_volumes).filter(|stripe| suffices(sizings, stripe));
    let is_cheaper = |fragile: &Candidate| {
        let mut sufficient = candidates.iter().filter(|candidate| suffices(sizings, candidate));
        sufficient.all(|candidate| fragile.total() < candidate.total())
    };
    candidates.extend(fragile.filter(is_cheaper));
    candidates
}

/// One volume, and the stripe where it is cheaper or alone sufficient.
fn with_stripe(sizings: &Sizings, single: Option<Candidate>, stripe: Option<Candidate>) -> Vec<Candidate> {
    let Some(stripe) = stripe else { return single.into_iter().collect() };
    let Some(single) = single else { return vec![stripe] };
    match (suffices(sizings, &single), suffices(sizings, &stripe)) {
        (true, true) if stripe.total() < single.total() => vec![single, stripe],
        (true, _) | (false, false) => vec![single],
        // Where the limits of one volume are too low, a stripe that fails for another reason is the nearer miss.
        (false, true) if stripe.feasible || sizings.scenario.instance_saturation.is_some() => vec![single, stripe],
        (false, true) => vec![stripe],
    }
}

/// True where its size, IOPS and throughput suffice, whatever else does not: where the instance binds, for all that it carries.
fn suffices(sizings: &Sizings, candidate: &Candidate) -> bool {
    if sizings.scenario.instance_saturation.is_some() {
        return candidate.reaches(&sizings.get(candidate.config.volume_type).requirement());
    }
    // A feasible one is bound by the limit that decided its provisioning.
    let is_short = matches!(
        candidate.bound,
        BindingLimit::Size | BindingLimit::VOLUME_IOPS | BindingLimit::VOLUME_THROUGHPUT | BindingLimit::Credits
    );
    candidate.feasible || !is_short
}

/// The smallest volume of an unsuitable type, which needs no search.
fn unsuitable(sizings: &Sizings, volume_type: VolumeType) -> Option<Candidate> {
    evaluate_single(sizings, least(sizings, volume_type)?, Basis::Requirement)
}

/// The smallest volume of a type with the required size; `None` where none is as large, or the type is not sold.
fn least(sizings: &Sizings, volume_type: VolumeType) -> Option<VolumeConfig> {
    let (platform, size_gib) =
        (sizings.scenario.request.platform, sizings.observed.requirement().size_gib.unwrap_or(1));
    let least = |class: &Class| Some(VolumeConfig { platform, ..class.least(size_gib, 0, 0)? });
    classes_of(platform, volume_type, Purpose::Any).find_map(least)
}

/// Evaluates one volume that was not searched for; `None` where its price is not known.
fn evaluate_single(sizings: &Sizings, config: VolumeConfig, basis: Basis) -> Option<Candidate> {
    let bill = order_bill(&config, 1, &sizings.scenario.request.prices)?;
    Some(evaluate(sizings, Found::from(Priced { config, volumes: 1, bill }), basis))
}

/// Shares of the throughput without a limit whose price stands beside that of the requested one: what the rest costs, and what less does. A
/// choice.
const OTHER_SHARES: [f64; 2] = [0.999, 0.9];

/// Volumes of the type of the best ones on which a closed loop keeps more or less of its throughput.
fn other_shares(sizings: &Sizings, best: &Candidate) -> Vec<Candidate> {
    let (scenario, volume_type) = (sizings.scenario, best.config.volume_type);
    if sizings.get(volume_type).kept.is_none() || scenario.instance_saturation.is_some() {
        return Vec::new();
    }
    let of_share = |keep_throughput| {
        let rule = SizingRule { keep_throughput, ..scenario.request.rule };
        let other = scenario.with_request(Request { rule, ..Request::clone(&scenario.request) });
        let found = cheapest_of_type(&Sizings::new(&other), volume_type, best.volumes..=best.volumes)?;
        Some(evaluate(sizings, Found::from(found.priced()), Basis::Included))
    };
    OTHER_SHARES.into_iter().filter_map(of_share).collect()
}

/// The rows that readers expect: the general purpose type with its included limits, at the recommended size and,
/// where RDS includes fewer in smaller volumes, at the required size, or where it includes more in larger ones for little more, at the least
/// of these; and of the required size a type whose IOPS follow that.
fn near_misses(sizings: &Sizings, candidates: &[Candidate]) -> Vec<Candidate> {
    let general_purpose = VolumeType::general_purpose();
    let is_single = |c: &&Candidate| c.config.volume_type == general_purpose && c.volumes == 1;
    let included = candidates.iter().find(is_single).and_then(|single| {
        let (platform, size_gib) = (sizings.scenario.request.platform, single.config.size_gib);
        VolumeConfig::new(platform, general_purpose, size_gib, None, None).ok()
    });
    let limits = |config: &VolumeConfig| (config.iops, config.throughput_mibps);
    let is_smaller = |least: &VolumeConfig| included.as_ref().is_none_or(|included| limits(included) != limits(least));
    let smallest = least(sizings, general_purpose).filter(is_smaller);
    let included = included.into_iter().chain(smallest);
    let included = included.filter_map(|config| evaluate_single(sizings, config, Basis::Included));
    let larger = candidates.iter().find(is_single).and_then(|single| larger_class(sizings, single));
    let required_size = VolumeType::suitable().filter(|volume_type| volume_type.has_iops_by_size());
    let required_size = required_size.filter_map(|volume_type| least(sizings, volume_type));
    let required_size = required_size.filter_map(|config| evaluate_single(sizings, config, Basis::Requirement));
    included.chain(larger).chain(required_size).collect()
}

/// The smallest volume of the type that includes more IOPS than a smaller one can have, for at most so much more as headroom may cost: the other
/// side of a step of the price list.
fn larger_class(sizings: &Sizings, smaller: &Candidate) -> Option<Candidate> {
    let platform = sizings.scenario.request.platform;
    let mut classes = classes_of(platform, smaller.config.volume_type, Purpose::Any);
    let larger = classes.find_map(|class| {
        let config = VolumeConfig { platform, ..class.least(smaller.config.size_gib, 0, 0)? };
        (config.size_gib > smaller.config.size_gib && config.iops > smaller.config.iops).then_some(config)
    });
    let larger = evaluate_single(sizings, larger?, Basis::Included)?;
    larger.total().ratio(smaller.total()).is_some_and(|ratio| ratio <= MAX_PRICE_FACTOR).then_some(larger)
}

/// The disk of the instance, for comparison: without price and known limits, and unsuitable.
fn instance_store(sizings: &Sizings, volume_type: VolumeType) -> Option<Candidate> {
    let platform = sizings.scenario.request.platform;
    let config = VolumeConfig {
        platform,
        volume_type,
        size_gib: sizings.observed.requirement().size_gib.unwrap_or(1),
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
        required: sizings.observed.task.required_without_instance(),
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
