//! Storage of an RDS for PostgreSQL instance or Multi-AZ cluster.

use super::aws_command::Argument;
use super::aws_resource::{APPLY_IMMEDIATELY, AwsResource, StorageAttributes, ask_values};
use super::procedure::{MigrationTarget, Procedure, Script};
use super::rule::{MigrationRule, RdsRule};
use super::unknown::Unknown;
use ebs_aws::catalogue::{Platform, VolumeConfig, grown_storage_gib};
use ebs_workload::attached::Attached;

/// Smallest size, GiB, from which on RDS stripes PostgreSQL's storage over four volumes.
const STRIPED_GIB: u64 = 400;

/// Modifies the instance, or creates one where the cluster is on EBS volumes of its own server.
pub(super) fn plan(attached: Option<&Attached>, target: &MigrationTarget) -> Procedure {
    let on_rds = |config: &VolumeConfig| config.platform.is_rds();
    match attached {
        _ if is_other_deployment(target) => create(target, MigrationRule::Rds(RdsRule::OtherDeployment)),
        None => modify(None, target),
        Some(attached) => match attached.volumes.first().and_then(|volume| volume.config.filter(on_rds)) {
            Some(current) => modify(Some(current), target),
            None => create(target, MigrationRule::CopiedIntoRds),
        },
    }
}

/// True where one of the current deployment and the target is a Multi-AZ DB cluster, and the other a DB instance.
fn is_other_deployment(target: &MigrationTarget) -> bool {
    let is_cluster = |platform| platform == Platform::RdsCluster;
    target.deployment.is_some_and(|now| is_cluster(now) != is_cluster(target.config.platform))
}

/// Options that add the standby of a Multi-AZ DB instance, or remove it, and those of the way back; `None` where it stays as it is.
fn standby_options(target: &MigrationTarget) -> Option<[&'static str; 2]> {
    match (target.deployment?, target.config.platform) {
        (Platform::Rds, Platform::RdsMultiAz) => Some(["--multi-az", "--no-multi-az"]),
        (Platform::RdsMultiAz, Platform::Rds) => Some(["--no-multi-az", "--multi-az"]),
        _ => None,
    }
}

/// Limit of storage autoscaling, GiB, that goes with storage that grows to this size: at least a tenth above it, or the size itself, which
/// turns autoscaling off, where no storage is so large; `None` where the present limit stays
/// (<https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/USER_PIOPS.Autoscaling.html>).
fn autoscaling_limit(target: &MigrationTarget, current_gib: u64, size_gib: u64) -> Option<u64> {
    let least_gib = grown_storage_gib(size_gib, size_gib + 1);
    let limit_gib = target.max_allocated_gib.filter(|limit_gib| *limit_gib > current_gib && size_gib > current_gib)?;
    let largest = || if target.config.at_size(least_gib).is_some() { least_gib } else { size_gib };
    (limit_gib < least_gib).then(largest)
}

/// Identifier of the resource: `known`, or else a variable.
fn identifier(script: &mut Script, resource: AwsResource, known: Option<&str>) -> Argument {
    let unknown = if resource == AwsResource::Cluster { Unknown::DbCluster } else { Unknown::DbInstance };
    known.map_or_else(|| script.ask(unknown), Argument::from)
}

fn modify(current: Option<VolumeConfig>, target: &MigrationTarget) -> Procedure {
    let config = &target.config;
    let drops_log_volume = drops_log_volume(target);
    let unchanged = current.is_some_and(|current| VolumeConfig { platform: config.platform, ..current } == *config);
    if unchanged && options_beside(target, 0).is_empty() {
        return Procedure::default();
    }
    let current_gib = current.map(|current| current.size_gib);
    let size_gib = allocated_gib(current_gib, config.size_gib);
    let begins_at = current_gib.filter(|current_gib| *current_gib < size_gib);
    if let Some(current_gib) = begins_at.filter(|_| config.at_size(size_gib).is_none()) {
        return Procedure {
            rules: vec![MigrationRule::Rds(RdsRule::CannotGrow { current_gib })],
            ..Procedure::default()
        };
    }
    let limit_gib = begins_at.and_then(|current_gib| autoscaling_limit(target, current_gib, size_gib));
    let (mut change, mut rollback) = (Script::default(), Script::default());
    let resource = AwsResource::new(config.platform);
    let [id, id_back] = [&mut change, &mut rollback].map(|script| identifier(script, resource, target.database));
    let [beside, beside_back] = [0, 1].map(|way| options_beside(target, way));
    let attributes = |config| StorageAttributes { size_gib, ..StorageAttributes::new(resource, &config) };
    let after = attributes(at_size(*config, size_gib));
    let before = match current {
        // Where the size alone changes, the way back would change nothing; or the current type has no such size.
        Some(current) => way_back(current, size_gib)
            .map(attributes)
            .filter(|before| *before != after || !beside_back.is_empty())
            .map(|before| before.values(resource, size_gib.into(), false)),
        None => {
            note_current(&mut change, resource, id.clone());
            Some(ask_values(&mut rollback, resource, |script| Some(script.size(target, size_gib))))
        }
    };
    match before {
        Some(before) => {
            let modify = resource.modify(id_back, before).flags(beside_back);
            rollback.aws(&modify.flags([APPLY_IMMEDIATELY]));
        }
        None => rollback = Script::default(),
    }
    let grows = current_gib.is_none_or(|current_gib| current_gib < size_gib);
    let size = change.size(target, size_gib);
    let modify = resource.modify(id, after.values(resource, size, grows)).option("--max-allocated-storage", limit_gib);
    change.aws(&modify.flags(beside).flags([APPLY_IMMEDIATELY]));
    let mut rules = rules(current_gib, config.size_gib, size_gib);
    if rollback.lines.is_empty() {
        let growth = rules.iter_mut().find(|rule| **rule == MigrationRule::RdsGrowth);
        growth.into_iter().for_each(|rule| *rule = MigrationRule::RdsGrowthWithoutRollback);
    }
    rules.extend(limit_gib.map(|max_gib| match max_gib > size_gib {
        true => MigrationRule::Rds(RdsRule::AutoscalingLimit { max_gib }),
        false => MigrationRule::Rds(RdsRule::AutoscalingEnds),
    }));
    rules.extend(
        standby_options(target)
            .map(|_| MigrationRule::Rds(RdsRule::Standby { is_added: config.platform == Platform::RdsMultiAz })),
    );
    rules.extend(drops_log_volume.then_some(MigrationRule::RdsLogVolumeCopy));
    Procedure { change, rollback, rules, modifies: true, waits: false }
}

