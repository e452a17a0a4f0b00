//! The change to other volumes: the AWS CLI's commands, and AWS's rules for it. Nothing is executed.
//!
//! Arguments that are not known stand in angle brackets, so that a shell refuses the command.

mod ec2;
pub(crate) mod procedure;
mod rds;
pub(crate) mod rule;

use ebs_aws::catalogue::VolumeType;
use ebs_samples::evidence::Volume;
use ebs_workload::attached::Attached;
use procedure::{MigrationTarget, Procedure};

/// Plans the change of `volume` from its current EBS volumes (`attached`; `None` where it is not known to be on EBS) to the target.
pub fn plan_migration(volume: &Volume, attached: Option<&Attached>, target: &MigrationTarget) -> Procedure {
    if target.config.volume_type == VolumeType::InstanceStore {
        Procedure::default()
    } else if target.config.platform.is_rds() {
        rds::plan(attached, target)
    } else {
        ec2::plan(volume, attached, target)
    }
}

#[cfg(test)]
#[path = "migration_tests.rs"]
mod tests;
