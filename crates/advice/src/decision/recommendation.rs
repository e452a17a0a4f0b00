//! The recommendation for a role: volumes, a larger instance, or nothing with the nearest miss.

use crate::evaluate::candidate::{Candidate, Excess};
use crate::evaluate::reason::Reason;
use crate::replay::TOLERANCE;
use crate::request::settings::Request;
use crate::requirement::Requirement;
use crate::scenario::instance_saturation::InstanceSaturation;
use ebs_base::units::Usd;

/// The recommendation for a role.
#[derive(Clone, Copy, Debug)]
pub enum Recommendation<'a> {
    /// These volumes.
    Volumes(&'a Candidate),
    /// A larger instance; until then the cheapest volumes that carry all that the present one does, where there are any.
    LargerInstance(Option<&'a Candidate>),
    /// No volumes meet everything that was requested; the nearest miss, where there is one.
    Nothing(Option<&'a Candidate>),
}

impl<'a> Recommendation<'a> {
    /// The volumes that the recommendation names: those to order, those until the instance is larger, or the nearest miss.
    pub fn volumes(&self) -> Option<&'a Candidate> {
        match self {
            Recommendation::Volumes(best) => Some(best),
            Recommendation::LargerInstance(volumes) | Recommendation::Nothing(volumes) => *volumes,
        }
    }
}

impl<'a> Recommendation<'a> {
    /// The recommendation by ranked candidates, on an instance with this saturation.
    pub fn new(
        candidates: &'a [Candidate],
        instance_saturation: Option<&InstanceSaturation>,
        requirement: &Requirement,
        request: &Request,
    ) -> Recommendation<'a> {
        let best = candidates.first().filter(|candidate| candidate.feasible);
        match (best, instance_saturation) {
            (_, Some(_)) => Recommendation::LargerInstance(best_on_instance(candidates, requirement, request)),
            (Some(best), None) => Recommendation::Volumes(best),
            (None, None) => Recommendation::Nothing(nearest_miss(candidates, request)),
        }
    }
}

/// The cheapest volumes that carry all that a saturated instance delivers, within the requested durability and budget; `None` where none do.
fn best_on_instance<'a>(
    candidates: &'a [Candidate],
    requirement: &Requirement,
    request: &Request,
) -> Option<&'a Candidate> {
    let durable_pct = request.durability_pct.unwrap_or(0.0);
    let fits = |candidate: &&Candidate| {
        candidate.can_be_ordered()
            && candidate.durability_pct() * TOLERANCE >= durable_pct
            && request.budget_usd.is_none_or(|budget| candidate.total() <= budget)
            && candidate.reaches(requirement)
    };
    candidates.iter().filter(fits).min_by_key(|candidate| candidate.order())
}

/// The suitable volumes whose largest excess over a limit, a target or the budget is the smallest; of equal ones the cheaper.
fn nearest_miss<'a>(candidates: &'a [Candidate], request: &Request) -> Option<&'a Candidate> {
    let misses = candidates.iter().filter(|candidate| candidate.can_be_ordered() && !candidate.feasible);
    let others = candidates.iter().find_map(|candidate| match candidate.reason {
        Reason::OverBudget { others, .. } => Some(others),
        _ => None,
    });
    let others = others.unwrap_or_default();
    let excess = |candidate: &Candidate| {
        let targets = candidate.missed_targets.iter().map(|(_, missed)| missed.by_pct().unwrap_or(f64::INFINITY));
        targets.fold(excess_pct(candidate).max(over_budget_pct(candidate, others, request)), f64::max)
    };
    misses.min_by(|a, b| excess(a).total_cmp(&excess(b)).then_with(|| a.order().cmp(&b.order())))
}

/// Excess over the violated limit, per cent: of the requirement, or else of the demand's peak in the replay; zero of the budget.
fn excess_pct(candidate: &Candidate) -> f64 {
    if matches!(candidate.reason, Reason::OverBudget { .. }) {
        return 0.0;
    }
    let by_peak = || candidate.outcome.map(|outcome| 100.0 * (outcome.peak - 1.0).max(0.0));
    candidate.excess.and_then(|excess| excess.by_pct()).or_else(by_peak).unwrap_or(f64::INFINITY)
}

/// Excess of the price, with that of the other roles' volumes, over the budget, per cent; zero without a budget.
fn over_budget_pct(candidate: &Candidate, others: Usd, request: &Request) -> f64 {
    let total = candidate.total() + others;
    let excess = |budget: Usd| Excess { required: total.cents() as f64, limit: budget.cents() as f64 }.by_pct();
    request.budget_usd.map_or(0.0, |budget| excess(budget).unwrap_or(f64::INFINITY).max(0.0))
}
