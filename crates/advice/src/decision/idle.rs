//! Idle volumes: the included performance of their type is more than they were asked for.

use super::action::{Action, ActionReason};
use super::decide::Decision;
use super::finding::{ConfigurationFacts, Finding};
use super::negligible::is_negligible;
use super::plan::plan_volumes;
use super::priced_volumes::PricedVolumes;
use crate::current::size::UsedSpace;
use crate::insufficient::{Insufficient, insufficient};
use crate::migration::procedure::Procedure;
use crate::request::settings::Request;
use crate::scenario::inputs::{Extent, Inputs};
use crate::scenario::part::Part;
use ebs_aws::catalogue::{Purpose, VolumeConfig, VolumeType, classes_of};
use ebs_aws::price::{bill, order_bill};
use ebs_base::units::Usd;
use ebs_samples::evidence::{Coverage, Window};
use ebs_workload::declarations::{Declarations, Declared};
use ebs_workload::volume_group::VolumeGroup;

/// Seconds with counts below which changes are not planned, and a volume is not called idle: a day, as load has a daily cycle and jobs come
/// every night; a tenth of it may be missing. A choice.
pub const MIN_CHANGE_S: f64 = 0.9 * 86_400.0;

/// Idle volumes, and the requests that were counted.
#[derive(Clone, Debug)]
pub struct IdleVolume {
    /// The present volume; `None` where it is not known.
    pub present: Option<PricedVolumes>,
    /// True where it has Multi-Attach.
    pub is_multi_attach: bool,
    /// Requests.
    pub requests: u64,
    /// Seconds in which they were counted.
    pub seconds: f64,
    /// Findings on its configuration.
    pub findings: Vec<Finding>,
}

impl IdleVolume {
    /// The current volume of an idle window, as it was declared; `None` where the window is not idle.
    pub fn from_window(window: &Window, declared: &Declarations, request: &Request) -> Option<IdleVolume> {
        let Insufficient::Idle { requests, device_s } = insufficient(window, &Coverage::from_window(window))? else {
            return None;
        };
        let declared = match window.current.as_slice() {
            [volume] => declared.find(window.layout.volumes.get(*volume)?),
            _ => Vec::new(),
        };
        let single = match declared.as_slice() {
            [single] if single.volumes == 1 => Some(*single),
            _ => None,
        };
        let usd = |config| bill(&config, 1, &request.prices).map(|bill| bill.total().rounded());
        let present =
            |single: &Declared| PricedVolumes { config: single.config, volumes: 1, usd_month: usd(single.config) };
        let is_multi_attach = single.is_some_and(|single| single.is_multi_attach);
        let facts = ConfigurationFacts {
            volume_type: single.map(|single| single.config.volume_type),
            changes: &window.changes,
            pending: &window.pending,
            to_us: window.to_us,
            is_multi_attach,
        };
        let space = window.current.first().and_then(|volume| UsedSpace::from_window(window, *volume));
        let findings = facts.findings().into_iter().chain(space.and_then(|space| space.finding())).collect();
        let present = single.map(present);
        Some(IdleVolume { present, is_multi_attach, requests, seconds: device_s, findings })
    }

    /// The change that a decision on the idle volume of a window leads to; `None` where it stays, or is not known.
    pub fn plan(decision: &Decision, window: &Window, declared: &Declarations, request: &Request) -> Option<Procedure> {
        let volumes = decision.volumes.filter(|_| decision.action == Action::Modify)?;
        let pause = || window.pause.now();
        let inputs = Inputs { window, request, declared, busy: None, extent: Extent::Decision, pause: &pause };
        let part = Part::new(inputs, VolumeGroup::from_volume(window, *window.current.first()?));
        Some(plan_volumes(&part, (volumes.config, volumes.volumes), false))
    }

