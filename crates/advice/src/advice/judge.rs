//! Judging: each type's cheapest volumes against everything that was asked for.

use super::candidate::{Bound, Candidate, Missed};
use super::held::Held;
use super::outlook::{Outlook, carried};
use super::present::Present;
use super::truncated::Truncated;
use super::{Request, Risk, latency, waiting, words};
use crate::need::Need;
use crate::replay::{InstanceLimit, Outcome, SAME, replay};
use crate::search::{Priced, Short, Task, best_of_type};
use ebs_aws::catalogue::{Ceiling, Class, Platform, Purpose, VolumeConfig, VolumeType, classes_of};
use ebs_aws::price::{bill, doubts};
use ebs_base::units::Usd;
use ebs_workload::demand::Demand;

/// The instance's limit, where the demand of all volumes together is more than it carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InstanceShort {
    /// Which of its limits.
    pub bound: Bound,
    /// What it can do without end.
    pub baseline: Ceiling,
    /// What its limit alone does to the demand.
    pub outcome: Outcome,
    /// What it does with its 30 minutes a day at the maximum; `None` where baseline and maximum are the same.
    pub burst: Option<Outcome>,
}

/// Everything a candidate is judged by.
pub struct Case<'a> {
    /// The demand on the role's volume, with what is taken to be behind its limit.
    pub demand: &'a Demand,
    /// What is needed, no more than the instance carries, and no less than the replay asks for.
    pub need: Need,
    /// The same whatever the instance carries.
    pub wanted: Ceiling,
    /// What must be carried.
    pub task: &'a Task<'a>,
    /// The instance's limit, if it is the one that binds.
    pub instance_short: Option<InstanceShort>,
    /// What the database would do elsewhere; `None` where the evidence does not say.
    pub outlook: Option<&'a Outlook>,
    /// The limit that the demand was seen at.
    pub truncated: Option<Truncated>,
    /// What holds the database back now; `None` where the evidence does not say.
    pub held: Option<Held>,
    /// What there is now, as far as it was declared.
    pub present: Option<&'a Present>,
    /// Whether samples are averages over more than 1.5 s, and so hide peaks.
    pub coarse: bool,
    /// Whether there are so few of them that nothing is known of what lies between.
    pub few: bool,
    /// What was asked for.
    pub request: &'a Request,
}

/// The cheapest candidate that meets everything asked for but the budget.
pub fn best(case: &Case) -> Option<Candidate> {
    if case.instance_short.is_some() {
        return None;
    }
    let request = case.request;
    let fit = VolumeType::ALL.into_iter().filter(|volume_type| volume_type.promise().unfit.is_none());
    let counts = 1..=request.most_volumes();
    let found = fit.filter_map(|volume_type| {
        best_of_type(volume_type, request.platform, &request.prices, counts.clone(), case.task)?.ok()
    });
    let mut found: Vec<Priced> = found.collect();
    found.sort_by_key(Priced::order);
    let mut best: Option<Candidate> = None;
    for priced in found {
        if best.as_ref().is_some_and(|best| best.order() <= priced.order()) {
            break;
        }
        let candidate = judge(case, priced, None);
        // Those that wait less are dearer, maybe than the next type.
        let candidate = waiting::faster(case, &candidate, counts.clone()).unwrap_or(candidate);
        if candidate.feasible && best.as_ref().is_none_or(|best| candidate.order() < best.order()) {
            best = Some(candidate);
        }
    }
    best
}

/// Every candidate but for the budget, in no order.
pub fn candidates(case: &Case) -> Vec<Candidate> {
    let mut found: Vec<Candidate> =
        VolumeType::ALL.into_iter().flat_map(|volume_type| of_type(case, volume_type)).collect();
    found.extend(as_included(case, &found));
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
            candidate.missed = Some(Missed { needed: dollars(total), most: dollars(budget) });
            candidate.reason = words::over_budget(total - budget, others);
        }
    }
}

