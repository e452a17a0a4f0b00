//! Throughput at the observed queue depth, where that is less than the demand.

use crate::current::limits::single_type;
use crate::evaluate::case::Case;
use crate::evaluate::latency::{has_large_requests, published_ms, service_ms};
use crate::evaluate::measured::Measured;
use crate::evaluate::reason::{CLOSED_DEPTHS, MIN_DELIVERED, QueueLimit};
use crate::scenario::evaluated_demand::BusySeconds;
use ebs_aws::bucket::Burst;
use ebs_aws::catalogue::{Ceiling, VolumeType};
use ebs_prediction::BindingLimit;
use ebs_prediction::predict::closed_loop_ratio;
use ebs_workload::load_kind::LoadKind;

/// Throughput by Little's law, at the queue depth of the busy seconds and the latency of the type without a queue, if it is below theirs, and
/// below the volumes' limits, with burst: a closed workload then sends less. Depth and latency are of requests as the kernel makes them; the
/// ratio of their rates is that of the I/Os which EBS counts. Below a queue depth of one the workload thinks for the rest of the time, as in
/// predictions without waits. `None` for unsuitable types, for the type of the present volumes, whose latency in these seconds was the observed
/// one, where the device was mostly idle, as sessions hardly wait for it, in an open loop, whose clients keep their pace, and where no latency
/// is known, as latencies are published for 16 KiB.
pub fn queue_limit(case: &Case, measured: &Measured, bound: BindingLimit) -> Option<QueueLimit> {
    let (config, volumes) = (&measured.priced.config, measured.priced.volumes);
    let present = case.scenario.current.and_then(|current| single_type(&current.volumes));
    let driver_load = case.scenario.request.driver_load;
    let is_unknown = measured.expected.is_some() || measured.service_times.is_none();
    if matches!(bound, BindingLimit::Unfit | BindingLimit::Unavailable)
        || is_unknown
        || driver_load == Some(LoadKind::Open)
        || case.scenario.is_joint
        || present == Some(config.volume_type)
    {
        return None;
    }
    let busy = case.scenario.demand.busy.filter(|busy| busy.queue_depth >= CLOSED_DEPTHS[0])?;
    let served_s = served_s(case, &busy, (present, config.volume_type))?;
    let ratio = closed_loop_ratio(busy.queue_depth, busy.queue_depth, served_s);
    let delivered = Ceiling { iops: ratio * busy.iops, mibps: ratio * busy.mibps };
    let limit = QueueLimit {
        queue_depth: busy.queue_depth,
        requests_per_s: delivered.iops,
        demanded_per_s: busy.iops,
        is_closed: driver_load == Some(LoadKind::Closed),
    };
    let ceiling = config.class().map_or(config.ceiling(volumes), |class| Burst::ceiling(class, config, volumes));
    let is_below_limits = delivered.iops < ceiling.iops && delivered.mibps < ceiling.mibps;
    (limit.delivered_share() < MIN_DELIVERED && is_below_limits).then_some(limit)
}

/// Time that the requests of a busy second take on a type without a queue, summed. Large requests take what they took on the present type,
/// transfer included, and the difference of the latencies published for both: the transfer is no longer on the other.
fn served_s(case: &Case, busy: &BusySeconds, (present, volume_type): (Option<VolumeType>, VolumeType)) -> Option<f64> {
    match present.filter(|_| has_large_requests(&case.scenario.demand)) {
        Some(present) => {
            let added_ms = published_ms(case.scenario, volume_type)? - published_ms(case.scenario, present)?;
            Some((busy.queue_depth + busy.requests_per_s * added_ms / 1_000.0).max(0.0))
        }
        None => Some(busy.requests_per_s * service_ms(case.scenario, volume_type)?.0 / 1_000.0),
    }
}
