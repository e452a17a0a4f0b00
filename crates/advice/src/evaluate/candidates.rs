//! Candidates of every type, and their order.

use crate::evaluate::bound::Bound;
use crate::evaluate::candidate::{Candidate, Excess};
use crate::evaluate::context::EvaluationContext;
use crate::evaluate::evaluation::evaluate;
use crate::evaluate::latency_search;
use crate::evaluate::reason::Reason;
use crate::search::{Priced, best_of_type};
use ebs_aws::catalogue::{Class, Platform, Purpose, VolumeConfig, VolumeType, classes_of};
use ebs_aws::price::bill;
use ebs_base::units::Usd;

/// The cheapest candidate that meets everything asked for but the budget.
pub fn best(context: &EvaluationContext) -> Option<Candidate> {
    if context.instance_short.is_some() {
        return None;
    }
    let request = context.request;
    let fit = VolumeType::ALL.into_iter().filter(|volume_type| volume_type.characteristics().unfit.is_none());
    let counts = 1..=request.most_volumes();
    let found = fit.filter_map(|volume_type| {
        best_of_type(volume_type, request.platform, &request.prices, counts.clone(), context.task)?.ok()
    });
    let mut found: Vec<Priced> = found.collect();
    found.sort_by_key(Priced::order);
    let mut best: Option<Candidate> = None;
    for priced in found {
        if best.as_ref().is_some_and(|best| best.order() <= priced.order()) {
            break;
        }
        let candidate = evaluate(context, priced, None);
        // Those that wait less are dearer, maybe than the next type.
        let candidate = latency_search::faster(context, &candidate, counts.clone()).unwrap_or(candidate);
        if candidate.feasible && best.as_ref().is_none_or(|best| candidate.order() < best.order()) {
            best = Some(candidate);
        }
    }
    best
}

/// Every candidate but for the budget, in no order.
pub fn candidates(context: &EvaluationContext) -> Vec<Candidate> {
    let mut found: Vec<Candidate> =
        VolumeType::ALL.into_iter().flat_map(|volume_type| of_type(context, volume_type)).collect();
    found.extend(as_included(context, &found));
    found
}

/// Feasible ones first, cheapest first; then the others, nearest miss first, and last what is never for a database.
pub fn rank(found: &mut [Candidate]) {
    found.sort_by(|a, b| {
        let unfit = |c: &Candidate| c.bound == Bound::Unfit;
        let miss = |c: &Candidate| c.outcome.map_or(f64::INFINITY, |outcome| outcome.peak);
        let nearest = if a.feasible { std::cmp::Ordering::Equal } else { miss(a).total_cmp(&miss(b)) };
        b.feasible.cmp(&a.feasible).then(unfit(a).cmp(&unfit(b))).then(nearest).then_with(|| a.order().cmp(&b.order()))
    });
}

/// Takes away what leaves nothing of the budget for the other roles, whose cheapest cost `others`.
pub fn within_budget(found: &mut [Candidate], budget: Usd, others: Usd) {
    for candidate in found.iter_mut().filter(|candidate| candidate.feasible) {
        let total = candidate.total() + others;
        if total > budget {
            let dollars = |amount: Usd| amount.cents() as f64 / 100.0;
            candidate.feasible = false;
            candidate.bound = Bound::Budget;
            candidate.missed = Some(Excess { needed: dollars(total), most: dollars(budget) });
            candidate.reason = Reason::OverBudget { excess: total - budget, others };
        }
    }
}

/// One volume of the type; and the cheapest stripe, where stripes are allowed and it is cheaper or the only way.
fn of_type(context: &EvaluationContext, volume_type: VolumeType) -> Vec<Candidate> {
    if volume_type == VolumeType::InstanceStore {
        return comparison(context).into_iter().collect();
    }
    if volume_type.characteristics().unfit.is_some() {
        return as_sized(context, volume_type).into_iter().collect();
    }
    let request = context.request;
    let best = |counts| latency_search::cheapest(context, volume_type, counts);
    let single = best(1..=1);
    let stripe = (request.most_volumes() > 1).then(|| best(2..=request.most_volumes())).flatten();
    let Some(stripe) = stripe else { return single.into_iter().collect() };
    match &single {
        Some(single) if single.feasible && !(stripe.feasible && stripe.total() < single.total()) => {
            vec![single.clone()]
        }
        // Where one volume is too little, a stripe that fails for another reason is the nearer miss.
        Some(single) if !single.feasible && !stripe.feasible && reaches(&stripe) && !reaches(single) => vec![stripe],
        _ => single.into_iter().chain(stripe.feasible.then_some(stripe)).collect(),
    }
}

/// The smallest volume of an unsuitable type, which is not searched for.
fn as_sized(context: &EvaluationContext, volume_type: VolumeType) -> Option<Candidate> {
    let (platform, size_gib) = (context.request.platform, context.requirement.size_gib.unwrap_or(1));
    let least = |class: &Class| Some(VolumeConfig { platform, ..class.least(size_gib, 0, 0)? });
    let config = classes_of(platform, volume_type, Purpose::Any).find_map(least)?;
    let bill = bill(&config, 1, &context.request.prices)?;
    Some(evaluate(context, Priced { config, volumes: 1, bill }, None))
}

/// True where its limits suffice, whatever else does not.
fn reaches(candidate: &Candidate) -> bool {
    !matches!(candidate.bound, Bound::Size | Bound::VolumeIops | Bound::VolumeThroughput | Bound::Credits)
}

/// The near-misses everybody asks about: gp3 with what its price includes, and gp2 of the size that is needed anyway, where
/// these are not enough.
fn as_included(context: &EvaluationContext, found: &[Candidate]) -> Vec<Candidate> {
    let size = |volume_type, found: &Candidate| match volume_type {
        VolumeType::Gp2 => context.requirement.size_gib.unwrap_or(1),
        _ => found.config.size_gib,
    };
    let of = |volume_type| {
        let known = found.iter().find(|one| one.config.volume_type == volume_type && one.volumes == 1)?;
        let platform = context.request.platform;
        let config = VolumeConfig::new(platform, volume_type, size(volume_type, known), None, None).ok()?;
        let bill = bill(&config, 1, &context.request.prices)?;
        let candidate = evaluate(context, Priced { config, volumes: 1, bill }, None);
        (config != known.config && !candidate.feasible).then_some(candidate)
    };
    [VolumeType::Gp3, VolumeType::Gp2].into_iter().filter_map(of).collect()
}

/// The disk of the instance, beside which EBS is seen: no price, no limits known, and why never.
fn comparison(context: &EvaluationContext) -> Option<Candidate> {
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
        price_uncertainties: Vec::new(),
        saved: None,
        outcome: None,
        expected: None,
        prediction: None,
        latency_ms: None,
        bound: Bound::Unfit,
        feasible: false,
        missed: None,
        risk: None,
        reason: Reason::Unsuitable,
    })
}
