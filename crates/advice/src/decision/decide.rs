//! The decision: the action on the present volumes, and the reason for it.

use super::action::{Action, ActionReason};
use super::carried_demand::CarriedDemand;
use super::finding::{Finding, list_findings};
use super::grounds::Grounds;
use super::instance_need::InstanceNeed;
use super::negligible::is_negligible;
use super::priced_volumes::PricedVolumes;
use super::recommendation::Recommendation;
use crate::current::refuted_limit::RefutedLimit;
use crate::current::sequential::sequential_kib;
use crate::evaluate::candidate::{Candidate, Excess};
use crate::evaluate::evaluation::evaluate;
use crate::evaluate::provisioning::{Basis, Kept, burst_limits};
use crate::evaluate::risk::Risk;
use crate::scenario::Scenario;
use crate::search::{Found, Priced};
use ebs_aws::catalogue::{Ceiling, LimitKind, VolumeConfig};
use ebs_base::units::Usd;
use ebs_prediction::BindingLimit;
use ebs_workload::busy_rates::{BusyRates, hides_bursts};

/// A decision on the volumes of a part.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The action.
    pub action: Action,
    /// The reason for it.
    pub reason: ActionReason,
    /// The volumes that it leads to: those that stay, or those to order; `None` without any, and where these are of several kinds.
    pub volumes: Option<PricedVolumes>,
    /// Saving a month; negative where it costs more, `None` where a price is not known.
    pub saved: Option<Usd>,
    /// Risk of the volumes that it leads to; `None` without any.
    pub risk: Option<Risk>,
    /// Findings beside it.
    pub findings: Vec<Finding>,
    /// True where bursts that averages hide could make its volumes too small, which lowers the confidence.
    pub may_regret_bursts: bool,
}

impl Decision {
    /// No answer, for this reason.
    pub(super) fn without_volumes(reason: ActionReason, findings: Vec<Finding>) -> Decision {
        let (volumes, saved, risk, may_regret_bursts) = (None, None, None, false);
        Decision { action: Action::NoAnswer, reason, volumes, saved, risk, findings, may_regret_bursts }
    }
}

