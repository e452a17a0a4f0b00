//! Storage of an RDS for PostgreSQL instance or Multi-AZ cluster.

use super::procedure::{Command, MigrationTarget, Procedure, limit_options};
use super::rule::MigrationRule;
use ebs_aws::catalogue::{Platform, VolumeConfig};
use ebs_workload::attached::Attached;

/// Smallest size, GiB, from which on RDS stripes PostgreSQL's storage over four volumes.
const STRIPED_GIB: u64 = 400;

/// Modifies the instance, or creates one where the cluster is on EBS volumes of its own server.
pub(super) fn plan(attached: Option<&Attached>, target: &MigrationTarget) -> Procedure {
    let on_rds = |config: &VolumeConfig| config.platform.is_rds();
    match attached {
        None => modify(None, target),
        Some(attached) => match attached.volumes.first().and_then(|volume| volume.config.filter(on_rds)) {
            Some(current) => modify(Some(current), target),
            None => create(target),
        },
    }
}

/// The subject of the command: an instance, or a Multi-AZ cluster, whose throughput RDS sets itself.
fn subject(target: &VolumeConfig) -> (&'static str, &'static str, Option<&'static str>) {
    match target.platform {
        Platform::RdsCluster => ("db-cluster", "--db-cluster-identifier <db-cluster>", None),
        _ => ("db-instance", "--db-instance-identifier <db-instance>", Some("--storage-throughput")),
    }
}

fn modify(current: Option<VolumeConfig>, target: &MigrationTarget) -> Procedure {
    let config = &target.config;
    let unchanged = current.is_some_and(|current| VolumeConfig { platform: config.platform, ..current } == *config);
    if unchanged {
        return Procedure::default();
    }
    let current_gib = current.map(|current| current.size_gib);
    let (subject, identifier, throughput) = subject(config);
    let size_gib = allocated_gib(current_gib, config.size_gib);
    let size = match current_gib {
        Some(current_gib) if current_gib >= size_gib => String::new(),
        _ => format!(" --allocated-storage {}", target.size_argument(size_gib)),
    };
    let line = format!(
        "aws rds modify-{subject} {identifier} --storage-type {}{size}{} --apply-immediately",
        config.volume_type.name(),
        limit_options(config, ("--iops", throughput))
    );
    let rules = rules(current_gib, config.size_gib, size_gib);
    Procedure { commands: vec![Command::once(line)], server_commands: Vec::new(), rules }
}

/// Size to allocate, GiB: the current one, or at least a tenth more.
fn allocated_gib(current_gib: Option<u64>, target_gib: u64) -> u64 {
    match current_gib {
        Some(current_gib) if target_gib > current_gib => target_gib.max((11 * current_gib).div_ceil(10)),
        Some(current_gib) => current_gib,
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

fn create(target: &MigrationTarget) -> Procedure {
    let config = &target.config;
    let (subject, identifier, throughput) = subject(config);
    let class = match config.platform {
        Platform::RdsCluster => "--db-cluster-instance-class <class>",
        Platform::RdsMultiAz => "--multi-az --db-instance-class <class>",
        _ => "--db-instance-class <class>",
    };
    let line = format!(
        "aws rds create-{subject} {identifier} --engine postgres {class} --master-username <user> \
         --manage-master-user-password --storage-type {} --allocated-storage {}{}",
        config.volume_type.name(),
        target.size_argument(config.size_gib),
        limit_options(config, ("--iops", throughput))
    );
    let commands = vec![Command::once(line)];
    Procedure { commands, server_commands: Vec::new(), rules: vec![MigrationRule::CopiedIntoRds] }
}
