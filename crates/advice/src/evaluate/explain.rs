//! The reason for or against a candidate, from the limit that binds it.

use crate::evaluate::bound::Bound;
use crate::evaluate::candidate::Candidate;
use crate::evaluate::context::{EvaluationContext, InstanceShort};
use crate::evaluate::latency::service_ms;
use crate::evaluate::reason::{
    Addition, InstanceSaturated, MeanLatency, OutOfReach, PredictedThroughput, Provisioning, QueueLimit, Reason,
    Sufficient, Throttling,
};
use crate::replay::{Outcome, TOLERANCE};
use crate::request::settings::MAX_VOLUMES;
use crate::search::Shortfall;
use ebs_prediction::predict::{LimitKind, Source};
use ebs_workload::demand::ratio;
use ebs_workload::io_profile::mean_iops;

/// Derives the reason for a candidate, or against it.
pub fn explain(
    context: &EvaluationContext,
    candidate: &Candidate,
    outcome: &Outcome,
    short: Option<Shortfall>,
) -> Reason {
    let request = context.request;
    if candidate.bound == Bound::Unfit {
        return Reason::Unsuitable;
    }
    let by_instance = matches!(candidate.bound, Bound::InstanceIops | Bound::InstanceThroughput);
    if let Some(instance) = context.instance_short.filter(|_| by_instance && !candidate.feasible) {
        return Reason::InstanceSaturated(instance_saturated(&instance));
    }
    match (short, candidate.bound) {
        (Some(short), _) => Reason::OutOfReach(out_of_reach(context, candidate, short)),
        (None, Bound::Durability) => Reason::Durability {
            promised_pct: candidate.config.volume_type.durability_pct(),
            requested_pct: request.durability_pct.unwrap_or(0.0),
        },
        (None, Bound::Latency) if !candidate.feasible => Reason::Latency(mean_latency(context, candidate)),
        (None, Bound::ThroughputRatio) if !candidate.feasible => Reason::Throughput(throughput(context, candidate)),
        (None, _) if !candidate.feasible => Reason::Throttling(Throttling {
            throttled_pct: outcome.throttled_pct(),
            throttled_high_pct: outcome.throttled_high_pct,
            max_throttled_pct: request.rule.max_throttled_pct,
            credits_last_s: outcome.credits.map(|exhausted| exhausted.after_s),
        }),
        (None, bound) => Reason::Sufficient(Sufficient {
            provisioning: provisioning(context, candidate, bound),
            queue_limit: queue_limit(context, candidate),
            saturation: context.saturation,
        }),
    }
}

fn instance_saturated(short: &InstanceShort) -> InstanceSaturated {
    let exhausted_s = |burst: &Outcome| burst.credits.map(|credits| credits.after_s);
    InstanceSaturated {
        instance_type: &short.instance.instance_type,
        limited: limited(short.bound),
        baseline: short.baseline,
        burst: short.burst.as_ref().map(|burst| (short.instance.maximum(), exhausted_s(burst))),
        throttled_pct: short.outcome.throttled_pct(),
    }
}

fn limited(bound: Bound) -> LimitKind {
    match bound {
        Bound::InstanceThroughput | Bound::VolumeThroughput => LimitKind::Throughput,
        _ => LimitKind::Iops,
    }
}

fn out_of_reach(context: &EvaluationContext, candidate: &Candidate, short: Shortfall) -> OutOfReach {
    let request = context.request;
    let max_of_each = short.most / candidate.volumes as f64;
    let volumes = (short.needed / max_of_each).ceil() as u64;
    let reaches = volumes > request.most_volumes() && volumes <= MAX_VOLUMES && !request.platform.is_rds();
    OutOfReach { lack: short.lack, required: short.needed, max_of_each, reached_by_volumes: reaches.then_some(volumes) }
}

fn mean_latency(context: &EvaluationContext, candidate: &Candidate) -> MeanLatency {
    let all_ms = candidate.latency_ms.unwrap_or(0.0);
    let service = service_ms(context, candidate.config.volume_type);
    let (service_ms, source) = service.unwrap_or((all_ms, Source::Published));
    MeanLatency {
        service_ms,
        source,
        queueing_ms: (all_ms > service_ms * TOLERANCE).then_some(all_ms - service_ms),
        target_ms: context.request.latency_target_ms.unwrap_or(0.0),
    }
}

