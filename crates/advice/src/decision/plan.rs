//! The change to the volumes that are recommended.

use super::recommendation::Recommendation;
use crate::migration::plan_migration;
use crate::migration::procedure::{MigrationTarget, Procedure};
use crate::migration::rule::MigrationRule;
use crate::scenario::part::Part;
use ebs_aws::catalogue::VolumeConfig;
use ebs_samples::evidence::{PendingChange, Volume};
use ebs_workload::attached::Attached;

/// Plans the change to the volumes that are recommended, or to those until the instance is larger; `None` where there are none.
/// `has_log_offer` is true where RDS's dedicated log volume carries the WAL, which has none now.
pub fn plan(part: &Part, recommendation: &Recommendation, has_log_offer: bool) -> Option<Procedure> {
    let volumes = match *recommendation {
        Recommendation::Volumes(best) => best,
        Recommendation::LargerInstance(interim) => interim?,
        Recommendation::Nothing(_) => return None,
    };
    Some(plan_volumes(part, (volumes.config, volumes.volumes), has_log_offer))
}

/// Plans the change of a part to these volumes, and their number.
pub fn plan_volumes(part: &Part, (config, volumes): (VolumeConfig, u64), has_log_offer: bool) -> Procedure {
    let inputs = &part.inputs;
    let (request, platform) = (inputs.request, config.platform);
    let target = MigrationTarget {
        config,
        volumes,
        size_known: part.state.size.size_gib.is_some(),
        instance: request.instance.map(|instance| instance.instance_type.as_str()),
        database: request.database.on_platform(platform),
        deployment: request.database.deployment,
        max_allocated_gib: request.database.max_allocated_gib,
        has_log_volume: part.has_log_volume(),
        is_multi_attach: part.current.as_ref().is_some_and(|current| current.is_multi_attach),
        role: &part.state.group.role,
    };
    // Consolidating several volumes requires a copy, but of RDS's the data's is the storage.
    let single = part.state.group.single(inputs.window).or_else(|| part.storage_of_rds());
    let attached = single.and_then(|volume| Attached::find(volume, inputs.declared));
    let procedure = plan_migration(single.unwrap_or(&Volume::default()), attached.as_ref(), &target);
    let ids = || attached.iter().flat_map(|attached| &attached.volumes).filter_map(|volume| volume.id.as_ref());
    let is_of = |pending: &PendingChange| {
        let is_single = pending.volume.as_ref().is_none_or(|name| single.is_some_and(|volume| volume.device == *name))
            || ids().any(|id| *id == pending.name);
        pending.forbids_change() && is_single
    };
    let procedure = procedure.after_pending(inputs.window.pending.iter().any(is_of));
    let has_beside = VolumeConfig::log_volume(platform, config.volume_type).is_some();
    let offered = (has_log_offer && has_beside).then_some(MigrationRule::RdsLogVolumeOffered);
    Procedure { rules: procedure.rules.into_iter().chain(offered).collect(), ..procedure }
}
