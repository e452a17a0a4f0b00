//! EBS volumes of an instance: modified in place, or created and filled by copying.

use super::aws_command::Argument;
use super::aws_resource::{AwsResource, StorageAttributes, ask_values};
use super::create::create;
use super::extend::{check_disks, extend};
use super::procedure::{MigrationTarget, Procedure, Script};
use super::rule::MigrationRule;
use super::unknown::Unknown;
use ebs_aws::catalogue::VolumeConfig;
use ebs_samples::evidence::{Layout, Volume};
use ebs_workload::attached::{Attached, AttachedVolume};

pub(super) fn plan(volume: &Volume, attached: Option<&Attached>, target: &MigrationTarget) -> Procedure {
    let Some(attached) = attached else {
        if target.is_multi_attach {
            return Procedure { rules: vec![MigrationRule::MultiAttachCopied], ..Procedure::default() };
        }
        return create(target, MigrationRule::NotOnEbs);
    };
    let obstacle = obstacle(volume, attached, &target.config, target.volumes);
    if target.is_multi_attach {
        return plan_multi_attach(volume, attached, target, obstacle);
    }
    match obstacle {
        Some(rule) => create(target, rule),
        None => modify(volume, attached, target),
    }
}

/// Modifies volumes with Multi-Attach, where their type allows it and stays. Other changes take new volumes, whose data only the
/// cluster filesystem on them can move: no commands.
fn plan_multi_attach(
    volume: &Volume,
    attached: &Attached,
    target: &MigrationTarget,
    obstacle: Option<MigrationRule>,
) -> Procedure {
    let volume_type = target.config.volume_type;
    let is_modifiable = volume_type.is_modifiable_with_multi_attach();
    let stays = |volume: &AttachedVolume| volume.config.is_some_and(|config| config.volume_type == volume_type);
    let mut modified = modify(volume, attached, target);
    if modified.change.lines.is_empty() {
        return modified;
    }
    if obstacle.is_some() || !is_modifiable || !attached.volumes.iter().all(stays) {
        return Procedure { rules: vec![MigrationRule::MultiAttachCopied], ..Procedure::default() };
    }
    modified.rules.push(MigrationRule::MultiAttachModified);
    modified
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
    let larger = changed.iter().any(|(_, volume)| grows(attached, volume, config));
    let (mut change, mut rollback) = (Script::default(), Script::default());
    if larger {
        check_disks(&mut change, volume);
    }
    let ids: Vec<Argument> = changed.iter().map(|(number, volume)| id(&mut change, volume, *number, several)).collect();
    if changed.iter().any(|(_, volume)| volume.config.is_none()) {
        note_current(&mut change, &ids);
    }
    for ((number, volume), id) in changed.iter().zip(&ids) {
        let grows = grows(attached, volume, config);
        let size = if grows { change.size(target, config.size_gib) } else { config.size_gib.into() };
        let after = attributes(config).values(AwsResource::Volume, size, grows);
        change.aws(&AwsResource::Volume.modify(id.clone(), after));
        if volume.config.is_some_and(|current| !has_way_back(&current, config)) {
            continue;
        }
        let id = self::id(&mut rollback, volume, *number, several);
        let before = match volume.config {
            Some(current) => attributes(&current).values(AwsResource::Volume, current.size_gib.into(), false),
            None => ask_values(&mut rollback, AwsResource::Volume, |_| None),
        };
        rollback.aws(&AwsResource::Volume.modify(id, before));
    }
    if larger {
        extend(&mut change, volume, &ids);
    }
    let mut rules = rules(attached, config, larger);
    if rollback.lines.is_empty() {
        let growth = rules.iter_mut().find(|rule| **rule == MigrationRule::SizeOnlyGrows);
        growth.into_iter().for_each(|rule| *rule = MigrationRule::GrowthWithoutRollback);
    }
    Procedure { change, rollback, rules, modifies: true, waits: false }
}

/// True where the current type and limits can be set again. Not where the size alone changes, which stays, nor where the current type has
/// no such size: of gp2 and io1 16,384 GiB are the most.
fn has_way_back(current: &VolumeConfig, target: &VolumeConfig) -> bool {
    let is_same_but_size = is_same(&VolumeConfig { size_gib: target.size_gib, ..*current }, target);
    !is_same_but_size && (current.size_gib == target.size_gib || current.at_size(target.size_gib).is_some())
}

fn attributes(config: &VolumeConfig) -> StorageAttributes {
    StorageAttributes::new(AwsResource::Volume, config)
}

/// The id of a current volume, or a variable for it.
fn id(script: &mut Script, volume: &AttachedVolume, number: usize, several: bool) -> Argument {
    match &volume.id {
        Some(id) => id.as_str().into(),
        None => script.ask(Unknown::VolumeId(several.then_some(number))),
    }
}

/// Prints the current settings, which were not declared and which the way back needs.
fn note_current(script: &mut Script, ids: &[Argument]) {
    let describe = AwsResource::Volume.describe(ids.iter().cloned());
    script.aws(&describe.query("Volumes[].[VolumeId,VolumeType,Size,Iops,Throughput]"));
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
    if !target.volume_type.characteristics().boot {
        rules.push(MigrationRule::RootVolume);
    }
    rules
}

#[cfg(test)]
#[path = "ec2_tests.rs"]
mod tests;
