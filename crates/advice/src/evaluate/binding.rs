//! The limit that binds a candidate.

use crate::current::bottleneck::BottleneckCause;
use crate::evaluate::bound::Bound;
use crate::evaluate::candidate::{Candidate, Excess};
use crate::evaluate::context::EvaluationContext;
use crate::evaluate::latency::service_ms;
use crate::replay::Outcome;
use crate::search::Lack;
use ebs_aws::catalogue::{IopsRule, MibpsRule, VolumeConfig, VolumeType};
use ebs_prediction::predict::LimitingFactor;

/// The limit a type cannot reach.
pub fn bound_of(lack: Lack) -> Bound {
    match lack {
        Lack::Size => Bound::Size,
        Lack::Iops => Bound::VolumeIops,
        Lack::Throughput => Bound::VolumeThroughput,
        Lack::InstanceIops => Bound::InstanceIops,
        Lack::InstanceThroughput => Bound::InstanceThroughput,
    }
}

/// The cause of too much throttling: the volume's credits, where they ran out, or the tightest of its limits; and
/// how much more would be needed of it.
pub fn throttling(context: &EvaluationContext, candidate: &Candidate, outcome: &Outcome) -> (Bound, Option<Excess>) {
    let ceiling = candidate.config.ceiling(candidate.volumes);
    let bound = match outcome.credits.is_some() {
        true => Bound::Credits,
        false => tightest(context, &candidate.config, candidate.volumes),
    };
    let missed = match bound {
        Bound::VolumeThroughput => Excess { needed: context.requirement.mibps, most: ceiling.mibps },
        _ => Excess { needed: context.requirement.iops, most: ceiling.iops },
    };
    (bound, (missed.needed > missed.most).then_some(missed))
}

/// Of IOPS and throughput, the one the need fills most.
pub fn tightest(context: &EvaluationContext, config: &VolumeConfig, volumes: u64) -> Bound {
    let ceiling = config.ceiling(volumes);
    if context.requirement.iops / ceiling.iops >= context.requirement.mibps / ceiling.mibps {
        Bound::VolumeIops
    } else {
        Bound::VolumeThroughput
    }
}

/// The limit that decided a feasible volume's provisioning.
pub fn deciding(context: &EvaluationContext, candidate: &Candidate) -> Bound {
    let (config, volumes) = (&candidate.config, candidate.volumes);
    let ceiling = config.ceiling(volumes);
    if let Some(baseline) = context.request.instance_baseline() {
        // More than the instance carries was wanted, for headroom, and this volume gives it all that.
        if context.required_without_instance.iops > baseline.iops && ceiling.iops >= baseline.iops.floor() {
            return Bound::InstanceIops;
        }
        if context.required_without_instance.mibps > baseline.mibps && ceiling.mibps >= baseline.mibps.floor() {
            return Bound::InstanceThroughput;
        }
    }
    let sized_for_itself = context.requirement.size_gib.is_some_and(|gib| gib.div_ceil(volumes) == config.size_gib);
    let sized = config.class().is_some_and(|class| class.iops_rule == IopsRule::Size);
    if context.requirement.iops > ceiling.iops || context.requirement.mibps > ceiling.mibps {
        Bound::Credits
    } else if bought_nothing(candidate) && (!sized || sized_for_itself) {
        held(context)
    } else {
        bought(context, candidate)
    }
}

/// The bottleneck in place of the volume. With less than one session at work there is nothing to gain for
/// anybody.
fn held(context: &EvaluationContext) -> Bound {
    match context.bottleneck.filter(|held| held.is_not_the_volume() && held.active >= 1.0).map(|held| held.cause) {
        Some(BottleneckCause::Known(LimitingFactor::Cpu)) => Bound::Cpu,
        Some(BottleneckCause::Known(LimitingFactor::Locks)) => Bound::Locks,
        _ => Bound::None,
    }
}

/// True where IOPS and throughput are no more than the type includes.
fn bought_nothing(candidate: &Candidate) -> bool {
    let config = &candidate.config;
    config.class().is_some_and(|class| {
        config.iops == class.iops_at_least(config.size_gib)
            && config.throughput_mibps == class.mibps_at_least(config.size_gib, config.iops)
    })
}

/// Of IOPS and throughput, the one that made this volume as large as it is.
fn bought(context: &EvaluationContext, candidate: &Candidate) -> Bound {
    let (config, volumes) = (&candidate.config, candidate.volumes);
    let bill = candidate.bill.unwrap_or_default();
    let more_iops_than_needed = (config.iops * volumes) as f64 >= context.requirement.iops + volumes as f64;
    match config.class().map(|class| (class.iops_rule, class.mibps_rule)) {
        Some((IopsRule::Provisioned, MibpsRule::Provisioned)) if bill.throughput > bill.iops => Bound::VolumeThroughput,
        // Throughput comes with IOPS: more of these than needed were bought for it.
        Some((IopsRule::Provisioned, MibpsRule::Iops)) if more_iops_than_needed => Bound::VolumeThroughput,
        Some((IopsRule::Provisioned, _)) => Bound::VolumeIops,
        _ => tightest(context, config, volumes),
    }
}

/// A latency that io2 gives and this volume does not, ms, rounded up to a hundredth; `None` where there is none between.
pub fn faster_than(context: &EvaluationContext, best: &Candidate) -> Option<f64> {
    let (io2, _) = service_ms(context, VolumeType::Io2)?;
    let target = (100.0 * io2).ceil() / 100.0;
    (target < best.latency_ms?).then_some(target)
}
