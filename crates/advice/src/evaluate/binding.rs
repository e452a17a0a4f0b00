//! The limit that binds a candidate.

use crate::current::bottleneck::Bottleneck;
use crate::evaluate::candidate::{Candidate, Excess};
use crate::evaluate::context::EvaluationContext;
use crate::evaluate::latency::service_ms;
use crate::replay::{InstanceLimit, Outcome, replay};
use crate::search::Shortfall;
use ebs_aws::catalogue::{IOPS_STEP, IopsRule, MibpsRule, Purpose, VolumeConfig, VolumeType, classes_of};
use ebs_prediction::BindingLimit;

/// The cause of too much throttling: the volume's credits, where they ran out, or the tightest of its limits; and the
/// requirement that exceeds it.
pub fn throttling_limit(
    context: &EvaluationContext,
    candidate: &Candidate,
    outcome: &Outcome,
) -> (BindingLimit, Option<Excess>) {
    let ceiling = candidate.config.ceiling(candidate.volumes);
    let bound = match outcome.credits.is_some() {
        true => BindingLimit::Credits,
        false => tightest_limit(context, &candidate.config, candidate.volumes),
    };
    let excess = match bound {
        BindingLimit::VOLUME_THROUGHPUT => Excess { required: context.requirement.mibps, limit: ceiling.mibps },
        _ => Excess { required: context.requirement.iops, limit: ceiling.iops },
    };
    (bound, (excess.required > excess.limit).then_some(excess))
}

/// True where the instance is saturated, and these volumes by themselves throttle the demand below all that it delivers: their own limit
/// then binds first. Volumes that only the instance's own limits refuse never do.
pub fn throttles_below_instance(
    context: &EvaluationContext,
    config: &VolumeConfig,
    volumes: u64,
    shortfall: Option<Shortfall>,
) -> bool {
    let (requirement, ceiling) = (&context.requirement, config.ceiling(volumes));
    let is_below = ceiling.iops < requirement.iops.floor() || ceiling.mibps < requirement.mibps.floor();
    if context.instance_saturation.is_none()
        || !is_below
        || shortfall.is_some_and(|shortfall| shortfall.resource.is_instance())
    {
        return false;
    }
    (context.task.pause())();
    let outcome = replay(context.task.series(), config, volumes, InstanceLimit::None, 0.0);
    outcome.is_some_and(|outcome| !outcome.is_within(context.request.rule.max_throttled_pct))
}

/// The limit, of IOPS or of throughput, that the requirement uses most.
fn tightest_limit(context: &EvaluationContext, config: &VolumeConfig, volumes: u64) -> BindingLimit {
    let ceiling = config.ceiling(volumes);
    if context.requirement.iops / ceiling.iops >= context.requirement.mibps / ceiling.mibps {
        BindingLimit::VOLUME_IOPS
    } else {
        BindingLimit::VOLUME_THROUGHPUT
    }
}

/// The limit that decided a feasible volume's provisioning.
pub fn deciding_limit(context: &EvaluationContext, candidate: &Candidate) -> BindingLimit {
    let (config, volumes) = (&candidate.config, candidate.volumes);
    let ceiling = config.ceiling(volumes);
    if let Some(baseline) = context.request.instance_baseline() {
        // With headroom the requirement exceeds the instance's baseline, and this volume reaches the baseline.
        if context.required_without_instance.iops > baseline.iops && ceiling.iops >= baseline.iops.floor() {
            return BindingLimit::INSTANCE_IOPS;
        }
        if context.required_without_instance.mibps > baseline.mibps && ceiling.mibps >= baseline.mibps.floor() {
            return BindingLimit::INSTANCE_THROUGHPUT;
        }
    }
    let size_is_required = is_least_of_size(context, candidate);
    let iops_by_size = config.class().is_some_and(|class| class.iops_rule == IopsRule::Size);
    if context.requirement.iops > ceiling.iops || context.requirement.mibps > ceiling.mibps {
        BindingLimit::Credits
    } else if has_included_limits(candidate) && (!iops_by_size || size_is_required) {
        other_bottleneck(context)
    } else {
        purchased_limit(context, candidate)
    }
}

/// True where the size is the required one, or the smallest that is sold: demand did not ask for more of it.
fn is_least_of_size(context: &EvaluationContext, candidate: &Candidate) -> bool {
    let config = &candidate.config;
    let size_gib = context.requirement.size_gib.unwrap_or(1).div_ceil(candidate.volumes);
    let mut classes = classes_of(config.platform, config.volume_type, Purpose::Any);
    classes.find_map(|class| class.least(size_gib, 0, 0)).is_some_and(|least| least.size_gib == config.size_gib)
}

/// The bottleneck outside of storage, if there is one. With less than one active session there is nothing to gain.
fn other_bottleneck(context: &EvaluationContext) -> BindingLimit {
    let other = |bottleneck: &Bottleneck| bottleneck.is_outside_storage() && bottleneck.active_sessions >= 1.0;
    match context.bottleneck.filter(other).map(|bottleneck| bottleneck.cause) {
        Some(BindingLimit::Cpu) => BindingLimit::Cpu,
        Some(BindingLimit::Locks) => BindingLimit::Locks,
        _ => BindingLimit::None,
    }
}

/// True where IOPS and throughput are no more than the type includes.
fn has_included_limits(candidate: &Candidate) -> bool {
    let config = &candidate.config;
    config.class().is_some_and(|class| {
        config.iops == class.iops_at_least(config.size_gib)
            && config.throughput_mibps == class.mibps_at_least(config.size_gib, config.iops)
    })
}

/// The limit, of IOPS or of throughput, for which more than the included was purchased.
fn purchased_limit(context: &EvaluationContext, candidate: &Candidate) -> BindingLimit {
    let (config, volumes) = (&candidate.config, candidate.volumes);
    let bill = candidate.order_bill;
    // Rounding to what is ordered adds less than a step.
    let exceeds_required_iops =
        (config.iops * volumes) as f64 >= context.requirement.iops + (IOPS_STEP * volumes) as f64;
    match config.class().map(|class| (class.iops_rule, class.mibps_rule)) {
        Some((IopsRule::Provisioned, MibpsRule::Provisioned)) if bill.throughput > bill.iops => {
            BindingLimit::VOLUME_THROUGHPUT
        }
        // Throughput comes with IOPS: more of them than required were purchased for it.
        Some((IopsRule::Provisioned, MibpsRule::Iops)) if exceeds_required_iops => BindingLimit::VOLUME_THROUGHPUT,
        Some((IopsRule::Provisioned, _)) => BindingLimit::VOLUME_IOPS,
        _ => tightest_limit(context, config, volumes),
    }
}

/// A latency target that io2 meets and this volume does not, ms, rounded up to a hundredth; `None` where there is none.
pub fn io2_latency_target(context: &EvaluationContext, best: &Candidate) -> Option<f64> {
    let (io2, _) = service_ms(context, VolumeType::Io2)?;
    let target = (100.0 * io2).ceil() / 100.0;
    (target < best.latency_ms?).then_some(target)
}
