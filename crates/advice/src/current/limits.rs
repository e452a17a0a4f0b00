//! Type and limits of the current volumes and instance, as far as they were declared or detected.

use crate::prediction::predictor::parts;
use ebs_aws::catalogue::{
    Ceiling, Class, Family, Instance, IopsRule, Platform, Purpose, VolumeConfig, VolumeType, classes_of, known_instance,
};
use ebs_base::units::{MIB, gib};
use ebs_prediction::LimitOwner;
use ebs_prediction::predict::{Limits, Observed, closed_weight};
use ebs_prediction::saturation::RunContext;
use ebs_samples::evidence::{Balance, Medium, Volume, Window};
use ebs_workload::declarations::Declarations;
use ebs_workload::demand_summary::DemandSummary;
use ebs_workload::exceeded::{checked_shares, exceeded_shares, find_checks};

/// Knowledge of the limits of these volumes of `window`, whose demand is given, on this platform and instance.
pub fn limits_context(
    window: &Window,
    (volumes, demand): (&[usize], &DemandSummary),
    declared: &Declarations,
    (platform, instance): (Platform, Option<&Instance>),
) -> RunContext {
    let run = Observed::from_window(window, demand, parts(window, volumes), None).ok();
    let exceeded = exceeded_shares(window, volume_ids(window, volumes), demand.seconds);
    let context = run_context(window, volumes, (declared, platform, instance), run);
    let exceeded = exceeded.or_else(|| checked_shares(window, volumes));
    RunContext { exceeded, balances: balances(window, volumes), ..context }
}

/// Limits that general purpose volumes commonly have: included, at most, while credits last, and where IOPS follow the size by that of the
/// filesystem. Of new types there are few.
pub(super) fn published_limits(platform: Platform, filesystem_gib: Option<u64>) -> Vec<(VolumeType, Limits)> {
    let of_type = |volume_type| classes_of(platform, volume_type, Purpose::Any);
    let limits =
        |iops: Option<f64>, mibps: Option<u64>| Limits { iops, bytes: mibps.map(|mibps| (mibps * MIB) as f64) };
    let known = |iops: u64, mibps: u64| limits(Some(iops as f64), Some(mibps));
    let of_class = |class: &Class| {
        let least = (class.iops_rule != IopsRule::Size).then(|| known(class.min_iops, class.min_mibps));
        let by_size = filesystem_gib.filter(|gib| (class.min_gib..=class.max_gib).contains(gib));
        let by_size = by_size.filter(|_| class.iops_rule == IopsRule::Size);
        let baseline = by_size.map(|gib| limits(Some(class.iops_at_most(gib) as f64), None));
        let burst = class.burst_iops.map(|iops| limits(Some(iops as f64), class.burst_mibps));
        [least, Some(known(class.max_iops, class.max_mibps)), burst, baseline].into_iter().flatten()
    };
    let types = Family::GeneralPurpose.types().into_iter().filter(|volume_type| !volume_type.is_new());
    types.flat_map(|one| of_type(one).flat_map(of_class).map(move |both| (one, both))).collect()
}

/// EBS volume ids of these volumes, as far as they are known.
fn volume_ids<'a>(window: &'a Window, volumes: &'a [usize]) -> impl Iterator<Item = &'a str> {
    let members = volumes.iter().filter_map(|&volume| window.layout.volumes.get(volume)).flat_map(|one| &one.members);
    members.filter_map(|member| match &member.medium {
        Medium::Ebs(id) => Some(id.as_str()),
        _ => None,
    })
}

/// The limits and the type of these volumes of `window`, as they were declared, those of the instance, and the sessions of the run.
fn run_context(
    window: &Window,
    volumes: &[usize],
    (declared, platform, instance): (&Declarations, Platform, Option<&Instance>),
    run: Option<Observed>,
) -> RunContext {
    let each = || volumes.iter().filter_map(|&volume| window.layout.volumes.get(volume));
    let configs = declared_volumes(each(), declared);
    let mut limits = match volumes {
        [_] if configs.iter().map(|(_, count)| count).sum::<u64>() >= each().map(member_count).sum() => {
            volume_limits(&configs, instance.and_then(Instance::max_volume_iops))
        }
        // Several volumes have no common limit, nor is that of a stripe known from some of its disks.
        _ => Vec::new(),
    };
    // The instance's limit is that of all volumes together.
    if volumes.len() == window.current.len() {
        limits.extend(instance.into_iter().flat_map(instance_limits));
    }
    RunContext {
        limits,
        published: match (volumes, configs.is_empty()) {
            ([_], true) => published_limits(platform, each().find_map(|volume| volume.filesystem_bytes).map(gib)),
            _ => Vec::new(),
        },
        volume_type: single_type(&configs),
        is_ebs_ssd: is_ebs_ssd(each(), &configs),
        closed_weight: run.map(|run| closed_weight(run.client_share())),
        utilization: run.and_then(|run| run.utilization()),
        exceeded: None,
        balances: [None; 2],
    }
}