/// Options beside those of the storage, of the change (0) or of the way back (1): the end of the log volume, and the standby.
fn options_beside(target: &MigrationTarget, way: usize) -> Vec<&'static str> {
    let log_volume = drops_log_volume(target).then_some(["--no-dedicated-log-volume", "--dedicated-log-volume"]);
    log_volume.into_iter().chain(standby_options(target)).map(|options| options[way]).collect()
}

/// The limits of a configuration on storage of this size: storage grows by at least a tenth, and stays as large on the way back.
fn at_size(config: VolumeConfig, size_gib: u64) -> VolumeConfig {
    config.at_size(size_gib).unwrap_or(config)
}

/// The current storage at the size after the change; `None` where its type has no such size.
fn way_back(current: VolumeConfig, size_gib: u64) -> Option<VolumeConfig> {
    current.at_size(size_gib).or((current.size_gib == size_gib).then_some(current))
}

/// True where the current dedicated log volume cannot stay: RDS has it beside io1 and io2 storage alone.
fn drops_log_volume(target: &MigrationTarget) -> bool {
    let VolumeConfig { platform, volume_type, .. } = target.config;
    let is_cluster = platform == Platform::RdsCluster;
    target.has_log_volume && !is_cluster && VolumeConfig::log_volume(platform, volume_type).is_none()
}

/// Prints the current settings, which were not declared and which the way back needs.
fn note_current(script: &mut Script, resource: AwsResource, id: Argument) {
    let query = resource.query([true, resource != AwsResource::Cluster]);
    script.aws(&resource.describe([id]).query(&query));
}

/// Size to allocate, GiB: the current one, or at least a tenth more.
fn allocated_gib(current_gib: Option<u64>, target_gib: u64) -> u64 {
    match current_gib {
        Some(current_gib) => grown_storage_gib(current_gib, target_gib).max(current_gib),
        None => target_gib,
    }
}

fn rules(current_gib: Option<u64>, target_gib: u64, size_gib: u64) -> Vec<MigrationRule> {
    let size = match current_gib {
        Some(current_gib) if current_gib > target_gib => {
            Some(MigrationRule::RdsCannotShrink { current_gib, target_gib })
        }
        Some(current_gib) if current_gib == size_gib => None,
        _ => Some(MigrationRule::RdsGrowth),
    };
    let stripe = match current_gib {
        Some(current_gib) if current_gib < STRIPED_GIB && size_gib >= STRIPED_GIB => {
            Some(MigrationRule::RdsBecomesStripe)
        }
        None if size_gib >= STRIPED_GIB => Some(MigrationRule::RdsMayBecomeStripe),
        _ => None,
    };
    [size, stripe, Some(MigrationRule::RdsNextChange)].into_iter().flatten().collect()
}

fn create(target: &MigrationTarget, rule: MigrationRule) -> Procedure {
    let config = &target.config;
    let mut change = Script::default();
    let resource = AwsResource::new(config.platform);
    // The current instance remains until its data is copied: the new one has another identifier.
    let id = identifier(&mut change, resource, None);
    let class = match target.instance {
        Some(instance) => format!("db.{instance}").into(),
        None => change.ask(Unknown::DbInstanceClass),
    };
    let class_option = match config.platform {
        Platform::RdsMultiAz => "--multi-az --db-instance-class",
        _ => resource.class_option(),
    };
    let user = change.ask(Unknown::MasterUser);
    let size = change.size(target, config.size_gib);
    let create = resource.command("create").option(resource.identifier(), [id]).option("--engine", ["postgres"]);
    let create = create.option(class_option, [class]).option("--master-username", [user]);
    let storage = StorageAttributes::new(resource, config).values(resource, size, true);
    change.aws(&create.flags(["--manage-master-user-password"]).options(resource.storage_options(), storage));
    Procedure { change, rules: vec![rule], ..Procedure::default() }
}

#[cfg(test)]
#[path = "rds_tests.rs"]
mod tests;
