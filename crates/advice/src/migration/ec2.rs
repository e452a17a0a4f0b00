//! EBS volumes of an instance: modified where they are, or made anew and filled by copying.

use super::procedure::{Command, MigrationTarget, Procedure, once, provisioned};
use super::rule::MigrationRule;
use ebs_aws::catalogue::{Platform, VolumeConfig, VolumeType};
use ebs_samples::evidence::{Layout, Volume};
use ebs_workload::attached::{Attached, AttachedVolume};

pub(super) fn change(volume: &Volume, attached: Option<&Attached>, target: &MigrationTarget) -> Procedure {
    let Some(attached) = attached else {
        return anew(target, MigrationRule::NotOnEbs);
    };
    match instead_of_modifying(volume, attached, &target.config, target.volumes) {
        Some(why) => anew(target, why),
        None => modify(volume, attached, target),
    }
}

/// The rule that keeps the volumes from becoming the target in place; `None` where they can.
fn instead_of_modifying(
    volume: &Volume,
    attached: &Attached,
    target: &VolumeConfig,
    volumes: u64,
) -> Option<MigrationRule> {
    let now = attached.volumes.len() as u64;
    if now != volumes {
        return Some(MigrationRule::NumberDiffers { from: now, to: volumes });
    }
    let largest = attached.volumes.iter().filter_map(|volume| size_gib(attached, volume)).max();
    if let Some(from_gib) = largest.filter(|now| *now > target.size_gib) {
        return Some(MigrationRule::CannotShrink { from_gib, to_gib: target.size_gib });
    }
    let raid0 = matches!(&volume.layout, Layout::Md(level) if level == "raid0");
    if raid0 && attached.volumes.iter().any(|volume| grows(attached, volume, target)) {
        return Some(MigrationRule::StripeCannotGrow);
    }
    None
}

/// The size of a volume of now, GiB. Where it was not declared, its part of the filesystem stands for it.
fn size_gib(attached: &Attached, volume: &AttachedVolume) -> Option<u64> {
    let part = |gib: u64| gib.div_ceil(attached.volumes.len().max(1) as u64);
    volume.config.map(|config| config.size_gib).or(attached.filesystem_gib.map(part))
}

fn grows(attached: &Attached, volume: &AttachedVolume, target: &VolumeConfig) -> bool {
    size_gib(attached, volume).is_none_or(|now| now < target.size_gib)
}

fn same(config: &VolumeConfig, target: &VolumeConfig) -> bool {
    VolumeConfig { platform: target.platform, ..*config } == *target
}

fn modify(volume: &Volume, attached: &Attached, wanted: &MigrationTarget) -> Procedure {
    let target = &wanted.config;
    let others: Vec<(usize, &AttachedVolume)> = (1..)
        .zip(&attached.volumes)
        .filter(|(_, volume)| !volume.config.is_some_and(|config| same(&config, target)))
        .collect();
    if others.is_empty() {
        return Procedure::default();
    }
    let several = attached.volumes.len() > 1;
    let command = |(number, volume): &(usize, &AttachedVolume)| {
        let unknown = if several { format!("<volume-id-{number}>") } else { "<volume-id>".to_owned() };
        let id = volume.id.clone().unwrap_or(unknown);
        let size = match grows(attached, volume, target) {
            true => format!(" --size {}", wanted.size_argument(target.size_gib)),
            // Left out it stays as it is.
            false => String::new(),
        };
        let rest = provisioned(target, ("--iops", Some("--throughput")));
        once(format!("aws ec2 modify-volume --volume-id {id} --volume-type {}{size}{rest}", target.volume_type.name()))
    };
    let larger = others.iter().any(|(_, volume)| grows(attached, volume, target));
    let then = if larger { extend(volume) } else { Vec::new() };
    Procedure { commands: others.iter().map(command).collect(), then, rules: rules(attached, target, larger) }
}

/// Commands that make the filesystem as large as its volumes.
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

fn anew(wanted: &MigrationTarget, why: MigrationRule) -> Procedure {
    let MigrationTarget { config: target, volumes, .. } = wanted;
    let outpost = if target.platform == Platform::Outposts { " --outpost-arn <outpost-arn>" } else { "" };
    let create = format!(
        "aws ec2 create-volume --availability-zone <availability-zone>{outpost} --volume-type {} --size {}{}",
        target.volume_type.name(),
        wanted.size_argument(target.size_gib),
        provisioned(target, ("--iops", Some("--throughput")))
    );
    let attach = "aws ec2 attach-volume --volume-id <volume-id> --instance-id <instance-id> --device <device>";
    let commands = [create, attach.to_owned()].map(|line| Command { line, times: *volumes }).into();
    let mut then = Vec::new();
    if *volumes > 1 {
        then.push(format!("sudo mdadm --create /dev/md0 --level=0 --raid-devices={volumes} <devices>"));
    }
    Procedure { commands, then, rules: vec![why] }
}
