//! Storage of an RDS for PostgreSQL instance or Multi-AZ cluster.

use super::procedure::{MigrationTarget, Procedure, once, provisioned};
use super::rule::MigrationRule;
use ebs_aws::catalogue::{Platform, VolumeConfig};
use ebs_workload::attached::Attached;

/// From this size, GiB, RDS stripes PostgreSQL's storage over four volumes.
const STRIPED_GIB: u64 = 400;

/// The instance is modified, or made anew where the cluster is on EBS volumes of its own server.
pub(super) fn change(attached: Option<&Attached>, target: &MigrationTarget) -> Procedure {
    let on_rds = |config: &VolumeConfig| config.platform.is_rds();
    match attached {
        None => modify(None, target),
        Some(attached) => match attached.volumes.first().and_then(|volume| volume.config.filter(on_rds)) {
            Some(now) => modify(Some(now), target),
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

fn modify(now: Option<VolumeConfig>, wanted: &MigrationTarget) -> Procedure {
    let target = &wanted.config;
    let unchanged = now.is_some_and(|now| VolumeConfig { platform: target.platform, ..now } == *target);
    if unchanged {
        return Procedure::default();
    }
    let (what, identifier, throughput) = subject(target);
    let size_gib = allocated(now, target.size_gib);
    let size = match now {
        Some(now) if now.size_gib >= size_gib => String::new(),
        _ => format!(" --allocated-storage {}", wanted.size_argument(size_gib)),
    };
    let line = format!(
        "aws rds modify-{what} {identifier} --storage-type {}{size}{} --apply-immediately",
        target.volume_type.name(),
        provisioned(target, ("--iops", throughput))
    );
    Procedure { commands: vec![once(line)], then: Vec::new(), rules: rules(now, target, size_gib) }
}

/// At least a tenth more than now, or as much as now.
fn allocated(now: Option<VolumeConfig>, wanted_gib: u64) -> u64 {
    match now.map(|now| now.size_gib) {
        Some(now_gib) if wanted_gib > now_gib => wanted_gib.max((11 * now_gib).div_ceil(10)),
        Some(now_gib) => now_gib,
        None => wanted_gib,
    }
}

fn rules(now: Option<VolumeConfig>, target: &VolumeConfig, size_gib: u64) -> Vec<MigrationRule> {
    let now_gib = now.map(|now| now.size_gib);
    let size = match now_gib {
        Some(stays_gib) if stays_gib > target.size_gib => {
            Some(MigrationRule::RdsCannotShrink { stays_gib, wanted_gib: target.size_gib })
        }
        Some(now_gib) if now_gib == size_gib => None,
        _ => Some(MigrationRule::RdsGrowth),
    };
    let stripe = match now_gib {
        Some(now_gib) if now_gib < STRIPED_GIB && size_gib >= STRIPED_GIB => Some(MigrationRule::RdsBecomesStripe),
        None if size_gib >= STRIPED_GIB => Some(MigrationRule::RdsMayBecomeStripe),
        _ => None,
    };
    [size, stripe, Some(MigrationRule::RdsNextChange)].into_iter().flatten().collect()
}

fn create(wanted: &MigrationTarget) -> Procedure {
    let target = &wanted.config;
    let (what, identifier, throughput) = subject(target);
    let class = match target.platform {
        Platform::RdsCluster => "--db-cluster-instance-class <class>",
        Platform::RdsMultiAz => "--multi-az --db-instance-class <class>",
        _ => "--db-instance-class <class>",
    };
    let line = format!(
        "aws rds create-{what} {identifier} --engine postgres {class} --master-username <user> \
         --manage-master-user-password --storage-type {} --allocated-storage {}{}",
        target.volume_type.name(),
        wanted.size_argument(target.size_gib),
        provisioned(target, ("--iops", throughput))
    );
    Procedure { commands: vec![once(line)], then: Vec::new(), rules: vec![MigrationRule::CopiedIntoRds] }
}