/// Balances of the instance's credits for IOPS and for throughput, which are the same for all its volumes.
fn balances(window: &Window, volumes: &[usize]) -> [Option<Balance>; 2] {
    let mut each = volumes.iter().filter_map(|&volume| find_checks(window, window.layout.volumes.get(volume)?));
    each.next().map_or([None; 2], |checks| [checks.io_balance, checks.byte_balance])
}

/// True where EBS has all these volumes, by their declarations or ids, and none is declared with a type on hard disks.
fn is_ebs_ssd<'a>(mut volumes: impl Iterator<Item = &'a Volume>, configs: &[(VolumeConfig, u64)]) -> bool {
    if !configs.is_empty() {
        // Latencies are published for SSD types alone.
        return configs.iter().all(|(config, _)| config.volume_type.characteristics().read_ms.is_some());
    }
    let is_ebs = |volume: &Volume| {
        !volume.members.is_empty() && volume.members.iter().all(|member| matches!(member.medium, Medium::Ebs(_)))
    };
    volumes.all(is_ebs)
}

fn member_count(volume: &Volume) -> u64 {
    volume.members.len() as u64
}

/// Limits of volumes, with burst credits and without, where each has at most so many IOPS.
pub(super) fn volume_limits(configs: &[(VolumeConfig, u64)], max_iops: Option<u64>) -> Vec<(LimitOwner, Limits)> {
    let sum = |ceiling: &dyn Fn(&VolumeConfig) -> Ceiling| {
        configs.iter().fold(Ceiling { iops: 0.0, mibps: 0.0 }, |sum, (config, count)| {
            let each = ceiling(config);
            // That of a volume: RDS's storage may be several.
            let stripes = config.class().map_or(1, |class| class.stripes.max(1));
            let iops = max_iops.map_or(each.iops, |max_iops| each.iops.min((max_iops * stripes) as f64));
            Ceiling { iops: sum.iops + iops * *count as f64, mibps: sum.mibps + each.mibps * *count as f64 }
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
    if configs.is_empty() { Vec::new() } else { steady_and_burst(LimitOwner::Volume, steady, burst) }
}

/// The greatest IOPS and MiB/s of all these volumes of `window` together, as they were declared, with burst credits or without; `None` where
/// one of them, or of their disks, is not.
pub(super) fn greatest_limits(
    window: &Window,
    volumes: &[usize],
    declared: &Declarations,
    instance: Option<&Instance>,
) -> Option<Ceiling> {
    let each = || volumes.iter().filter_map(|&volume| window.layout.volumes.get(volume));
    let configs = declared_volumes(each(), declared);
    let are_whole = configs.iter().map(|(_, count)| count).sum::<u64>() >= each().map(member_count).sum();
    greatest(&configs, instance).filter(|_| are_whole)
}

/// The same of these volumes; `None` without any.
pub fn greatest(configs: &[(VolumeConfig, u64)], instance: Option<&Instance>) -> Option<Ceiling> {
    let limits = volume_limits(configs, instance.and_then(Instance::max_volume_iops));
    let rate =
        |(_, limits): &(LimitOwner, Limits)| Some(Ceiling { iops: limits.iops?, mibps: limits.bytes? / MIB as f64 });
    limits.iter().filter_map(rate).reduce(Ceiling::max)
}

fn instance_limits(instance: &Instance) -> Vec<(LimitOwner, Limits)> {
    steady_and_burst(LimitOwner::Instance, instance.baseline(), instance.maximum())
}

fn steady_and_burst(owner: LimitOwner, steady: Ceiling, burst: Ceiling) -> Vec<(LimitOwner, Limits)> {
    let mut limits = vec![(owner, as_limits(steady))];
    limits.extend((burst != steady).then(|| (owner, as_limits(burst))));
    limits
}

/// The instance that the cluster ran on, declared or else detected, if the catalogue has it.
pub fn current_instance(window: &Window, declared: &Declarations) -> Option<&'static Instance> {
    known_instance(declared.instance.as_deref().or(window.layout.instance.as_deref())?)
}

/// Converts a ceiling to limits.
pub fn as_limits(ceiling: Ceiling) -> Limits {
    Limits { iops: Some(ceiling.iops), bytes: Some(ceiling.mibps * MIB as f64) }
}

/// Declarations of these volumes; empty where one of them has none.
pub fn declared_volumes<'a>(
    volumes: impl Iterator<Item = &'a Volume>,
    declared: &Declarations,
) -> Vec<(VolumeConfig, u64)> {
    let mut configs = Vec::new();
    for volume in volumes {
        let declarations = declared.find(volume);
        if declarations.is_empty() {
            return Vec::new();
        }
        configs.extend(declarations.into_iter().map(|declaration| (declaration.config, declaration.volumes)));
    }
    configs
}

/// The type of all these volumes; `None` where they are of several.
pub fn single_type(configs: &[(VolumeConfig, u64)]) -> Option<VolumeType> {
    let ((first, _), rest) = configs.split_first()?;
    let volume_type = first.volume_type;
    rest.iter().all(|(config, _)| config.volume_type == volume_type).then_some(volume_type)
}

#[cfg(test)]
#[path = "limits_tests.rs"]
mod tests;