impl Grounds<'_> {
    /// Decides on the action; with the present volumes, evaluated, where they stay in place of the ones that were found.
    pub fn decide(&self) -> (Decision, Option<Candidate>) {
        let scenario = self.sizings.scenario;
        let present = scenario.present();
        let busy = scenario.part.inputs.busy;
        let (action, reason, kept) = self.action();
        let named = self.recommendation.volumes();
        let changed = named.filter(|_| action == Action::Modify);
        let findings = list_findings(self, changed, kept.as_ref());
        let is_slower = findings.iter().any(|finding| matches!(finding, Finding::Slower(limit) if limit.is_closed));
        // The nearest miss is no order.
        let ordered = named.filter(|_| !matches!(reason, ActionReason::NothingSuffices(_)));
        let least_risk = if is_slower { Risk::High } else { Risk::VeryLow };
        // An unknown size is that of no order.
        let is_sized = scenario.part.state.size.size_gib.is_some();
        let decision = Decision {
            volumes: match action {
                // A volume for a larger instance is sized once it is on that: what the present one lets through says too little.
                Action::Keep | Action::LargerInstance => present.current.and_then(PricedVolumes::from_current),
                Action::NoAnswer if present.current.is_some() || !is_sized => None,
                _ => ordered.map(PricedVolumes::from),
            },
            saved: match action {
                Action::Keep => present.current.and_then(|current| current.bill).map(|_| Usd::default()),
                // The price of the larger instance is part of it, and not known here.
                Action::LargerInstance => None,
                _ => ordered.and_then(|ordered| ordered.saving),
            },
            risk: kept.as_ref().or(ordered).and_then(|volumes| volumes.risk).map(|risk| risk.max(least_risk)),
            may_regret_bursts: match &reason {
                ActionReason::PresentSuffices(carried) => busy.is_some_and(|busy| carried.may_exceed(busy)),
                _ => changed.is_some_and(|best| may_regret_bursts(scenario, best, busy)),
            },
            action,
            reason,
            findings,
        };
        (decision, kept)
    }

    /// The present volumes, where they stay in place of the ones that were found.
    pub fn stay(&self) -> Option<Candidate> {
        self.action().2
    }

    /// The present volumes, evaluated, as far as they may stay for this cause: of one kind, and with the targets, the size, the number of
    /// volumes and the budget that were requested.
    fn stay_for(&self, cause: Kept) -> Option<Candidate> {
        let request = &self.sizings.scenario.request;
        let (_, volumes) = self.single_present()?;
        let is_large = request.min_size_gib.is_none_or(|gib| gib <= self.present_gib());
        if !is_large || request.max_volumes.is_some_and(|most| volumes > most) {
            return None;
        }
        let kept = self.evaluate_present(cause)?;
        let is_affordable = self.budget.is_none_or(|budget| kept.total() <= budget);
        (kept.missed_targets.is_empty() && is_affordable).then_some(kept)
    }

    /// The present volumes, where they are of one kind, as ones that stay for this cause.
    fn evaluate_present(&self, cause: Kept) -> Option<Candidate> {
        let (config, volumes) = self.single_present()?;
        let bill = self.sizings.scenario.current?.order_bill?;
        Some(evaluate(self.sizings, Found::from(Priced { config, volumes, bill }), Basis::Kept(cause)))
    }

    /// Excesses of the present volumes over the requested durability, latency and throughput; empty where they meet them, or are not known.
    fn present_misses(&self) -> Vec<(BindingLimit, Excess)> {
        self.evaluate_present(Kept::SizeAlone).map(|present| present.missed_targets).unwrap_or_default()
    }

    /// The present volumes while a limit that the samples show below the described one is checked. What they carried is what the samples
    /// show, below the limits that they are said to have.
    fn stay_refuted(&self, refuted: RefutedLimit) -> Option<Candidate> {
        let scenario = self.sizings.scenario;
        let kept = self.stay_for(Kept::Refuted(refuted))?;
        let risk = scenario.present().risk(scenario.request.rule.max_throttled_pct);
        Some(Candidate { outcome: scenario.current?.outcome, risk, ..kept })
    }

    /// The present hard disks, where they carry large requests and nothing shows a database, for which they would be unsuitable.
    fn stay_sequential(&self) -> Option<Candidate> {
        let (scenario, (config, _)) = (self.sizings.scenario, self.single_present()?);
        let (part, present) = (scenario.part, scenario.present());
        let kib = sequential_kib(part.inputs.window, &config, &part.state.figures)?;
        let max_throttled_pct = scenario.request.rule.max_throttled_pct;
        let stays = present.suffices(max_throttled_pct) && !self.needs_space();
        let kept = self.stay_for(Kept::Sequential(kib)).filter(|_| stays)?;
        Some(Candidate { outcome: scenario.current?.outcome, risk: present.risk(max_throttled_pct), ..kept })
    }

    /// The action, the reason for it, and the present volumes where they stay in place of the ones that were found.
    fn action(&self) -> (Action, ActionReason, Option<Candidate>) {
        match self.recommendation {
            Recommendation::LargerInstance(_) => {
                let (action, reason) = self.larger_instance();
                (action, reason, None)
            }
            Recommendation::Nothing(nearest) => {
                let nearest = nearest.map(|nearest| Box::new(nearest.clone()));
                (Action::NoAnswer, ActionReason::NothingSuffices(nearest), None)
            }
            Recommendation::Volumes(best) => self.volumes(best),
        }
    }

    fn larger_instance(&self) -> (Action, ActionReason) {
        let Some((need, saturation)) = self.need.zip(self.sizings.scenario.instance_saturation) else {
            return (Action::NoAnswer, ActionReason::NothingSuffices(None));
        };
        let InstanceNeed { required, sufficient, .. } = need;
        let (instance, bound) = (saturation.instance, saturation.bound);
        (Action::LargerInstance, ActionReason::InstanceBinds { instance, bound, required, sufficient })
    }

    fn volumes(&self, best: &Candidate) -> (Action, ActionReason, Option<Candidate>) {
        let scenario = self.sizings.scenario;
        let (part, present) = (scenario.part, scenario.present());
        let candidate = Box::new(best.clone());
        let Some(single) = present.current.map(|_| self.single_present()) else {
            return (Action::NoAnswer, ActionReason::ConfigurationUnknown(candidate), None);
        };
        let is_present = single == Some((best.config, best.volumes));
        let keep = |reason, kept: Candidate| (Action::Keep, reason, Some(kept).filter(|_| !is_present));
        if let Some((refuted, kept)) = part.state.refuted_limit.and_then(|it| Some((it, self.stay_refuted(it)?))) {
            return keep(ActionReason::DescriptionRefuted { refuted, candidate }, kept);
        }
        if is_present {
            return (Action::Keep, ActionReason::Sufficient(candidate), None);
        }
        if let Some(kept) = self.stay_sequential() {
            return keep(ActionReason::Sufficient(Box::new(kept.clone())), kept);
        }
        let missed = self.present_misses();
        if !missed.is_empty() {
            return (Action::Modify, ActionReason::PresentMissesTarget { missed, candidate }, None);
        }
        let needs_space = self.needs_space();
        let is_size_alone = !needs_space && self.is_other_in_size(best);
        if let Some(kept) = is_size_alone.then(|| self.stay_for(Kept::SizeAlone)).flatten() {
            return keep(ActionReason::Sufficient(candidate), kept);
        }
        let max_throttled_pct = scenario.request.rule.max_throttled_pct;
        let suffices = present.suffices(max_throttled_pct);
        if !suffices && self.exceeds_present(best) {
            return (Action::Modify, ActionReason::PresentTooSmall(candidate), None);
        }
        let shows_no_limit = hides_bursts(part.inputs.window) && present.was_at_no_limit(max_throttled_pct);
        let carried = CarriedDemand::find(scenario, best, self.required, needs_space).filter(|_| shows_no_limit);
        let stays = |carried: CarriedDemand| Some((self.stay_for(Kept::Carried(single?.0))?, carried));
        if let Some((kept, carried)) = carried.and_then(stays) {
            return keep(ActionReason::PresentSuffices(Box::new(carried)), kept);
        }
        let grows = needs_space && best.config.size_gib * best.volumes > self.present_gib();
        let is_too_little = |saved: &Usd| suffices && !grows && is_negligible(*saved, best.total() + *saved);
        let saved = best.saving.filter(is_too_little);
        match saved.and_then(|saved| Some((saved, self.stay_for(Kept::SavesTooLittle(saved))?))) {
            Some((saved, kept)) => keep(ActionReason::NegligibleSaving { candidate, saved }, kept),
            None if grows || self.is_present_below_requirement() => {
                (Action::Modify, ActionReason::PresentTooSmall(candidate), None)
            }
            None => (Action::Modify, ActionReason::Sufficient(candidate), None),
        }
    }

    /// True where more space is needed: the volumes are filling up, or a larger size was requested.
    fn needs_space(&self) -> bool {
        let is_filling = self.sizings.scenario.part.state.size.used_space().is_some_and(|space| space.is_filling());
        let requested_gib = self.sizings.scenario.request.min_size_gib;
        is_filling || requested_gib.is_some_and(|gib| gib > self.present_gib())
    }

    /// Size of all present volumes together, GiB.
    fn present_gib(&self) -> u64 {
        let volumes = self.sizings.scenario.current.iter().flat_map(|current| &current.volumes);
        volumes.map(|(config, volumes)| config.size_gib * volumes).sum()
    }

    /// The present volumes, where they are of one kind, and their number.
    fn single_present(&self) -> Option<(VolumeConfig, u64)> {
        match self.sizings.scenario.current?.volumes.as_slice() {
            [single] => Some(*single),
            _ => None,
        }
    }

    /// True where all present volumes together have less than the requirement, which the headroom is a part of, bursts included.
    fn is_present_below_requirement(&self) -> bool {
        self.has_less(burst_limits, self.required)
    }

    /// True of volumes with more IOPS or throughput than all present ones together have without credits.
    fn exceeds_present(&self, best: &Candidate) -> bool {
        self.has_less(VolumeConfig::ceiling, best.config.ceiling(best.volumes))
    }

    /// True where all present volumes together have less than one of these rates.
    fn has_less(&self, limits: impl Fn(&VolumeConfig, u64) -> Ceiling, rates: Ceiling) -> bool {
        let volumes = || self.sizings.scenario.current.iter().flat_map(|current| &current.volumes);
        let sum = |kind| volumes().map(|(config, count)| limits(config, *count).rate(kind)).sum::<f64>();
        LimitKind::BOTH.into_iter().any(|kind| sum(kind) < rates.rate(kind))
    }

    /// True of the present volumes but for their size, on which their limits do not depend.
    fn is_other_in_size(&self, best: &Candidate) -> bool {
        self.single_present().is_some_and(|(present, volumes)| {
            let resized = VolumeConfig { size_gib: best.config.size_gib, ..present };
            best.config.volume_type.has_chosen_iops() && resized == best.config && volumes == best.volumes
        })
    }
}

/// True where bursts that averages hide could regret the recommended volumes: they have less than the present ones of a rate, and less than
/// the rate within busy time, or that is not known. A limit that stays is none that could be regretted, and EBS's own counts of time above
/// the present limits say nothing on lower ones.
fn may_regret_bursts(scenario: &Scenario, best: &Candidate, busy: Option<BusyRates>) -> bool {
    let Some((present, volumes)) = scenario.current.and_then(|current| current.volumes.first()) else { return false };
    let (now, then) = (burst_limits(present, *volumes), burst_limits(&best.config, best.volumes));
    let cut: Vec<LimitKind> = LimitKind::BOTH.into_iter().filter(|kind| then.rate(*kind) < now.rate(*kind)).collect();
    if cut.is_empty() || !hides_bursts(scenario.part.inputs.window) {
        return false;
    }
    let busy = busy.map(|busy| Ceiling { iops: busy.iops, mibps: busy.mibps });
    cut.into_iter().any(|kind| busy.is_none_or(|busy| then.rate(kind) < busy.rate(kind)))
}
