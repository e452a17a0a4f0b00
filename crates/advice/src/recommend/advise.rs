//! Advice for the whole cluster: each volume by itself, and all of it on one.

use super::advice::Advice;
use super::advisor::Advisor;
use super::instance_limit::instance_short;
use super::part::Part;
use super::role_advice::RoleAdvice;
use crate::evaluate::candidate::Candidate;
use crate::evaluate::candidates::{rank, within_budget};
use crate::request::settings::{MAX_VOLUMES, Request};
use crate::search::Task;
use ebs_base::units::Usd;
use ebs_samples::evidence::{Coverage, Window};
use ebs_workload::attached::Attached;
use ebs_workload::declarations::Declarations;
use ebs_workload::volume_group::VolumeGroup;

/// Advice for the volumes that the cluster is on now. Over a long history that takes seconds: `pause` is called before each
/// replay and each interval (of 600,000 samples some 10 ms, the longest a quarter of a second), and may unwind.
pub fn advise(window: &Window, request: &Request, declared: &Declarations, pause: &dyn Fn()) -> Advice {
    let striped =
        || window.current.iter().filter_map(|&volume| Attached::find(&window.layout.volumes[volume], declared));
    // A stripe that is there can be changed where it is.
    let now = striped().map(|attached| attached.volumes.len() as u64).max().unwrap_or(1).min(MAX_VOLUMES);
    let request = &Request { max_volumes: Some(request.max_volumes.unwrap_or(now)), ..request.clone() };
    let storage_is_one = request.platform.is_rds();
    let several = window.current.len() > 1 && !storage_is_one;
    let groups = VolumeGroup::list(window, storage_is_one);
    let parts: Vec<Part> =
        groups.into_iter().map(|group| Part::new(window, group, (request, declared), pause)).collect();
    let instance_short = parts.last().and_then(|all| instance_short(all, request, pause));
    let coverage = Coverage::from_window(window);
    let advisor = Advisor { window, request, declared, instance_short, coverage, pause };
    let tasks: Vec<Task> = parts
        .iter()
        .map(|part| {
            let required = part.requirement(part.state.size.size_gib, request.rule, pause);
            pause();
            Task::new(part.series(), required, request.rule, request.instance_baseline()).pausing(pause)
        })
        .collect();
    let each = || parts.iter().zip(&tasks);
    let mut roles: Vec<RoleAdvice> = each().map(|(part, task)| advisor.evaluate_candidates(part, task)).collect();
    if let Some(budget) = request.budget_usd {
        keep_to_budget(&mut roles, several, budget);
    }
    for ((part, task), role) in each().zip(&mut roles) {
        rank(&mut role.candidates);
        advisor.explain(part, task, role);
    }
    let together = if several { roles.pop() } else { None };
    let mut log_volume = advisor.log_volume();
    if let (Some(volume), Some(budget)) = (&mut log_volume, request.budget_usd) {
        let others = roles.iter().filter_map(RoleAdvice::best).map(Candidate::total).sum();
        within_budget(std::slice::from_mut(volume), budget, others);
    }
    Advice { roles, together, most_volumes: request.most_volumes(), log_volume }
}

/// A role may cost what the cheapest of the others leave; the last, where there are several, is all of it on one.
fn keep_to_budget(roles: &mut [RoleAdvice], several: bool, budget: Usd) {
    let (apart, together) = roles.split_at_mut(roles.len() - usize::from(several));
    let cheapest = |role: &RoleAdvice| {
        let feasible = role.candidates.iter().filter(|candidate| candidate.feasible);
        feasible.map(Candidate::total).min().unwrap_or_default()
    };
    let each: Vec<Usd> = apart.iter().map(cheapest).collect();
    let all: Usd = each.iter().copied().sum();
    for (role, own) in apart.iter_mut().zip(each) {
        within_budget(&mut role.candidates, budget, all - own);
    }
    for role in together {
        within_budget(&mut role.candidates, budget, Usd::default());
    }
}

#[cfg(test)]
#[path = "advise_tests.rs"]
pub(crate) mod tests;