/// One volume of the type; and the cheapest stripe, where stripes are allowed and it is cheaper or the only way.
fn of_type(case: &Case, volume_type: VolumeType) -> Vec<Candidate> {
    if volume_type == VolumeType::InstanceStore {
        return comparison(case).into_iter().collect();
    }
    if volume_type.promise().unfit.is_some() {
        return as_sized(case, volume_type).into_iter().collect();
    }
    let request = case.request;
    let best = |counts| waiting::cheapest(case, volume_type, counts);
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

/// What is never for a database is not searched for: the smallest that holds what there is.
fn as_sized(case: &Case, volume_type: VolumeType) -> Option<Candidate> {
    let (platform, size_gib) = (case.request.platform, case.need.size_gib.unwrap_or(1));
    let least = |class: &Class| Some(VolumeConfig { platform, ..class.least(size_gib, 0, 0)? });
    let config = classes_of(platform, volume_type, Purpose::Any).find_map(least)?;
    let bill = bill(&config, 1, &case.request.prices)?;
    Some(judge(case, Priced { config, volumes: 1, bill }, None))
}

/// Whether its limits are enough, whatever else is not.
fn reaches(candidate: &Candidate) -> bool {
    !matches!(candidate.bound, Bound::Size | Bound::VolumeIops | Bound::VolumeThroughput | Bound::Credits)
}

/// The near-misses everybody asks about: gp3 with what its price includes, and gp2 of the size that is needed anyway, where
/// these are not enough.
fn as_included(case: &Case, found: &[Candidate]) -> Vec<Candidate> {
    let size = |volume_type, found: &Candidate| match volume_type {
        VolumeType::Gp2 => case.need.size_gib.unwrap_or(1),
        _ => found.config.size_gib,
    };
    let of = |volume_type| {
        let known = found.iter().find(|one| one.config.volume_type == volume_type && one.volumes == 1)?;
        let platform = case.request.platform;
        let config = VolumeConfig::new(platform, volume_type, size(volume_type, known), None, None).ok()?;
        let bill = bill(&config, 1, &case.request.prices)?;
        let candidate = judge(case, Priced { config, volumes: 1, bill }, None);
        (config != known.config && !candidate.feasible).then_some(candidate)
    };
    [VolumeType::Gp3, VolumeType::Gp2].into_iter().filter_map(of).collect()
}

/// The disk of the instance, beside which EBS is seen: no price, no limits known, and why never.
fn comparison(case: &Case) -> Option<Candidate> {
    let volume_type = VolumeType::InstanceStore;
    let platform = case.request.platform;
    let config =
        VolumeConfig { platform, volume_type, size_gib: case.need.size_gib.unwrap_or(1), iops: 0, throughput_mibps: 0 };
    (platform == Platform::Ec2).then(|| Candidate {
        config,
        volumes: 1,
        bill: None,
        price_doubts: Vec::new(),
        saved: None,
        outcome: None,
        expected: None,
        prediction: None,
        latency_ms: None,
        bound: Bound::Unfit,
        feasible: false,
        missed: None,
        risk: None,
        reason: volume_type.promise().unfit.clone().unwrap_or_default(),
    })
}

/// One candidate against everything that was asked for but the budget.
pub fn judge(case: &Case, found: Priced, short: Option<Short>) -> Candidate {
    let request = case.request;
    let Priced { config, volumes, bill } = found;
    let instance = InstanceLimit::from(request.instance_baseline());
    let allowed = request.rule.max_throttled_pct;
    case.task.pause()();
    let own = replay(case.task.series(), &config, volumes, instance, allowed).unwrap_or_default();
    let outcome = match case.instance_short {
        Some(short) if short.outcome.throttled_s > own.throttled_s => short.outcome,
        _ => own,
    };
    let ceiling = carried(case.task.series(), &config, volumes, allowed, Some(&own));
    let expected = case.outlook.and_then(|outlook| {
        let service = outlook.service(config.volume_type)?;
        Some(outlook.expect(case.task.series(), service, ceiling))
    });
    let mut candidate = Candidate {
        config,
        volumes,
        bill: Some(bill),
        price_doubts: doubts(&config, &request.prices),
        saved: case.present.and_then(|present| present.saved(&bill)),
        outcome: Some(outcome),
        expected,
        prediction: None,
        latency_ms: latency::of(case, config.volume_type, expected.as_ref(), &outcome),
        bound: Bound::None,
        feasible: false,
        missed: None,
        risk: Some(risk(case, &outcome)),
        reason: String::new(),
    };
    match broken(case, &candidate, &outcome, short) {
        Some((bound, missed)) => (candidate.bound, candidate.missed) = (bound, missed),
        None => {
            candidate.bound = words::deciding(case, &candidate);
            candidate.feasible = true;
        }
    }
    candidate.reason = words::reason(case, &candidate, &outcome, short);
    candidate
}

/// What is behind a limit is an estimate.
fn risk(case: &Case, outcome: &Outcome) -> Risk {
    let risk = Risk::of(outcome, case.request.rule.max_throttled_pct, case.coarse, case.few);
    if case.truncated.is_some() { risk.higher() } else { risk }
}

/// The first limit that this candidate breaks, and by how much; performance before promises.
fn broken(
    case: &Case,
    candidate: &Candidate,
    outcome: &Outcome,
    short: Option<Short>,
) -> Option<(Bound, Option<Missed>)> {
    let request = case.request;
    let promise = candidate.config.volume_type.promise();
    let missed = |needed: f64, most: f64| Some(Missed { needed, most });
    let allowed = request.rule.max_throttled_pct;
    if promise.unfit.is_some() {
        return Some((Bound::Unfit, None));
    }
    if let Some(short) = case.instance_short {
        let (wanted, baseline) = (case.wanted, short.baseline);
        return Some(match short.bound {
            Bound::InstanceThroughput => (short.bound, missed(wanted.mibps, baseline.mibps)),
            bound => (bound, missed(wanted.iops, baseline.iops)),
        });
    }
    if let Some(short) = short {
        return Some((words::bound_of(short.lack), missed(short.needed, short.most)));
    }
    if !outcome.within(allowed) {
        return Some(words::throttling(case, candidate, outcome));
    }
    let promised = candidate.config.volume_type.durability_pct();
    if let Some(asked) = request.durability_pct.filter(|asked| promised < *asked) {
        return Some((Bound::Durability, missed(asked, promised)));
    }
    if let (Some(target), Some(given)) = (request.latency_target_ms, candidate.latency_ms)
        && given > target * SAME
    {
        return Some((Bound::Latency, missed(given, target)));
    }
    if let (Some(asked), Some(expected)) = (request.min_throughput_ratio, candidate.expected)
        && expected.ratio * SAME < asked
    {
        return Some((Bound::ThroughputRatio, missed(asked, expected.ratio)));
    }
    None
}

/// What a task needs at least, by percentile or by replay.
pub fn least(task: &Task) -> Need {
    let (least, need) = (task.least(), *task.need());
    // In whole numbers the replay seems to ask for a little more than the percentile does.
    let more = |replayed: f64, needed: f64| if replayed > needed.ceil() { replayed } else { needed };
    Need { iops: more(least.iops, need.iops), mibps: more(least.mibps, need.mibps), ..need }
}
