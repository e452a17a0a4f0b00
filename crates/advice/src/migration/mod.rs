//! The change to other volumes: commands for a shell, and AWS's rules for it. Nothing is executed.
//!
//! What is not known is a variable, which the script checks before it changes anything.

pub(crate) mod aws_command;
pub(crate) mod aws_resource;
pub(crate) mod blue_green;
mod create;
mod directory;
mod ec2;
mod extend;
pub(crate) mod procedure;
mod rds;
pub(crate) mod rule;
pub(crate) mod unknown;

use ebs_samples::evidence::Volume;
use ebs_workload::attached::Attached;
use procedure::{MigrationTarget, Procedure};

/// Plans the change of `volume` from its current EBS volumes (`attached`; `None` where it is not known to be on EBS) to the target.
pub fn plan_migration(volume: &Volume, attached: Option<&Attached>, target: &MigrationTarget) -> Procedure {
    if !target.config.volume_type.is_ebs() {
        Procedure::default()
    } else if target.config.platform.is_rds() {
        rds::plan(attached, target)
    } else {
        // RDS's storage cannot become a volume of an EC2 instance: the data is copied.
        ec2::plan(volume, attached.filter(|attached| !attached.is_rds()), target)
    }
}

#[cfg(test)]
#[path = "migration_tests.rs"]
mod tests;
