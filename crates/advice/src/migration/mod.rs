//! The change to other volumes: the AWS CLI's commands, and the rules of AWS that apply to it. Nothing is run.
//!
//! What is not known stands in angle brackets, which a shell refuses rather than runs.

mod ec2;
pub(crate) mod procedure;
mod rds;
pub(crate) mod rule;

use ebs_aws::catalogue::VolumeType;
use ebs_samples::evidence::Volume;
use ebs_workload::attached::Attached;
use procedure::{MigrationTarget, Procedure};

/// From what `volume` is on now (`attached`; `None` where nothing says that it is EBS) to `volumes` of `target`.
pub fn change(volume: &Volume, attached: Option<&Attached>, target: &MigrationTarget) -> Procedure {
    if target.config.volume_type == VolumeType::InstanceStore {
        Procedure::default()
    } else if target.config.platform.is_rds() {
        rds::change(attached, target)
    } else {
        ec2::change(volume, attached, target)
    }
}

#[cfg(test)]
#[path = "migration_tests.rs"]
mod tests;
