//! Advice for the whole cluster: each volume by itself, and all of it on one.

use super::advice::Advice;
use super::advisor::Advisor;
use super::instance_load::InstanceLoad;
use super::part::Part;
use super::role_advice::RoleAdvice;
use crate::evaluate::candidate::Candidate;
use crate::evaluate::candidates::{apply_budget, rank};
use crate::evaluate::sizing::Sizings;
use crate::migration::rule::MigrationRule;
use crate::request::settings::{MAX_VOLUMES, Request};
use ebs_base::units::Usd;
use ebs_samples::evidence::{Coverage, Window};
use ebs_workload::attached::Attached;
use ebs_workload::declarations::Declarations;
use ebs_workload::volume_group::VolumeGroup;

/// Advises on the current volumes of the cluster. Over a long history this takes seconds: `pause` is called before each replay
/// and each interval (of 600,000 samples some 10 ms, the longest a quarter of a second), and may unwind.
pub fn advise(window: &Window, request: &Request, declared: &Declarations, pause: &dyn Fn()) -> Advice {
    advise_on_instance(window, request, declared, None, pause)
}

/// [`advise`] on volumes of an instance that others load, too: its limit binds the demand on all of them, whose load is given.
pub fn advise_on_instance(
    window: &Window,
    request: &Request,
    declared: &Declarations,
    load: Option<&InstanceLoad>,
    pause: &dyn Fn(),
) -> Advice {
    let attached = window.current.iter().filter_map(|&volume| Attached::find(&window.layout.volumes[volume], declared));
    // An existing stripe can be modified in place.
    let current_stripe = attached.map(|attached| attached.volumes.len() as u64).max().unwrap_or(1).min(MAX_VOLUMES);
    let request = &Request { max_volumes: Some(request.max_volumes.unwrap_or(current_stripe)), ..request.clone() };
    let single_storage = request.platform.is_rds();
    let has_consolidated = window.current.len() > 1 && !single_storage;
    let groups = VolumeGroup::list(window, single_storage);
    let parts: Vec<Part> =
        groups.into_iter().map(|group| Part::new(window, group, (request, declared), pause)).collect();
    let own = || parts.last().map(|all| InstanceLoad::from_part(all, request, pause)).unwrap_or_default();
    let InstanceLoad { saturation: instance_saturation, other_count: other_count_saturation, .. } =
        load.copied().unwrap_or_else(own);
    let coverage = Coverage::from_window(window);
    let advisor = Advisor { window, request, declared, instance_saturation, other_count_saturation, coverage, pause };
    let sizings: Vec<Sizings> =
        parts.iter().map(|part| part.sizings(&part.type_demands, part.state.size.size_gib, request, pause)).collect();
    let each = || parts.iter().zip(&sizings);
    let mut roles: Vec<RoleAdvice> = each().map(|(part, sizings)| advisor.evaluate_candidates(part, sizings)).collect();
    let others = costs_of_others(&roles, has_consolidated);
    for (((part, sizings), role), others) in each().zip(&mut roles).zip(others) {
        if let Some(budget) = request.budget_usd {
            apply_budget(&mut role.candidates, budget, others);
        }
        rank(&mut role.candidates);
        advisor.explain(part, sizings, role, others);
        role.smaller_storage = advisor.smaller_storage(part, (sizings, role, others));
    }
    let consolidated = if has_consolidated { roles.pop() } else { None };
    let mut log_volume = advisor.log_volume();
    if let (Some(volume), Some(budget)) = (&mut log_volume, request.budget_usd) {
        let others = roles.iter().filter_map(RoleAdvice::best).map(Candidate::total).sum();
        apply_budget(std::slice::from_mut(volume), budget, others);
    }
    let separate_wal = match (parts.as_slice(), roles.as_slice()) {
        ([part], [role]) => advisor.separate_wal(part, role),
        _ => None,
    };
    let mut advice = Advice { roles, consolidated, max_volumes: request.max_stripe(), log_volume, separate_wal };
    let is_present = parts.last().is_some_and(|part| advisor.has_log_volume(part));
    if !is_present && advice.log_volume_offer(request).is_some() {
        let procedures = advice.roles.iter_mut().filter_map(|role| role.procedure.as_mut());
        procedures.for_each(|procedure| procedure.rules.push(MigrationRule::RdsLogVolumeOffered));
    }
    advice
}

/// Price of the cheapest volumes of the other roles, for each role: what they leave of a budget is its own; nothing for the last
/// role, where it is everything consolidated on one volume.
fn costs_of_others(roles: &[RoleAdvice], has_consolidated: bool) -> Vec<Usd> {
    let (separate, consolidated) = roles.split_at(roles.len() - usize::from(has_consolidated));
    let cheapest = |role: &RoleAdvice| {
        let feasible = role.candidates.iter().filter(|candidate| candidate.feasible);
        feasible.map(Candidate::total).min().unwrap_or_default()
    };
    let total: Usd = separate.iter().map(cheapest).sum();
    let others = separate.iter().map(|role| total - cheapest(role));
    others.chain(consolidated.iter().map(|_| Usd::default())).collect()
}

#[cfg(test)]
#[path = "advise_tests.rs"]
pub(crate) mod tests;
