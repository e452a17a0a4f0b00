//! Advice for the whole cluster: each volume by itself, and all of it on one.

use super::advice::Advice;
use super::instance_need::InstanceNeed;
use super::log_volume::evaluate_log_volume;
use super::role::{Ranked, advise_on_role};
use super::role_advice::RoleAdvice;
use super::separate_wal::separate_wal;
use crate::evaluate::candidate::Candidate;
use crate::evaluate::candidates::{candidates, rank, within_budget};
use crate::request::settings::Request;
use crate::scenario::Scenario;
use crate::scenario::inputs::{Extent, Inputs};
use crate::scenario::instance_load::{InstanceLoad, at_most_limits};
use crate::scenario::part::Part;
use crate::sizing::sizings::Sizings;
use ebs_aws::catalogue::{Instance, VolumeType};
use ebs_base::units::Usd;
use ebs_samples::evidence::Window;
use ebs_workload::busy_rates::BusyRates;
use ebs_workload::declarations::Declarations;
use ebs_workload::volume_group::VolumeGroup;

/// Advises on the current volumes of the cluster. Over a long history this takes seconds: `pause` is called before each replay
/// and each interval (of 600,000 samples some 10 ms, the longest a quarter of a second), and may unwind.
pub fn advise(window: &Window, request: &Request, declared: &Declarations, pause: &dyn Fn()) -> Advice {
    let busy = BusyRates::from_window(window);
    advise_on(Inputs { window, request, declared, busy, extent: Extent::Report, pause }, None)
}

/// The decision on volumes of an instance that others load, too: its limit binds the demand on all of them, whose load is given; `None` of
/// volumes that are alone on theirs. The caller has the rates within busy time ([`BusyRates::from_window`]), too.
pub fn advise_on_instance(
    window: &Window,
    request: &Request,
    declared: &Declarations,
    (load, busy): (Option<&InstanceLoad>, Option<BusyRates>),
    pause: &dyn Fn(),
) -> Advice {
    advise_on(Inputs { window, request, declared, busy, extent: Extent::Decision, pause }, load)
}

fn advise_on(inputs: Inputs, load: Option<&InstanceLoad>) -> Advice {
    let request = &inputs.complete_request();
    let inputs = Inputs { request, ..inputs };
    let single_storage = request.platform.is_rds();
    let groups = VolumeGroup::list(inputs.window, single_storage).into_iter();
    let parts: Vec<Part> = groups.map(|group| Part::new(inputs, group)).collect();
    let has_consolidated = parts.len() > 1;
    let load = load.copied().or_else(|| parts.last().map(InstanceLoad::from_part)).unwrap_or_default();
    let scenarios: Vec<Scenario> = parts.iter().map(|part| Scenario::observed(part, load.saturation)).collect();
    let scenarios = sharing_instance(scenarios, &load);
    let sizings: Vec<Sizings> = scenarios.iter().map(Sizings::new).collect();
    let evaluated: Vec<Vec<Candidate>> = sizings.iter().map(candidates).collect();
    let others = costs_of_others(&evaluated, has_consolidated);
    let rank_role = |position: usize, others| rank_within(&scenarios[position], &evaluated[position], others);
    let ranked: Vec<Ranked> =
        others.iter().enumerate().map(|(position, others)| rank_role(position, *others)).collect();
    let log_volume = evaluate_log_volume(inputs, &load, &ranked);
    let has_log_offer =
        log_volume.as_ref().is_some_and(|log| log.feasible) && !parts.last().is_some_and(Part::has_log_volume);
    let need = instance_need(&sizings, &load, single_storage);
    let mut dearer = Usd::default();
    let mut advise = |(position, (sizings, ranked)): (usize, (&Sizings, Ranked))| {
        let is_separate = !(has_consolidated && position + 1 == parts.len());
        // Volumes that stay may cost more than the cheapest, and those within a budget less, which leaves the next roles the rest.
        let ranked = match is_separate && dearer != Usd::default() {
            true => rank_role(position, others[position] + dearer),
            false => ranked,
        };
        let role = advise_on_role(sizings, ranked, load.other_count, need, has_log_offer);
        let best = role.best().map(Candidate::total);
        dearer = dearer + best.map_or(Usd::default(), |best| best - cheapest_usd(&evaluated[position]));
        role
    };
    let mut roles: Vec<RoleAdvice> = sizings.iter().zip(ranked).enumerate().map(&mut advise).collect();
    let consolidated = if has_consolidated { roles.pop() } else { None };
    let separate_wal = match (scenarios.as_slice(), roles.as_slice()) {
        ([scenario], [role]) => separate_wal(scenario, role),
        _ => None,
    };
    Advice { roles, consolidated, instance_need: need, max_volumes: request.max_stripe(), log_volume, separate_wal }
}

/// Scenarios of parts, the last of which is all of them, each on its share of a saturated instance.
fn sharing_instance<'a>(scenarios: Vec<Scenario<'a>>, load: &InstanceLoad) -> Vec<Scenario<'a>> {
    match scenarios.last().filter(|_| load.saturation.is_some()).map(|all| all.conditions.percentile) {
        Some(all) => scenarios.into_iter().map(|scenario| scenario.on_instance_share(all)).collect(),
        None => scenarios,
    }
}

/// The need for a larger instance: by the load on all its volumes where that is given, or else by the demand on all parts together, as far as
/// their volumes can ask for it; `None` where it is not saturated.
fn instance_need(sizings: &[Sizings], load: &InstanceLoad, is_rds: bool) -> Option<InstanceNeed> {
    let saturated = load.saturation?.instance;
    let all = || {
        let all = sizings.last()?;
        let required = all.get(VolumeType::general_purpose()).task.required_without_instance();
        let part = all.scenario.part;
        Some(at_most_limits(part, required, part.own_limits()))
    };
    let required = load.required.or_else(all)?;
    let sufficient = saturated.larger_of_family(required);
    let is_smaller = |other: &&'static Instance| sufficient.is_none_or(|own| other.is_smaller_than(own));
    let other_family = saturated.larger_of_other_family(required).filter(is_smaller).filter(|_| !is_rds);
    Some(InstanceNeed { required, saturated, sufficient, other_family })
}

/// Ranks the candidates of a role within what the others leave of the budget.
fn rank_within(scenario: &Scenario, candidates: &[Candidate], others: Usd) -> Ranked {
    let affordable = |candidate: &Candidate| match scenario.request.budget_usd {
        Some(budget) => within_budget(candidate.clone(), budget, others),
        None => candidate.clone(),
    };
    Ranked { candidates: rank(scenario, candidates.iter().map(affordable).collect()), others }
}

/// Price of the cheapest volumes that meet the request but for the budget; nothing where there are none.
fn cheapest_usd(candidates: &[Candidate]) -> Usd {
    let feasible = candidates.iter().filter(|candidate| candidate.feasible);
    feasible.map(Candidate::total).min().unwrap_or_default()
}

/// Price of the cheapest volumes of the other roles, for each role: what they leave of a budget is its own; nothing for the last
/// role, where it is everything consolidated on one volume.
fn costs_of_others(evaluated: &[Vec<Candidate>], has_consolidated: bool) -> Vec<Usd> {
    let (separate, consolidated) = evaluated.split_at(evaluated.len() - usize::from(has_consolidated));
    let total: Usd = separate.iter().map(|role| cheapest_usd(role)).sum();
    let others = separate.iter().map(|role| total - cheapest_usd(role));
    others.chain(consolidated.iter().map(|_| Usd::default())).collect()
}

#[cfg(test)]
#[path = "advise_tests.rs"]
pub(crate) mod tests;
