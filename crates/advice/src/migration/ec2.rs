//! EBS volumes of an instance: modified in place, or created and filled by copying.

use super::procedure::{Command, MigrationTarget, Procedure, limit_options};
use super::rule::MigrationRule;
use ebs_aws::catalogue::{Platform, VolumeConfig, VolumeType};
use ebs_samples::evidence::{Layout, Volume};
use ebs_workload::attached::{Attached, AttachedVolume};

pub(super) fn plan(volume: &Volume, attached: Option<&Attached>, target: &MigrationTarget) -> Procedure {
    let Some(attached) = attached else {
        return create(target, MigrationRule::NotOnEbs);
    };
    match obstacle(volume, attached, &target.config, target.volumes) {
        Some(rule) => create(target, rule),
        None => modify(volume, attached, target),
    }
}

/// The rule by which the volumes cannot be modified in place; `None` where they can.
fn obstacle(volume: &Volume, attached: &Attached, target: &VolumeConfig, volumes: u64) -> Option<MigrationRule> {
    let current = attached.volumes.len() as u64;
    if current != volumes {
        return Some(MigrationRule::NumberDiffers { from: current, to: volumes });
    }
    let largest = attached.volumes.iter().filter_map(|volume| size_gib(attached, volume)).max();
    if let Some(from_gib) = largest.filter(|current_gib| *current_gib > target.size_gib) {
        return Some(MigrationRule::CannotShrink { from_gib, to_gib: target.size_gib });
    }
    let raid0 = matches!(&volume.layout, Layout::Md(level) if level == "raid0");
    if raid0 && attached.volumes.iter().any(|volume| grows(attached, volume, target)) {
        return Some(MigrationRule::StripeCannotGrow);
    }
    None
}

/// Size of a current volume, GiB; its part of the filesystem where the size was not declared.
fn size_gib(attached: &Attached, volume: &AttachedVolume) -> Option<u64> {
    let part = |gib: u64| gib.div_ceil(attached.volumes.len().max(1) as u64);
    volume.config.map(|config| config.size_gib).or(attached.filesystem_gib.map(part))
}

fn grows(attached: &Attached, volume: &AttachedVolume, target: &VolumeConfig) -> bool {
    size_gib(attached, volume).is_none_or(|current_gib| current_gib < target.size_gib)
}

fn is_same(config: &VolumeConfig, target: &VolumeConfig) -> bool {
    VolumeConfig { platform: target.platform, ..*config } == *target
}

fn modify(volume: &Volume, attached: &Attached, target: &MigrationTarget) -> Procedure {
    let config = &target.config;
    let changed: Vec<(usize, &AttachedVolume)> = (1..)
        .zip(&attached.volumes)
        .filter(|(_, volume)| !volume.config.is_some_and(|current| is_same(&current, config)))
        .collect();
    if changed.is_empty() {
        return Procedure::default();
    }
    let several = attached.volumes.len() > 1;
    let command = |(number, volume): &(usize, &AttachedVolume)| {
        let placeholder = if several { format!("<volume-id-{number}>") } else { "<volume-id>".to_owned() };
        let id = volume.id.clone().unwrap_or(placeholder);
        let size = match grows(attached, volume, config) {
            true => format!(" --size {}", target.size_argument(config.size_gib)),
            // Without the option the size stays as it is.
            false => String::new(),
        };
        let limits = limit_options(config, ("--iops", Some("--throughput")));
        let volume_type = config.volume_type.name();
        Command::once(format!("aws ec2 modify-volume --volume-id {id} --volume-type {volume_type}{size}{limits}"))
    };
    let larger = changed.iter().any(|(_, volume)| grows(attached, volume, config));
    let server_commands = if larger { extend(volume) } else { Vec::new() };
    let commands = changed.iter().map(command).collect();
    Procedure { commands, server_commands, rules: rules(attached, config, larger) }
}

/// Commands that extend the filesystem to the size of its volumes.
fn extend(volume: &Volume) -> Vec<String> {
    let disks: Vec<&str> = volume.disks().collect();
    let mut lines: Vec<String> =
        disks.iter().map(|disk| format!("sudo growpart /dev/{disk} <partition>  # if it is partitioned")).collect();
    lines.push(match volume.layout {
        Layout::DeviceMapper => {
            let devices = disks.iter().map(|disk| format!("/dev/{disk}")).collect::<Vec<_>>().join(" ");
            format!("sudo pvresize {devices} && sudo lvextend --resizefs --extents +100%FREE <logical-volume>")
        }
        Layout::Btrfs => "sudo btrfs filesystem resize <devid>:max <mount-point>  # for each device".to_owned(),
        Layout::Single | Layout::Md(_) => {
            "sudo resize2fs <device>  # ext4; for XFS: sudo xfs_growfs -d <mount-point>".to_owned()
        }
    });
    lines
}

fn rules(attached: &Attached, target: &VolumeConfig, larger: bool) -> Vec<MigrationRule> {
    let mut rules = Vec::new();
    if larger {
        rules.extend([MigrationRule::SizeOnlyGrows, MigrationRule::ExtendFilesystem]);
    }
    if larger && attached.declared_gib().is_none() {
        rules.push(MigrationRule::SizeNotDeclared);
    }
    rules.extend([MigrationRule::ModificationsPerDay, MigrationRule::Optimization]);
    if matches!(target.volume_type, VolumeType::St1 | VolumeType::Sc1) {
        rules.push(MigrationRule::RootVolume);
    }
    rules
}

/// Creates volumes, because a rule keeps the current ones from being modified.
fn create(target: &MigrationTarget, rule: MigrationRule) -> Procedure {
    let MigrationTarget { config, volumes, .. } = target;
    let outpost = if config.platform == Platform::Outposts { " --outpost-arn <outpost-arn>" } else { "" };
    let create = format!(
        "aws ec2 create-volume --availability-zone <availability-zone>{outpost} --volume-type {} --size {}{}",
        config.volume_type.name(),
        target.size_argument(config.size_gib),
        limit_options(config, ("--iops", Some("--throughput")))
    );
    let attach = "aws ec2 attach-volume --volume-id <volume-id> --instance-id <instance-id> --device <device>";
    let commands = [create, attach.to_owned()].map(|line| Command { line, times: *volumes }).into();
    let mut server_commands = Vec::new();
    if *volumes > 1 {
        server_commands.push(format!("sudo mdadm --create /dev/md0 --level=0 --raid-devices={volumes} <devices>"));
    }
    Procedure { commands, server_commands, rules: vec![rule] }
}
