//! Volumes with the limits of the declared ones, where these carried the demand: themselves, where a dearer order promises no more, and
//! gp3 in place of gp2, which has the same performance for less. More headroom than today's volumes have is an option, and no reason to
//! stay with dearer ones or to buy them.

use crate::evaluate::candidate::Candidate;
use crate::evaluate::context::EvaluationContext;
use crate::evaluate::evaluation::evaluate;
use crate::evaluate::reason::{Provisioning, Reason, Sufficient};
use crate::replay::{Measure, Step};
use crate::search::Priced;
use ebs_aws::bucket::Burst;
use ebs_aws::catalogue::{Ceiling, Purpose, VolumeConfig, VolumeType, classes_of};
use ebs_aws::price::order_bill;
use ebs_prediction::BindingLimit;

/// Most headroom of a request that does not name it, as a share.
const DEFAULT_HEADROOM: f64 = 0.2;

/// Ratio of throughput, or of latency, within which volumes are as good as others. A choice.
const NO_GAIN: f64 = 1.02;

/// Share of seconds without the requested headroom below which declared volumes are kept: where they are more, sessions may have been
/// held back. A choice, as in the detection of saturation.
const MAX_NEAR_SHARE: f64 = 0.01;

/// Finds volumes with the limits of the declared ones. `None` where these are of several kinds, more than allowed, throttled more than
/// accepted or were saturated, and where more headroom than the default was requested.
pub fn with_current_limits(context: &EvaluationContext, searched: &[Candidate]) -> Option<Candidate> {
    let (request, current) = (context.request, context.current?);
    let [(config, volumes)] = current.volumes.as_slice() else { return None };
    let carried = current.outcome?.is_within(request.rule.max_throttled_pct);
    let is_allowed = *volumes <= request.max_stripe() && request.rule.headroom <= DEFAULT_HEADROOM;
    let usable = carried && current.exceeded.is_none() && is_allowed && !request.platform.is_rds();
    if !usable || context.saturation.is_some() || context.instance_saturation.is_some() {
        return None;
    }
    let today = Priced { config: *config, volumes: *volumes, bill: current.order_bill? };
    match config.volume_type {
        VolumeType::Gp2 => gp3_as_gp2(context, searched, today),
        _ => kept(context, searched, today),
    }
}

/// gp3 with the limits of the declared gp2. `None` where one of the searched candidates suffices with no more, or where it does not save
/// money.
fn gp3_as_gp2(context: &EvaluationContext, searched: &[Candidate], gp2: Priced) -> Option<Candidate> {
    let volumes = gp2.volumes;
    let gp3 = with_limits(context, &gp2.config, volumes)?;
    let limits = gp3.ceiling(volumes);
    let is_as_good = |candidate: &Candidate| {
        let found = candidate.config.ceiling(candidate.volumes);
        candidate.feasible && found.iops <= limits.iops && found.mibps <= limits.mibps
    };
    if searched.iter().any(is_as_good) {
        return None;
    }
    let priced = Priced { config: gp3, volumes, bill: order_bill(&gp3, volumes, &context.request.prices)? };
    let candidate = evaluate(context, priced, None);
    let saves = candidate.total() < gp2.bill.total();
    (candidate.feasible && saves).then(|| with_reason(context, candidate, &gp2.config))
}

/// The declared volumes, where the cheapest searched ones cost more and promise no more throughput and no lower latency. `None` without
/// a prediction that shows it.
fn kept(context: &EvaluationContext, searched: &[Candidate], today: Priced) -> Option<Candidate> {
    let config = today.config;
    let dearer = searched.iter().filter(|candidate| candidate.feasible).min_by_key(|candidate| candidate.order())?;
    let size_gib = config.size_gib * today.volumes;
    let is_large = context.requirement.size_gib.is_none_or(|required| size_gib >= required);
    let limits = current_limits(&config, today.volumes);
    let with_headroom = 1.0 + context.request.rule.headroom;
    let is_near = |step: &&Step| {
        let rate = |measure| with_headroom * step.rate(measure);
        rate(Measure::Requests) > limits.iops || rate(Measure::Mib) > limits.mibps
    };
    let near_s: f64 = context.series.steps().iter().filter(is_near).map(|step| step.seconds).sum();
    let is_burst = near_s < MAX_NEAR_SHARE * context.series.seconds();
    if !is_large || !is_burst || dearer.total() <= today.bill.total() {
        return None;
    }
    let kept = evaluate(context, today, None);
    // What is uncertain of both is the same, and cancels out.
    let is_as_much = dearer.expected?.ratio <= kept.expected?.ratio * NO_GAIN;
    let is_as_fast = kept.latency_ms? <= dearer.latency_ms? * NO_GAIN;
    let is_enough = kept.feasible && is_as_much && is_as_fast;
    is_enough.then(|| with_reason(context, kept, &config))
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

fn with_reason(context: &EvaluationContext, candidate: Candidate, current: &VolumeConfig) -> Candidate {
    let required = context.for_type(candidate.config.volume_type).required_without_instance;
    let limits = current_limits(current, candidate.volumes);
    let provisioning = Provisioning::AsCurrent { current: current.volume_type, limits, required };
    let by_iops = required.iops > candidate.config.ceiling(candidate.volumes).iops;
    let bound = if by_iops { BindingLimit::VOLUME_IOPS } else { BindingLimit::VOLUME_THROUGHPUT };
    let reason = Reason::Sufficient(Sufficient { provisioning, saturation: None });
    Candidate { bound, reason, ..candidate }
}

/// Limits of so many declared volumes, with their burst.
fn current_limits(config: &VolumeConfig, volumes: u64) -> Ceiling {
    config.class().map_or_else(|| config.ceiling(volumes), |class| Burst::ceiling(class, config, volumes))
}