    /// Decides on an idle volume: a general purpose one of its size without more IOPS or throughput, where that is cheaper by more
    /// than a change is worth, and as durable as requested; so nothing is lost if it is needed again. That it could be deleted is a finding
    /// alone: nothing shows that its data are not needed. Without an answer where the request is for more than idle time shows; `None`
    /// where the counts are of less than a day.
    pub fn decide(&self, request: &Request) -> Option<Decision> {
        let IdleVolume { requests, seconds, .. } = *self;
        if seconds < MIN_CHANGE_S {
            return None;
        }
        if self.is_beyond(request) {
            return Some(Decision::without_volumes(
                ActionReason::Idle { requests, seconds },
                self.findings_of_idle(None),
            ));
        }
        let changed = self.included(request);
        let durability = self.present.zip(changed).and_then(|(present, then)| {
            let [now_pct, then_pct] = [present, then].map(|volumes| volumes.config.volume_type.durability_pct());
            (then_pct < now_pct).then_some(Finding::LowerDurability { now_pct, then_pct })
        });
        let are_prices_known = request.prices.are_known(request.platform);
        let price = |volumes: &PricedVolumes| price(&volumes.config, request);
        let saved = match (self.present, changed) {
            (Some(present), Some(then)) => price(&present).zip(price(&then)).map(|(now, then)| now - then),
            (Some(present), None) => price(&present).map(|_| Usd::default()),
            (None, _) => None,
        };
        Some(Decision {
            action: match (self.present, changed) {
                (_, Some(_)) => Action::Modify,
                (Some(_), None) => Action::Keep,
                (None, None) => Action::NoAnswer,
            },
            reason: ActionReason::Idle { requests, seconds },
            volumes: changed.or(self.present),
            saved: saved.filter(|_| are_prices_known),
            risk: None,
            findings: self.findings_of_idle(durability),
            may_regret_bursts: false,
        })
    }

    /// Its findings, with that it is idle, and with one on its change.
    fn findings_of_idle(&self, change: Option<Finding>) -> Vec<Finding> {
        let idle = Finding::Idle { requests: self.requests, seconds: self.seconds };
        self.findings.iter().cloned().chain([idle]).chain(change).collect()
    }

    /// True where something is requested that volumes without requests do not show, or that the volumes of the answer do not meet.
    fn is_beyond(&self, request: &Request) -> bool {
        let Some(present) = self.present else { return false };
        let answer = self.included(request).unwrap_or(present).config;
        let is_dear = |budget| price(&answer, request).is_some_and(|usd| usd > budget);
        let is_fast = request.latency_target_ms.is_some() || request.min_throughput_ratio.is_some();
        let is_larger = request.min_size_gib.is_some_and(|gib| gib > answer.size_gib);
        is_fast
            || is_larger
            || !request.accepts_durability(answer.volume_type)
            || request.budget_usd.is_some_and(is_dear)
    }

    /// General purpose volume of its size with what its price includes, where that is to be had, as durable as requested, and cheaper by
    /// more than a change is worth, or within a budget that the present volume exceeds.
    fn included(&self, request: &Request) -> Option<PricedVolumes> {
        let present = self.present?.config;
        // A zone has the type of its present volume.
        let general_purpose = VolumeType::general_purpose();
        let is_had = present.volume_type == general_purpose || request.surely_has(general_purpose);
        let is_allowed = is_had && !self.is_multi_attach;
        let config = least(present).filter(|least| is_allowed && request.accepts_durability(least.volume_type))?;
        let (now, then) = (price(&present, request)?, price(&config, request)?);
        let usd_month = request.prices.are_known(request.platform).then_some(then);
        let is_dear = request.budget_usd.is_some_and(|budget| now > budget);
        let is_worth_it = then < now && (is_dear || !is_negligible(now - then, now));
        is_worth_it.then_some(PricedVolumes { config, volumes: 1, usd_month })
    }
}

fn price(config: &VolumeConfig, request: &Request) -> Option<Usd> {
    order_bill(config, 1, &request.prices).map(|bill| bill.total().rounded())
}

/// General purpose volume of this size with what its price includes.
fn least(present: VolumeConfig) -> Option<VolumeConfig> {
    let classes = classes_of(present.platform, VolumeType::general_purpose(), Purpose::Any);
    classes.filter_map(|class| class.least(present.size_gib, 0, 0)).find(|config| config.size_gib == present.size_gib)
}

#[cfg(test)]
#[path = "idle_tests.rs"]
mod tests;
