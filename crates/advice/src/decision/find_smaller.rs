//! Smaller storage of RDS: the search for the cheapest that meets the request.

use super::smaller_storage::{NoSmallerStorage, SmallerStorage};
use crate::evaluate::candidate::Candidate;
use crate::migration::blue_green::BlueGreenCommands;
use crate::scenario::Scenario;
use ebs_aws::catalogue::{Platform, Purpose, VolumeConfig, classes_of};
use ebs_aws::price::Bill;
use ebs_base::units::Usd;

/// The search for smaller storage of RDS.
pub struct SmallerSearch<'a> {
    /// The observed demand.
    pub scenario: &'a Scenario<'a>,
    /// The recommended storage.
    pub best: Option<&'a Candidate>,
    /// Price of the other roles' volumes.
    pub others: Usd,
}

impl SmallerSearch<'_> {
    /// The current storage of RDS; `None` on another platform, and where it is not known.
    fn current(&self) -> Option<&VolumeConfig> {
        let is_rds = |config: &VolumeConfig| config.platform.is_rds();
        let current = self.scenario.current.filter(|_| self.scenario.request.platform.is_rds())?;
        let storage = current.volumes.iter().find(|(config, _)| is_rds(config) && !is_log_volume(config));
        storage.map(|(config, _)| config)
    }

    /// The size that is sought, GiB, or the reason why there is none; `None` where there is no storage of RDS.
    pub fn sought_gib(&self) -> Option<Result<u64, NoSmallerStorage>> {
        let current = self.current()?;
        let (part, request) = (self.scenario.part, &self.scenario.request);
        if current.platform == Platform::RdsCluster || request.platform == Platform::RdsCluster {
            return Some(Err(NoSmallerStorage::Cluster));
        }
        let mut all = part.inputs.window.layout.volumes.iter();
        if part.has_log_volume() || all.any(|volume| part.inputs.is_log_volume(volume)) {
            return Some(Err(NoSmallerStorage::LogVolume));
        }
        if self.scenario.instance_saturation.is_some() {
            return Some(Err(NoSmallerStorage::InstanceBinds));
        }
        let required_gib = part.state.size.by_use_gib.max(request.min_size_gib).ok_or(NoSmallerStorage::UseUnknown);
        Some(required_gib.and_then(|required_gib| match required_gib >= current.size_gib {
            true => Err(NoSmallerStorage::Used { required_gib }),
            false => Ok(required_gib),
        }))
    }

    /// The smaller storage, where that which was found for the sought size saves money.
    pub fn conclude(&self, required_gib: u64, found: Option<Candidate>) -> Result<SmallerStorage, NoSmallerStorage> {
        let not_cheaper = NoSmallerStorage::NotCheaper { required_gib };
        let current = self.current().ok_or(NoSmallerStorage::UseUnknown)?;
        let storage = found.filter(|found| self.fits(found, current)).ok_or(not_cheaper)?;
        let stripes = |config: &VolumeConfig| config.class().map_or(1, |class| class.stripes);
        let inputs = &self.scenario.part.inputs;
        let database = &inputs.request.database;
        let is_possible = database.blue_green_obstacles.is_empty() && !inputs.window.has_forbidding_change();
        Ok(SmallerStorage {
            leaves_stripe: stripes(&storage.config) < stripes(current),
            obstacles: database.blue_green_obstacles.clone(),
            commands: is_possible
                .then(|| BlueGreenCommands::new(&storage.config, database.on_platform(storage.config.platform))),
            storage,
            required_gib,
            current_gib: current.size_gib,
            current_usd: self.scenario.current.and_then(|current| usd(current.bill)),
        })
    }

    /// True of storage that is smaller than the current one, within the budget, and cheaper than that and the recommended one.
    fn fits(&self, found: &Candidate, current: &VolumeConfig) -> bool {
        let budget_usd = self.scenario.request.budget_usd;
        let is_affordable = budget_usd.is_none_or(|budget| found.total() + self.others <= budget);
        let order_usd = self.scenario.current.and_then(|current| usd(current.order_bill));
        // A recommended storage of less than today's is only reached this way.
        let best = self.best.filter(|best| best.config.size_gib >= current.size_gib);
        let cheapest = best.map(Candidate::total).into_iter().chain(order_usd).min();
        is_affordable && found.config.size_gib < current.size_gib && cheapest.is_none_or(|usd| found.total() < usd)
    }
}

fn usd(bill: Option<Bill>) -> Option<Usd> {
    bill.map(|bill| bill.total())
}

/// True of RDS's dedicated log volume.
fn is_log_volume(config: &VolumeConfig) -> bool {
    config.class().is_some_and(|class| class.purpose == Purpose::Log)
        && !classes_of(config.platform, config.volume_type, Purpose::Any).any(|class| Some(class) == config.class())
}

#[cfg(test)]
#[path = "find_smaller_tests.rs"]
mod tests;