fn throughput(context: &EvaluationContext, candidate: &Candidate) -> PredictedThroughput {
    PredictedThroughput {
        ratio: candidate.expected.map(|expected| expected.ratio),
        min_ratio: context.request.min_throughput_ratio.unwrap_or(0.0),
    }
}

fn provisioning(context: &EvaluationContext, candidate: &Candidate, bound: Bound) -> Provisioning {
    match (bound, context.request.instance) {
        (Bound::None, _) => Provisioning::Included { required: context.requirement.ceiling() },
        (Bound::Cpu | Bound::Locks, _) => {
            Provisioning::OtherBottleneck { bound, ideal_ratio: context.bottleneck.map(|found| found.ideal_ratio) }
        }
        (Bound::InstanceIops | Bound::InstanceThroughput, Some(instance)) => {
            let (limited, baseline, percentile) = (limited(bound), instance.baseline(), context.requirement.percentile);
            let (baseline, percentile_high) = match limited {
                LimitKind::Iops => (baseline.iops, percentile.iops),
                LimitKind::Throughput => (baseline.mibps, percentile.mibps),
            };
            let rule = &context.request.rule;
            Provisioning::InstanceBaseline {
                instance_type: &instance.instance_type,
                limited,
                baseline,
                percentile: rule.percentile,
                percentile_high,
                headroom_pct: rule.headroom * 100.0,
            }
        }
        (Bound::Credits, _) => Provisioning::Credits { mean_iops: mean_iops(context.demand) },
        (Bound::Latency, _) => Provisioning::ForLatency(mean_latency(context, candidate)),
        (Bound::ThroughputRatio, _) => Provisioning::ForThroughput(throughput(context, candidate)),
        _ => by_demand(context, limited(bound)),
    }
}

fn by_demand(context: &EvaluationContext, limited: LimitKind) -> Provisioning {
    let (need, by_percentile, rule) = (&context.requirement, context.task.need(), &context.request.rule);
    let (required, percentile_high, by_percentile) = match limited {
        LimitKind::Iops => (need.iops, need.percentile.iops, by_percentile.iops),
        LimitKind::Throughput => (need.mibps, need.percentile.mibps, by_percentile.mibps),
    };
    let raised_by_replay = required > by_percentile + 1.0;
    Provisioning::Demand {
        limited,
        required,
        percentile: rule.percentile,
        percentile_high,
        addition: match raised_by_replay {
            true => Addition::MaxThrottledPct(rule.max_throttled_pct),
            false => Addition::HeadroomPct(rule.headroom * 100.0),
        },
    }
}

/// Little's law: at the observed queue depth and the latency published for the type, fewer requests would be served than were
/// observed. A closed workload then sends less. `None` where the device was mostly idle (sessions hardly wait for it), and
/// for large requests (latencies are published for 16 KiB).
fn queue_limit(context: &EvaluationContext, candidate: &Candidate) -> Option<QueueLimit> {
    let demand = context.demand;
    let total = demand.total();
    let queue_depth = total.weighted_ms as f64 / 1_000.0 / demand.seconds();
    let bytes = ratio(total.read_bytes.saturating_add(total.write_bytes), total.reads.saturating_add(total.writes))?;
    if candidate.expected.is_some() || !demand.timed || bytes > 65_536.0 || queue_depth < 0.5 {
        return None;
    }
    let (reads, characteristics) = (demand.read_share()?, candidate.config.volume_type.characteristics());
    let service_ms =
        reads * characteristics.read_ms.unwrap_or(1.0) + (1.0 - reads) * characteristics.write_ms.unwrap_or(1.0);
    let requests_per_s = 1_000.0 * queue_depth / service_ms;
    (requests_per_s < 0.9 * mean_iops(demand)).then_some(QueueLimit { queue_depth, requests_per_s })
}
