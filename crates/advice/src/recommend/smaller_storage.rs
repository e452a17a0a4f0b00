//! A smaller storage of RDS than today's, by a Blue/Green deployment: no modification shrinks storage.

use super::advisor::Advisor;
use super::part::Part;
use super::role_advice::RoleAdvice;
use crate::evaluate::candidate::Candidate;
use crate::evaluate::candidates;
use crate::evaluate::context::EvaluationContext;
use crate::evaluate::sizing::{SizingConditions, Sizings};
use crate::migration::blue_green::BlueGreenCommands;
use ebs_aws::catalogue::{Platform, Purpose, VolumeConfig, classes_of};
use ebs_base::units::Usd;

/// Smaller storage of an RDS instance.
#[derive(Clone, Debug, PartialEq)]
pub struct SmallerStorage {
    /// The cheapest storage that meets the request with this size.
    pub storage: Candidate,
    /// Size by use, its growth and 25 % more, GiB; or that which was requested.
    pub required_gib: u64,
    /// Size of the storage today, GiB.
    pub current_gib: u64,
    /// Price of the storage today, a month; `None` where a part of it is not known.
    pub current_usd: Option<Usd>,
    /// True where the storage leaves the stripe of four volumes, with the limits that it includes.
    pub leaves_stripe: bool,
    /// Its commands; `None` while a change of the storage is pending.
    pub commands: Option<BlueGreenCommands>,
}

/// Reason why no smaller storage is offered for RDS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoSmallerStorage {
    /// The used space is not known.
    UseUnknown,
    /// The use, its growth and 25 % more need as much as there is.
    Used {
        /// Size by use, GiB.
        required_gib: u64,
    },
    /// AWS's documentation has no Blue/Green deployment of a smaller Multi-AZ DB cluster.
    Cluster,
    /// The instance's limit binds: what a larger one asks of the storage is not known.
    InstanceBinds,
    /// No smaller storage that meets the request costs less.
    NotCheaper {
        /// Size by use, GiB.
        required_gib: u64,
    },
}

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
        if role.instance_saturation.is_some() {
            return Err(NoSmallerStorage::InstanceBinds);
        }
        let size = &part.state.size;
        let required_gib = size.by_use_gib.max(self.request.min_size_gib).ok_or(NoSmallerStorage::UseUnknown)?;
        if required_gib >= current.size_gib {
            return Err(NoSmallerStorage::Used { required_gib });
        }
        let current_usd = role.current.as_ref().and_then(|current| current.bill).map(|bill| bill.total());
        let conditions = SizingConditions { size_gib: Some(required_gib), ..sizings.conditions };
        let smaller = sizings.with_conditions(&conditions);
        let context = EvaluationContext { sizings: Some(&smaller), ..self.context(part, sizings, role) };
        let fits = |found: &Candidate| {
            let budget = self.request.budget_usd.is_none_or(|budget| found.total() + others <= budget);
            // A recommended storage of less than today's is only reached this way.
            let best = role.best().filter(|best| best.config.size_gib >= current.size_gib);
            let cheapest = best.map(Candidate::total).into_iter().chain(current_usd).min();
            budget && found.config.size_gib < current.size_gib && cheapest.is_none_or(|usd| found.total() < usd)
        };
        let found = candidates::best(&context.with_sizing(&smaller.observed)).filter(fits);
        let mut storage = found.ok_or(NoSmallerStorage::NotCheaper { required_gib })?;
        self.predict(part, &mut storage);
        let stripes = |config: &VolumeConfig| config.class().map_or(1, |class| class.stripes);
        Ok(SmallerStorage {
            leaves_stripe: stripes(&storage.config) < stripes(current),
            commands: self.window.pending.is_empty().then(|| {
                BlueGreenCommands::new(&storage.config, self.request.database.on_platform(storage.config.platform))
            }),
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
#[path = "smaller_storage_tests.rs"]
mod tests;
