//! RDS's dedicated log volume as an offer beside the recommended storage.

use super::advice::Advice;
use super::role::{Ranked, predicted};
use crate::decision::recommendation::Recommendation;
use crate::evaluate::candidate::Candidate;
use crate::evaluate::candidates::within_budget;
use crate::evaluate::evaluation::evaluate;
use crate::evaluate::provisioning::Basis;
use crate::request::settings::Request;
use crate::scenario::Scenario;
use crate::scenario::inputs::Inputs;
use crate::scenario::instance_load::InstanceLoad;
use crate::scenario::part::Part;
use crate::search::{Found, Priced};
use crate::sizing::sizings::Sizings;
use ebs_aws::catalogue::{Purpose, VolumeConfig, VolumeType, classes_of};
use ebs_aws::price::Tariff;
use ebs_samples::evidence::Role;
use ebs_workload::volume_group::VolumeGroup;

/// The dedicated log volume, which RDS has beside io1 and io2 storage alone, in addition to the recommended storage.
#[derive(Clone, Copy, Debug)]
pub struct LogVolumeOffer<'a> {
    /// The recommended storage, sized for all roles.
    pub storage: &'a Candidate,
    /// The log volume.
    pub log: &'a Candidate,
}

impl Advice {
    /// The dedicated log volume beside recommended storage that can have one; `None` beside other types, and where it does not meet the
    /// request. Other storage with it, instead of gp3, costs more, and the evidence shows no gain over the same storage alone.
    pub fn log_volume_offer(&self, request: &Request) -> Option<LogVolumeOffer<'_>> {
        let log = self.log_volume.as_ref().filter(|log| log.feasible)?;
        let storage = match self.roles.first()?.recommendation(request) {
            Recommendation::Volumes(best) | Recommendation::LargerInstance(Some(best)) => best,
            _ => return None,
        };
        let beside = VolumeConfig::log_volume(storage.config.platform, storage.config.volume_type);
        beside.map(|_| LogVolumeOffer { storage, log })
    }
}

/// Evaluates RDS's dedicated log volume for the current WAL, within what the cheapest volumes of the roles leave of the budget; `None` where
/// WAL has no volume of its own to be counted by.
pub fn evaluate_log_volume(inputs: Inputs, load: &InstanceLoad, ranked: &[Ranked]) -> Option<Candidate> {
    let Inputs { window, request, .. } = inputs;
    let is_wal = |&&volume: &&usize| window.layout.volumes[volume].roles == [Role::Wal];
    let wal = window.current.iter().find(is_wal).filter(|_| request.platform.is_rds())?;
    let part = Part::new(inputs, VolumeGroup::from_volume(window, *wal));
    let class = classes_of(request.platform, VolumeType::provisioned(), Purpose::Log).next()?;
    let config = VolumeConfig { platform: request.platform, ..class.least(0, 0, 0)? };
    let tariff = Tariff::from_prices(class, request.platform, &request.prices)?;
    let observed = Scenario::observed(&part, load.saturation);
    let scenario = observed.with_size(class.max_gib);
    let found = Found::from(Priced::new(config, 1, &tariff));
    let candidate = predicted(&scenario, evaluate(&Sizings::new(&scenario), found, Basis::Fixed));
    Some(match request.budget_usd {
        Some(budget) => {
            within_budget(candidate, budget, ranked.iter().filter_map(Ranked::best).map(Candidate::total).sum())
        }
        None => candidate,
    })
}

#[cfg(test)]
#[path = "log_volume_tests.rs"]
mod tests;
