//! The change to other volumes: commands of the AWS CLI, and AWS's rules for them.

use crate::migration::rule::MigrationRule;
use ebs_aws::catalogue::{IopsRule, MibpsRule, VolumeConfig};

/// The change from the current volumes to others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Procedure {
    /// Commands of the AWS CLI, in order; none where nothing changes, or the target is not sold as a volume.
    pub commands: Vec<Command>,
    /// Commands on the server after them.
    pub server_commands: Vec<String>,
    /// AWS's rules for it, and its effects.
    pub rules: Vec<MigrationRule>,
}

/// A command of the AWS CLI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The command line.
    pub line: String,
    /// Number of executions: once for each volume that it creates.
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
    /// A size as an argument: `<size>` for the target's size where that is not known.
    pub(super) fn size_argument(&self, size_gib: u64) -> String {
        let unknown = !self.size_known && size_gib == self.config.size_gib;
        if unknown { "<size>".to_owned() } else { size_gib.to_string() }
    }
}

impl Command {
    pub(super) fn once(line: String) -> Command {
        Command { line, times: 1 }
    }
}

/// Options for IOPS and throughput, by these names, as far as the type has them provisioned.
pub(super) fn limit_options(target: &VolumeConfig, (iops, throughput): (&str, Option<&str>)) -> String {
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
