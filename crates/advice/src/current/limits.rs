//! Type and limits of the current volumes and instance, as far as they were declared or detected.

use crate::prediction::predictor::parts;
use ebs_aws::catalogue::{Ceiling, Instance, VolumeConfig, VolumeType, known_instance};
use ebs_base::units::MIB;
use ebs_prediction::predict::{Limits, Observed};
use ebs_prediction::saturation::{LimitOwner, ReachedLimit, RunContext, detect_saturation};
use ebs_samples::evidence::{Volume, Window};
use ebs_workload::declarations::Declarations;
use ebs_workload::demand::Demand;

/// Share of their time that sessions wait for their clients where clients set the pace, as prediction has it.
const MIN_PACED_CLIENT_SHARE: f64 = 0.5;

/// The limit that these volumes of `window`, whose demand is given, were at; `None` where they were at none.
pub fn reached_limit(
    window: &Window,
    volumes: &[usize],
    demand: &Demand,
    declared: &Declarations,
) -> Option<ReachedLimit> {
    let run = Observed::from_window(window, demand, parts(window, volumes), None).ok();
    detect_saturation(demand, &known(window, volumes, declared, run))
}

/// Of these volumes of `window`, as they were declared; `run` is what is known of its sessions.
fn known(window: &Window, volumes: &[usize], declared: &Declarations, run: Option<Observed>) -> RunContext {
    let each = || volumes.iter().filter_map(|&volume| window.layout.volumes.get(volume));
    let present = declared_volumes(each(), declared);
    let mut limits = match volumes {
        [_] if present.iter().map(|(_, count)| count).sum::<u64>() >= each().map(members).sum() => of_volumes(&present),
        // Several volumes have no limit together, nor is that of a stripe known by some of its disks.
        _ => Vec::new(),
    };
    // What the instance carries it carries for all volumes together.
    if volumes.len() == window.current.len() {
        limits.extend(current_instance(window, declared).into_iter().flat_map(of_instance));
    }
    RunContext {
        limits,
        volume_type: single_type(&present),
        paced: run.map(|run| run.client_share() > MIN_PACED_CLIENT_SHARE),
        utilization: run.and_then(|run| run.utilization()),
    }
}

fn members(volume: &Volume) -> u64 {
    volume.members.len() as u64
}

/// With and without credits.
fn of_volumes(present: &[(VolumeConfig, u64)]) -> Vec<(LimitOwner, Limits)> {
    let sum = |of: &dyn Fn(&VolumeConfig) -> Ceiling| {
        present.iter().fold(Ceiling { iops: 0.0, mibps: 0.0 }, |sum, (config, count)| {
            let each = of(config);
            Ceiling { iops: sum.iops + each.iops * *count as f64, mibps: sum.mibps + each.mibps * *count as f64 }
        })
    };
    let steady = sum(&|config| config.ceiling(1));
    let burst = sum(&|config| {
        let steady = config.ceiling(1);
        config
            .class()
            .and_then(|class| class.burst(config.size_gib))
            .map_or(steady, |burst| Ceiling { iops: burst.iops.max(steady.iops), mibps: burst.mibps.max(steady.mibps) })
    });
    if present.is_empty() { Vec::new() } else { both(LimitOwner::Volume, steady, burst) }
}

fn of_instance(instance: &Instance) -> Vec<(LimitOwner, Limits)> {
    both(LimitOwner::Instance, instance.baseline(), instance.maximum())
}

fn both(whose: LimitOwner, steady: Ceiling, burst: Ceiling) -> Vec<(LimitOwner, Limits)> {
    let mut levels = vec![(whose, as_limits(steady))];
    levels.extend((burst != steady).then(|| (whose, as_limits(burst))));
    levels
}

/// The instance it ran on: as it was declared, or else as the machine told it, if the catalogue has it.
pub fn current_instance(window: &Window, declared: &Declarations) -> Option<&'static Instance> {
    known_instance(declared.instance.as_deref().or(window.layout.instance.as_deref())?)
}

/// A ceiling as limits.
pub fn as_limits(ceiling: Ceiling) -> Limits {
    Limits { iops: Some(ceiling.iops), bytes: Some(ceiling.mibps * MIB as f64) }
}

/// Declarations of these volumes; empty where one of them has none.
pub fn declared_volumes<'a>(
    volumes: impl Iterator<Item = &'a Volume>,
    declared: &Declarations,
) -> Vec<(VolumeConfig, u64)> {
    let mut found = Vec::new();
    for volume in volumes {
        let of = declared.find(volume);
        if of.is_empty() {
            return Vec::new();
        }
        found.extend(of.into_iter().map(|one| (one.config, one.volumes)));
    }
    found
}

/// The type of all of them, where they are of one.
pub fn single_type(present: &[(VolumeConfig, u64)]) -> Option<VolumeType> {
    let (first, rest) = present.split_first()?;
    let own = first.0.volume_type;
    rest.iter().all(|one| one.0.volume_type == own).then_some(own)
}
