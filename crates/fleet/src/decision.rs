//! Decision: the action on a volume by its advice, and the reason.

use ebs_advice::{Candidate, InstanceNeed, Recommendation, Request, Risk, RoleAdvice};
use ebs_aws::catalogue::{VolumeConfig, VolumeType};
use ebs_base::units::Usd;

use super::answer::{Action, Evidence, Reason};
use super::carried_demand::CarriedDemand;
use super::demand::limit_share;
use super::negligible::is_negligible;
use super::subject::Subject;

/// Facts that a decision rests on, beside the advice.
pub struct DecisionFacts<'a> {
    /// Saving of the recommended volumes; `None` where a price is not known.
    pub saved: Option<Usd>,
    /// The request.
    pub request: &'a Request,
    /// Requirement on the instance.
    pub need: Option<InstanceNeed>,
    /// Evidence.
    pub evidence: &'a Evidence,
    /// True of a volume that is nearly full, or will be within 30 days: only then its size, which never shrinks again, grows for itself.
    pub needs_space: bool,
}

/// Decides on the action, and its reason.
pub fn decide(
    subject: &Subject,
    role: &RoleAdvice,
    recommendation: Recommendation,
    facts: &DecisionFacts,
) -> (Action, Reason) {
    match recommendation {
        Recommendation::LargerInstance(_) => larger_instance(subject, role, facts.need),
        Recommendation::Nothing(nearest) => {
            (Action::NoAnswer, Reason::NothingSuffices(nearest.map(|nearest| Box::new(nearest.clone()))))
        }
        Recommendation::Volumes(best) => volumes(role, best, facts),
    }
}

fn larger_instance(subject: &Subject, role: &RoleAdvice, need: Option<InstanceNeed>) -> (Action, Reason) {
    let Some(saturation) = &role.instance_saturation else {
        return (Action::NoAnswer, Reason::NothingSuffices(None));
    };
    let (required, sufficient) = match (&subject.load, need) {
        (Some(load), _) => (load.required, load.sufficient()),
        (None, Some(need)) => (need.required, need.sufficient),
        (None, None) => (role.required_without_instance, None),
    };
    let (instance, bound) = (saturation.instance, saturation.bound);
    (Action::LargerInstance, Reason::InstanceBinds { instance, bound, required, sufficient })
}

fn volumes(role: &RoleAdvice, best: &Candidate, facts: &DecisionFacts) -> (Action, Reason) {
    let candidate = Box::new(best.clone());
    if role.current.is_none() {
        return (Action::NoAnswer, Reason::ConfigurationUnknown(candidate));
    }
    if let Some(refuted) = role.state.refuted_limit {
        return (Action::Keep, Reason::DescriptionRefuted { refuted, candidate });
    }
    if role.is_current(best) || !facts.needs_space && is_other_in_size_alone(role, best) {
        return (Action::Keep, Reason::Sufficient(candidate));
    }
    let max_throttled_pct = facts.request.rule.max_throttled_pct;
    if !suffices(role, max_throttled_pct) {
        return (Action::Modify, Reason::Sufficient(candidate));
    }
    let shows_no_limit = facts.evidence.hides_bursts() && was_at_no_limit(role, max_throttled_pct);
    let carried = CarriedDemand::find(role, best, facts.request, facts.needs_space);
    if let Some(carried) = carried.filter(|_| shows_no_limit) {
        return (Action::Keep, Reason::PresentSuffices(Box::new(carried)));
    }
    let grows = facts.needs_space && is_larger(role, best);
    match facts.saved.filter(|saved| is_negligible(*saved, best.total() + *saved) && !grows) {
        Some(saved) => (Action::Keep, Reason::NegligibleSaving { candidate, saved }),
        None => (Action::Modify, Reason::Sufficient(candidate)),
    }
}

/// True of the present volume but for its size, on which its limits do not depend.
fn is_other_in_size_alone(role: &RoleAdvice, best: &Candidate) -> bool {
    let present = role.current.iter().flat_map(|current| &current.volumes).next();
    let is_sized_by_limits = matches!(best.config.volume_type, VolumeType::Gp3 | VolumeType::Io1 | VolumeType::Io2);
    present.is_some_and(|(present, volumes)| {
        let resized = VolumeConfig { size_gib: best.config.size_gib, ..*present };
        is_sized_by_limits && resized == best.config && *volumes == best.volumes
    })
}

/// True of more space than there is now.
fn is_larger(role: &RoleAdvice, best: &Candidate) -> bool {
    let size = |(config, volumes): &(VolumeConfig, u64)| config.size_gib * volumes;
    let present = role.current.iter().flat_map(|current| &current.volumes).map(size).sum::<u64>();
    best.config.size_gib * best.volumes > present
}

/// True where the present volumes carry the demand.
fn suffices(role: &RoleAdvice, max_throttled_pct: f64) -> bool {
    let outcome = role.current.as_ref().and_then(|current| current.outcome);
    role.state.saturation.is_none() && outcome.is_some_and(|outcome| outcome.is_within(max_throttled_pct))
}

/// True where neither the counts nor EBS's own ones show the present volume at a limit.
fn was_at_no_limit(role: &RoleAdvice, max_throttled_pct: f64) -> bool {
    let is_exceeded = role.current.as_ref().is_some_and(|current| current.exceeded.is_some());
    let counted = role.state.checked.exceeded;
    let counted = counted.is_some_and(|shares| {
        [shares.volume_iops, shares.volume_throughput].into_iter().flatten().any(|share| share > 0.0)
    });
    let share = limit_share(role).unwrap_or_default();
    !is_exceeded && !counted && 100.0 * share <= max_throttled_pct
}

/// Risk of the present volumes, by the averages of their demand.
pub fn present_risk(role: &RoleAdvice, max_throttled_pct: f64) -> Option<Risk> {
    let outcome = role.current.as_ref()?.outcome?;
    Some(Risk::new(&outcome, max_throttled_pct, true, false))
}
