//! The change to other volumes: commands of the AWS CLI, and AWS's rules for them.

use crate::migration::rule::MigrationRule;
use ebs_aws::catalogue::{IopsRule, MibpsRule, VolumeConfig};

/// The change from the current volumes to others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Procedure {
    /// Commands of the AWS CLI, in order; none where nothing changes, or what is wanted is not sold as a volume.
    pub commands: Vec<Command>,
    /// Commands on the server afterwards.
    pub then: Vec<String>,
    /// AWS's rules for it, and its effects.
    pub rules: Vec<MigrationRule>,
}

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// As it is typed.
    pub line: String,
    /// Number of times, once for each volume that it makes.
    pub times: u64,
}

/// The volumes to change to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MigrationTarget {
    /// Each volume.
    pub config: VolumeConfig,
    /// Number of volumes.
    pub volumes: u64,
    /// False where the size is only the least that the IOPS allow.
    pub size_known: bool,
}

impl MigrationTarget {
    /// A size as it is typed: `<size>` in place of the target's where that is not known.
    pub(super) fn size_argument(&self, size_gib: u64) -> String {
        let unknown = !self.size_known && size_gib == self.config.size_gib;
        if unknown { "<size>".to_owned() } else { size_gib.to_string() }
    }
}

pub(super) fn once(line: String) -> Command {
    Command { line, times: 1 }
}

/// IOPS and throughput by these options, each where the type lets it be chosen.
pub(super) fn provisioned(target: &VolumeConfig, (iops, throughput): (&str, Option<&str>)) -> String {
    let class = target.class();
    let mut options = String::new();
    if class.is_some_and(|class| class.iops_rule == IopsRule::Provisioned) {
        options.push_str(&format!(" {iops} {}", target.iops));
    }
    if let Some(throughput) = throughput.filter(|_| class.is_some_and(|c| c.mibps_rule == MibpsRule::Provisioned)) {
        options.push_str(&format!(" {throughput} {}", target.throughput_mibps));
    }
    options
}
