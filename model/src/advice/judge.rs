//! Judging: each type's cheapest volumes against everything that was asked for.

use super::candidate::{Bound, Candidate};
use super::{Request, Risk, words};
use crate::catalogue::{Ceiling, VolumeConfig, VolumeType};
use crate::demand::Demand;
use crate::need::Need;
use crate::price::bill;
use crate::replay::{Outcome, replay};
use crate::search::{Beyond, cheapest};

/// The instance's limit, where the demand of all volumes together is more than it carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InstanceShort {
    /// Which of its limits.
    pub bound: Bound,
    /// What it can do without end.
    pub baseline: Ceiling,
    /// What its limit alone does to the demand.
    pub outcome: Outcome,
}

/// Everything a candidate is judged by.
pub struct Case<'a> {
    /// The demand on the role's volume.
    pub demand: &'a Demand,
    /// What is needed, no more than the instance carries.
    pub need: Need,
    /// The instance's limit, if it is the one that binds.
    pub instance_short: Option<InstanceShort>,
    /// Whether samples are averages over more than 1.5 s, and so hide peaks.
    pub coarse: bool,
    /// What was asked for.
    pub request: &'a Request,
}

/// Every candidate: feasible ones first, cheapest first; then the others, nearest miss first.
pub fn candidates(case: &Case) -> Vec<Candidate> {
    let mut found: Vec<Candidate> =
        VolumeType::ALL.into_iter().flat_map(|volume_type| of_type(case, volume_type)).collect();
    found.extend(as_included(case, &found));
    found.sort_by(|a, b| {
        let price = |c: &Candidate| (c.bill.total(), c.volumes, c.config.volume_type.preference(), c.config);
        let miss = |c: &Candidate| if c.feasible { 0.0 } else { c.outcome.peak };
        let nearest = miss(a).total_cmp(&miss(b)).then_with(|| price(a).cmp(&price(b)));
        b.feasible.cmp(&a.feasible).then(nearest)
    });
    found
}

/// One volume of the type; and the cheapest stripe, where stripes are allowed and it is cheaper or the only way.
fn of_type(case: &Case, volume_type: VolumeType) -> Vec<Candidate> {
    let with = |volumes| {
        let found = cheapest(volume_type, volumes, &case.need, case.demand, case.request.rule);
        judge(case, found.config, volumes, found.beyond)
    };
    let single = with(1);
    let stripes = (2..=case.request.max_volumes).map(with).filter(|stripe| stripe.feasible);
    let best = stripes.min_by_key(|stripe| (stripe.bill.total(), stripe.volumes));
    let better = best.filter(|stripe| !single.feasible || stripe.bill.total() < single.bill.total());
    [Some(single), better].into_iter().flatten().collect()
}

/// The near-miss everybody asks about: gp3 with what its price includes, where that is not enough.
fn as_included(case: &Case, found: &[Candidate]) -> Option<Candidate> {
    let gp3 = found.iter().find(|c| c.config.volume_type == VolumeType::Gp3 && c.volumes == 1)?;
    let included = VolumeConfig::new(VolumeType::Gp3, gp3.config.size_gib, None, None).ok()?;
    let candidate = judge(case, included, 1, None);
    (included != gp3.config && !candidate.feasible).then_some(candidate)
}

fn judge(case: &Case, config: VolumeConfig, volumes: u64, beyond: Option<Beyond>) -> Candidate {
    let request = case.request;
    let bill = bill(&config, volumes, request.prices);
    let own = replay(case.demand, &config, volumes, request.instance_baseline());
    let outcome = match case.instance_short {
        Some(short) if short.outcome.throttled_s > own.throttled_s => short.outcome,
        _ => own,
    };
    let limit = request.rule.max_throttled_pct;
    let durable = request.durability_pct.is_none_or(|asked| config.volume_type.spec().durability_pct >= asked);
    let affordable = request.budget_usd.is_none_or(|budget| bill.total() <= budget);
    let (bound, broken) = if let Some(beyond) = beyond {
        (words::bound_of(beyond), true)
    } else if let Some(short) = case.instance_short {
        (short.bound, true)
    } else if outcome.throttled_pct() > limit {
        (words::tightest(case, &config, volumes), true)
    } else if !durable {
        (Bound::Durability, true)
    } else if !affordable {
        (Bound::Budget, true)
    } else {
        (words::deciding(case, &config, volumes), false)
    };
    let mut candidate = Candidate {
        config,
        volumes,
        bill,
        outcome,
        bound,
        feasible: !broken,
        risk: Risk::of(&outcome, limit, case.coarse),
        reason: String::new(),
    };
    candidate.reason = words::reason(case, &candidate, beyond);
    candidate
}
