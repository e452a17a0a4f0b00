//! Bounds on the demand within samples, which are averages and hide peaks: the limits that it never exceeded, by a service's checks, or because
//! requests never queued at the limits of its volumes.

use crate::current::checked_limits::CheckedLimits;
use crate::current::current_volume::EXCEEDED_FACTOR;
use crate::prediction::service::{published_read_ms, published_write_ms};
use ebs_aws::catalogue::{Ceiling, LimitKind, VolumeType};
use ebs_base::counter::Counters;
use ebs_base::ramp::ramp;
use ebs_base::units::{KIB, MIB};
use ebs_samples::evidence::DeviceCounts;
use ebs_stats::{WeightedSample, pausing_quantile};
use ebs_workload::demand::{Demand, DemandInterval};

/// Bounds on a demand.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DemandBounds {
    /// IOPS and MiB/s that it never exceeded, as a service checked them.
    pub checked: [Option<f64>; 2],
    /// Limits of its volumes; `None` where they are not known.
    pub volumes: Option<Ceiling>,
    /// Weight of a queue at these, 0 to 1: demand beyond a limit waits.
    pub queue: f64,
}

/// Latency over that without a queue up to which nothing waited at a limit, and from which on requests did: those of a declared limit.
const UNQUEUED_RATIO: f64 = 1.5;
const QUEUED_RATIO: f64 = 2.0;

/// Rate over the greatest one from which on a sample may hold a peak. A choice.
const BUSY_SHARE: f64 = 0.5;

/// Size of the requests that latencies are published for, bytes.
const PUBLISHED_BYTES: f64 = (16 * KIB) as f64;

impl DemandBounds {
    /// Bounds by checks, and by the limits of the volumes of this type, at which requests waited to this degree, 0 to 1.
    pub fn new(
        demand: &Demand,
        checked: &CheckedLimits,
        (volumes, volume_type): (Option<Ceiling>, Option<VolumeType>),
        limited: f64,
    ) -> DemandBounds {
        let queue = |limits: Ceiling| {
            let by_kind = LimitKind::BOTH.map(|kind| queue_weight(demand, kind, (volume_type, limits)));
            by_kind.into_iter().fold(0.0, f64::max)
        };
        let queue = if limited >= 1.0 { 1.0 } else { volumes.map_or(1.0, queue).max(limited) };
        DemandBounds { checked: [checked.iops, checked.mibps], volumes, queue }
    }

    /// An upper end of a demand, in the unit of the limit, within the bounds: never below its greatest average. Above a limit that the averages
    /// themselves exceed, by what EBS delivers for moments, nothing is bound by that.
    pub fn bound(&self, limited: LimitKind, upper: f64, greatest: f64) -> f64 {
        let checked = self.checked[limited as usize];
        let upper = checked.map_or(upper, |limit| upper.min(limit.max(greatest)));
        let Some(limit) = self.volumes.map(|volumes| volumes.rate(limited)).filter(|limit| *limit > 0.0) else {
            return upper;
        };
        let exceeded = (greatest / limit - 1.0) / (EXCEEDED_FACTOR - 1.0);
        let (bound, free) = (limit.max(greatest), self.queue.max(exceeded).clamp(0.0, 1.0));
        // A geometric mean, as factors count.
        if upper > bound { bound * (upper / bound).powf(free) } else { upper }
    }
}

/// Weight of a queue in the busy samples: by their latency over that of the others, or the greatest that is published for the type, if it is
/// less. One where neither is known.
fn queue_weight(demand: &Demand, limited: LimitKind, (volume_type, limits): (Option<VolumeType>, Ceiling)) -> f64 {
    let rate = |interval: &DemandInterval| interval.rate(limited);
    let greatest = demand.each().map(rate).fold(0.0, f64::max);
    let is_busy = |interval: &&DemandInterval| rate(interval) >= BUSY_SHARE * greatest;
    let busy = demand.each().filter(is_busy).fold(DeviceCounts::default(), |sum, interval| sum.plus(interval.counts));
    let others = demand.each().filter(|interval| !is_busy(interval));
    let latency = |interval: &DemandInterval| {
        let seconds = interval.counts.requests() as f64;
        interval.counts.mean_ms().map(|value| WeightedSample { value, seconds })
    };
    let others: Vec<WeightedSample> = others.filter_map(latency).collect();
    let measured_ms = pausing_quantile(others, 0.5, demand.pause).filter(|ms| *ms > 0.0);
    let published_ms = volume_type.and_then(|volume_type| published_ms(volume_type, &busy, limits));
    let unqueued_ms = [measured_ms, published_ms].into_iter().flatten().reduce(f64::min);
    let both_ms = busy.mean_ms().zip(unqueued_ms).filter(|_| demand.timed);
    both_ms.map_or(1.0, |(busy_ms, unqueued_ms)| ramp(busy_ms / unqueued_ms, [UNQUEUED_RATIO, QUEUED_RATIO]))
}

/// The greatest mean latency that is published for the type, for these requests: what they have above the size that it is published for is
/// transferred at the limit. `None` of a type without one.
fn published_ms(volume_type: VolumeType, counts: &DeviceCounts, limits: Ceiling) -> Option<f64> {
    let [_, _, read_ms] = published_read_ms(volume_type);
    let [_, _, write_ms] = published_write_ms(volume_type);
    let requests = (counts.requests() as f64).max(1.0);
    let bytes = counts.read_bytes.saturating_add(counts.write_bytes) as f64 / requests;
    let transfer_ms = (bytes - PUBLISHED_BYTES).max(0.0) / (limits.mibps * MIB as f64) * 1e3;
    Some((counts.reads as f64 * read_ms? + counts.writes as f64 * write_ms?) / requests + transfer_ms)
}

#[cfg(test)]
#[path = "demand_bounds_tests.rs"]
mod tests;
