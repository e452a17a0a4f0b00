//! Smaller storage of RDS: the search for the cheapest that meets the request.

use super::advisor::Advisor;
use super::part::Part;
use super::role_advice::RoleAdvice;
use super::smaller_storage::{NoSmallerStorage, SmallerStorage};
use crate::evaluate::candidate::Candidate;
use crate::evaluate::candidates;
use crate::evaluate::context::EvaluationContext;
use crate::evaluate::sizing::{SizingConditions, Sizings};
use crate::migration::blue_green::BlueGreenCommands;
use ebs_aws::catalogue::{Platform, Purpose, VolumeConfig, classes_of};
use ebs_aws::price::Bill;
use ebs_base::units::Usd;

impl Advisor<'_> {
    /// Seeks smaller storage for the current storage of RDS; `None` on another platform, and where that is not known.
    pub(super) fn smaller_storage(
        &self,
        part: &Part,
        (sizings, role, others): (&Sizings, &RoleAdvice, Usd),
    ) -> Option<Result<SmallerStorage, NoSmallerStorage>> {
        let is_rds = |config: &VolumeConfig| config.platform.is_rds();
        let current = role.current.as_ref().filter(|_| self.request.platform.is_rds())?;
        let (config, _) = current.volumes.iter().find(|(config, _)| is_rds(config) && !is_log_volume(config))?;
        Some(self.find_smaller(part, config, (sizings, role, others)))
    }

    fn find_smaller(
        &self,
        part: &Part,
        current: &VolumeConfig,
        (sizings, role, others): (&Sizings, &RoleAdvice, Usd),
    ) -> Result<SmallerStorage, NoSmallerStorage> {
        if current.platform == Platform::RdsCluster || self.request.platform == Platform::RdsCluster {
            return Err(NoSmallerStorage::Cluster);
        }
        if self.has_log_volume(part) || self.window.layout.volumes.iter().any(|volume| self.is_log_volume(volume)) {
            return Err(NoSmallerStorage::LogVolume);
        }
        if role.instance_saturation.is_some() {
            return Err(NoSmallerStorage::InstanceBinds);
        }
        let size = &part.state.size;
        let required_gib = size.by_use_gib.max(self.request.min_size_gib).ok_or(NoSmallerStorage::UseUnknown)?;
        if required_gib >= current.size_gib {
            return Err(NoSmallerStorage::Used { required_gib });
        }
        let usd = |bill: Option<Bill>| bill.map(|bill| bill.total());
        let current_usd = role.current.as_ref().and_then(|current| usd(current.bill));
        let order_usd = role.current.as_ref().and_then(|current| usd(current.order_bill));
        let conditions = SizingConditions { size_gib: Some(required_gib), ..sizings.conditions };
        let smaller = sizings.with_conditions(&conditions);
        let context = EvaluationContext { sizings: Some(&smaller), ..self.context(part, sizings, role) };
        let fits = |found: &Candidate| {
            let budget = self.request.budget_usd.is_none_or(|budget| found.total() + others <= budget);
            // A recommended storage of less than today's is only reached this way.
            let best = role.best().filter(|best| best.config.size_gib >= current.size_gib);
            let cheapest = best.map(Candidate::total).into_iter().chain(order_usd).min();
            budget && found.config.size_gib < current.size_gib && cheapest.is_none_or(|usd| found.total() < usd)
        };
        let found = candidates::best(&context.with_sizing(&smaller.observed)).filter(fits);
        let mut storage = found.ok_or(NoSmallerStorage::NotCheaper { required_gib })?;
        self.predict(part, &mut storage);
        let stripes = |config: &VolumeConfig| config.class().map_or(1, |class| class.stripes);
        let database = &self.request.database;
        let is_possible = database.blue_green_obstacles.is_empty() && !self.window.has_forbidding_change();
        Ok(SmallerStorage {
            leaves_stripe: stripes(&storage.config) < stripes(current),
            obstacles: database.blue_green_obstacles.clone(),
            commands: is_possible
                .then(|| BlueGreenCommands::new(&storage.config, database.on_platform(storage.config.platform))),
            storage,
            required_gib,
            current_gib: current.size_gib,
            current_usd,
        })
    }
}

/// True of RDS's dedicated log volume.
fn is_log_volume(config: &VolumeConfig) -> bool {
    config.class().is_some_and(|class| class.purpose == Purpose::Log)
        && !classes_of(config.platform, config.volume_type, Purpose::Any).any(|class| Some(class) == config.class())
}

#[cfg(test)]
#[path = "find_smaller_tests.rs"]
mod tests;
