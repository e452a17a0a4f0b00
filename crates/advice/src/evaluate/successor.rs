//! gp3 with the limits of a declared gp2: the same performance for less, where gp2 carried the demand. More headroom than today's
//! volume has is an option, and no reason to stay with a dearer one.

use crate::evaluate::bound::Bound;
use crate::evaluate::candidate::Candidate;
use crate::evaluate::context::EvaluationContext;
use crate::evaluate::evaluation::evaluate;
use crate::evaluate::reason::{Provisioning, Reason, Sufficient};
use crate::search::Priced;
use ebs_aws::bucket::Burst;
use ebs_aws::catalogue::{Ceiling, Purpose, VolumeConfig, VolumeType, classes_of};
use ebs_aws::price::bill;

/// Most headroom of a request that does not name it, as a share.
const DEFAULT_HEADROOM: f64 = 0.2;

/// Finds gp3 with the limits of the declared gp2. `None` where the current volumes are others, more than allowed, throttled more than
/// accepted or were saturated, where more headroom than the default was requested, where one of the searched candidates suffices with no more, or
/// where it does not save money.
pub fn gp3_with_current_limits(context: &EvaluationContext, searched: &[Candidate]) -> Option<Candidate> {
    let (request, current) = (context.request, context.current?);
    let [(config, volumes)] = current.volumes.as_slice() else { return None };
    let carried = current.outcome?.is_within(request.rule.max_throttled_pct);
    let is_gp2 = config.volume_type == VolumeType::Gp2 && !request.platform.is_rds();
    let is_allowed = *volumes <= request.max_stripe() && request.rule.headroom <= DEFAULT_HEADROOM;
    let usable = is_gp2 && carried && is_allowed;
    if !usable || context.saturation.is_some() || context.instance_saturation.is_some() {
        return None;
    }
    let today = current.bill?.total();
    let gp3 = with_limits(context, config, *volumes)?;
    let limits = gp3.ceiling(*volumes);
    let is_as_good = |candidate: &Candidate| {
        let found = candidate.config.ceiling(candidate.volumes);
        candidate.feasible && found.iops <= limits.iops && found.mibps <= limits.mibps
    };
    if searched.iter().any(is_as_good) {
        return None;
    }
    let priced = Priced { config: gp3, volumes: *volumes, bill: bill(&gp3, *volumes, &request.prices)? };
    let candidate = evaluate(context, priced, None);
    (candidate.feasible && candidate.total() < today).then(|| with_reason(context, candidate, config))
}

/// gp3 with the IOPS of a gp2, and with its throughput as far as the requirement needs that.
fn with_limits(context: &EvaluationContext, gp2: &VolumeConfig, volumes: u64) -> Option<VolumeConfig> {
    let limits = current_limits(gp2, 1);
    let mibps = limits.mibps.min(context.requirement.mibps / volumes as f64);
    let size_gib = context.requirement.size_gib.unwrap_or(1).div_ceil(volumes).max(gp2.size_gib);
    let mut classes = classes_of(gp2.platform, VolumeType::Gp3, Purpose::Any);
    let config =
        classes.find_map(|class| class.least_order(size_gib, limits.iops.ceil() as u64, mibps.ceil() as u64))?;
    Some(VolumeConfig { platform: gp2.platform, ..config })
}

fn with_reason(context: &EvaluationContext, candidate: Candidate, gp2: &VolumeConfig) -> Candidate {
    let queue_limit = candidate.queue_limit().copied();
    let required = context.for_type(VolumeType::Gp3).required_without_instance;
    let provisioning = Provisioning::AsCurrent { limits: current_limits(gp2, candidate.volumes), required };
    let by_iops = required.iops > candidate.config.ceiling(candidate.volumes).iops;
    let bound = if by_iops { Bound::VolumeIops } else { Bound::VolumeThroughput };
    let reason = Reason::Sufficient(Sufficient { provisioning, queue_limit, saturation: None });
    Candidate { bound, reason, ..candidate }
}

/// Limits of so many gp2, with their burst.
fn current_limits(gp2: &VolumeConfig, volumes: u64) -> Ceiling {
    gp2.class().map_or_else(|| gp2.ceiling(volumes), |class| Burst::ceiling(class, gp2, volumes))
}
