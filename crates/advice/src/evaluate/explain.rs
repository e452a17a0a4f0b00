//! The reason for or against a candidate, from the limit that binds it.

use crate::current::limits::single_type;
use crate::evaluate::availability::Unavailable;
use crate::evaluate::candidate::Candidate;
use crate::evaluate::context::{EvaluationContext, InstanceSaturation};
use crate::evaluate::evaluated_demand::BusySeconds;
use crate::evaluate::latency::{has_large_requests, published_ms, service_ms};
use crate::evaluate::reason::{
    Addition, InstanceSaturated, MIN_DELIVERED, MeanLatency, OutOfReach, PredictedThroughput, Provisioning, QueueLimit,
    Reason, Sufficient, Throttling,
};
use crate::evaluate::shortage::find_shortage;
use crate::replay::{Outcome, TOLERANCE};
use crate::request::settings::MAX_VOLUMES;
use crate::search::Shortfall;
use ebs_aws::bucket::Burst;
use ebs_aws::catalogue::{Ceiling, Instance, LimitKind, VolumeType};
use ebs_prediction::BindingLimit;
use ebs_prediction::predict::{Source, closed_loop_ratio};
use ebs_workload::io_profile::mean_iops;

/// Derives the reason for a candidate, or against it.
pub fn explain(
    context: &EvaluationContext,
    candidate: &Candidate,
    outcome: &Outcome,
    shortfall: Option<Shortfall>,
) -> Reason {
    let request = context.request;
    if candidate.bound == BindingLimit::Unfit {
        return Reason::Unsuitable;
    }
    if let Some(unavailable) = Unavailable::find(context.request, context.current, candidate.config.volume_type) {
        return Reason::Unavailable(unavailable);
    }
    let by_instance = matches!(candidate.bound, BindingLimit::INSTANCE_IOPS | BindingLimit::INSTANCE_THROUGHPUT);
    if let Some(instance) = context.instance_saturation.filter(|_| by_instance && !candidate.feasible) {
        return Reason::InstanceSaturated(instance_saturated(&instance));
    }
    match (shortfall, candidate.bound) {
        (Some(shortfall), _) => Reason::OutOfReach(out_of_reach(context, candidate, shortfall)),
        (None, BindingLimit::Durability) => Reason::Durability {
            promised_pct: candidate.durability_pct(),
            requested_pct: request.durability_pct.unwrap_or(0.0),
        },
        (None, BindingLimit::Latency) if !candidate.feasible => Reason::Latency(mean_latency(context, candidate)),
        (None, BindingLimit::ThroughputRatio) if !candidate.feasible => {
            Reason::Throughput(throughput(context, candidate))
        }
        (None, _) if !candidate.feasible && outcome.is_within(request.rule.max_throttled_pct) => {
            find_shortage(context, candidate)
                .map_or_else(|| Reason::Throttling(throttling(context, outcome)), |found| Reason::Shortage(found.1))
        }
        (None, _) if !candidate.feasible => Reason::Throttling(throttling(context, outcome)),
        (None, bound) => Reason::Sufficient(Sufficient {
            provisioning: provisioning(context, candidate, bound),
            saturation: context.saturation,
        }),
    }
}

fn throttling(context: &EvaluationContext, outcome: &Outcome) -> Throttling {
    Throttling {
        throttled_pct: outcome.throttled_pct(),
        throttled_high_pct: outcome.throttled_high_pct,
        max_throttled_pct: context.request.rule.max_throttled_pct,
        credits: outcome.credits,
    }
}

fn instance_saturated(saturation: &InstanceSaturation) -> InstanceSaturated {
    let exhausted_s = |burst: &Outcome| burst.credits.map(|credits| credits.after_s);
    InstanceSaturated {
        instance_type: &saturation.instance.instance_type,
        limited: limited(saturation.bound),
        baseline: saturation.baseline,
        burst: saturation.burst.as_ref().map(|burst| (saturation.instance.maximum(), exhausted_s(burst))),
        reached: saturation.reached,
        throttled_pct: saturation.outcome.throttled_pct(),
    }
}

fn limited(bound: BindingLimit) -> LimitKind {
    bound.kind().unwrap_or(LimitKind::Iops)
}

fn out_of_reach(context: &EvaluationContext, candidate: &Candidate, shortfall: Shortfall) -> OutOfReach {
    let request = context.request;
    let Shortfall { resource, required, max, .. } = shortfall;
    let max_per_volume = max / candidate.volumes as f64;
    let volumes = (required / max_per_volume).ceil() as u64;
    let reaches = volumes > request.max_stripe() && volumes <= MAX_VOLUMES && !request.platform.is_rds();
    let limits_volume = |instance: &&Instance| {
        resource == BindingLimit::VOLUME_IOPS
            && instance.max_volume_iops().is_some_and(|iops| iops as f64 == max_per_volume)
    };
    let on_instance = request.instance.filter(limits_volume).map(|instance| instance.instance_type.as_str());
    OutOfReach { resource, required, max_per_volume, on_instance, reached_by_volumes: reaches.then_some(volumes) }
}

fn mean_latency(context: &EvaluationContext, candidate: &Candidate) -> MeanLatency {
    let latency_ms = candidate.latency_ms.unwrap_or(0.0);
    let service = service_ms(context, candidate.config.volume_type);
    let (service_ms, source) = service.unwrap_or((latency_ms, Source::Published));
    MeanLatency {
        service_ms,
        source,
        queueing_ms: (latency_ms > service_ms * TOLERANCE).then_some(latency_ms - service_ms),
        target_ms: context.request.latency_target_ms.unwrap_or(0.0),
    }
}

fn throughput(context: &EvaluationContext, candidate: &Candidate) -> PredictedThroughput {
    PredictedThroughput {
        ratio: candidate.expected.map(|expected| expected.ratio),
        min_ratio: context.request.min_throughput_ratio.unwrap_or(0.0),
    }
}

fn provisioning(context: &EvaluationContext, candidate: &Candidate, bound: BindingLimit) -> Provisioning {
    match (bound, context.request.instance) {
        (BindingLimit::None, _) => Provisioning::Included { required: context.requirement.ceiling() },
        (BindingLimit::Cpu | BindingLimit::Locks, _) => {
            let ideal_ratio = context.bottleneck.map(|bottleneck| bottleneck.ideal_ratio);
            Provisioning::OtherBottleneck { bound, ideal_ratio }
        }
        (BindingLimit::INSTANCE_IOPS | BindingLimit::INSTANCE_THROUGHPUT, Some(instance)) => {
            let limited = limited(bound);
            let rule = &context.request.rule;
            Provisioning::InstanceBaseline {
                instance_type: &instance.instance_type,
                limited,
                baseline: instance.baseline().rate(limited),
                percentile: rule.percentile,
                percentile_high: context.requirement.percentile.rate(limited),
                headroom_pct: rule.headroom * 100.0,
            }
        }
        (BindingLimit::Credits, _) => Provisioning::Credits { mean_iops: mean_iops(context.demand.source) },
        (BindingLimit::Latency, _) => Provisioning::ForLatency(mean_latency(context, candidate)),
        (BindingLimit::ThroughputRatio, _) => Provisioning::ForThroughput(throughput(context, candidate)),
        _ => demand(context, limited(bound)),
    }
}

fn demand(context: &EvaluationContext, limited: LimitKind) -> Provisioning {
    let (requirement, rule) = (&context.requirement, &context.request.rule);
    let required = requirement.ceiling().rate(limited);
    let by_percentile = context.task.requirement().ceiling().rate(limited);
    let raised_by_replay = required > by_percentile + 1.0;
    Provisioning::Demand {
        limited,
        required,
        percentile: rule.percentile,
        percentile_high: requirement.percentile.rate(limited),
        addition: match raised_by_replay {
            true => Addition::MaxThrottledPct(rule.max_throttled_pct),
            false => Addition::HeadroomPct(rule.headroom * 100.0),
        },
    }
}

/// Queue depth below which sessions hardly wait for the device. A choice.
const MIN_QUEUE_DEPTH: f64 = 0.5;

/// Throughput by Little's law, at the queue depth of the busy seconds and the latency of the type without a queue, if it is below theirs, and
/// below the volumes' limits, with burst: a closed workload then sends less. Depth and latency are of requests as the kernel makes them; the
/// ratio of their rates is that of the I/Os which EBS counts. Below a queue depth of one the workload thinks for the rest of the time, as in
/// predictions without waits. `None` for unsuitable types, for the type of the present volumes, whose latency in these seconds was the
/// observed one, where the device was mostly idle, as sessions hardly wait for it, and where no latency is known, as latencies are published
/// for 16 KiB.
pub fn queue_limit(context: &EvaluationContext, candidate: &Candidate) -> Option<QueueLimit> {
    let (config, volumes) = (&candidate.config, candidate.volumes);
    let present = context.current.and_then(|current| single_type(&current.volumes));
    let is_unknown = candidate.expected.is_some() || candidate.service_times.is_none();
    if matches!(candidate.bound, BindingLimit::Unfit | BindingLimit::Unavailable)
        || is_unknown
        || present == Some(config.volume_type)
    {
        return None;
    }
    let busy = context.demand.busy.filter(|busy| busy.queue_depth >= MIN_QUEUE_DEPTH)?;
    let served_s = served_s(context, &busy, (present, config.volume_type))?;
    let ratio = closed_loop_ratio(busy.queue_depth, busy.queue_depth, served_s);
    let delivered = Ceiling { iops: ratio * busy.iops, mibps: ratio * busy.mibps };
    let limit = QueueLimit { queue_depth: busy.queue_depth, requests_per_s: delivered.iops, demanded_per_s: busy.iops };
    let ceiling = config.class().map_or(config.ceiling(volumes), |class| Burst::ceiling(class, config, volumes));
    let is_below_limits = delivered.iops < ceiling.iops && delivered.mibps < ceiling.mibps;
    (limit.delivered_share() < MIN_DELIVERED && is_below_limits).then_some(limit)
}

/// Time that the requests of a busy second take on a type without a queue, summed. Large requests take what they took on the present type,
/// transfer included, and the difference of the latencies published for both: the transfer is no longer on the other.
fn served_s(
    context: &EvaluationContext,
    busy: &BusySeconds,
    (present, volume_type): (Option<VolumeType>, VolumeType),
) -> Option<f64> {
    match present.filter(|_| has_large_requests(&context.demand)) {
        Some(present) => {
            let added_ms = published_ms(context, volume_type)? - published_ms(context, present)?;
            Some((busy.queue_depth + busy.requests_per_s * added_ms / 1_000.0).max(0.0))
        }
        None => Some(busy.requests_per_s * service_ms(context, volume_type)?.0 / 1_000.0),
    }
}
