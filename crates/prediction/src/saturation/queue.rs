//! Detection of a queue: requests take longer, and more are in flight, than the volume's own latency explains.

use super::ceiling;
use super::evidence::{MIN_RATIO_INFERRED, MIN_RATIO_KNOWN, ReachedLimit, RunContext};
use super::flat::is_flat_at;
use super::second::Second;
use ebs_base::pause::Pause;
use ebs_stats::{WeightedSample, pausing_quantile};

/// CPU utilization above which requests wait for a CPU.
const BUSY_CPUS: f64 = 0.9;

/// Least queue depth at which requests wait: one session has one, and a little read-ahead.
const MIN_IN_FLIGHT: f64 = 1.5;

/// [`MIN_RATIO_INFERRED`] where waits were not sampled either: a slow volume under a fixed rate looks the same.
const MIN_RATIO_UNSAMPLED: f64 = 3.0;

/// Least spread of the latency as a multiple of that of the rate: at a limit the latency varies, and not the rate. Where the
/// latency determines the rate, it varies no more than the rate does, except for the time that sessions spend elsewhere.
const MIN_VARIATION_RATIO: f64 = 2.0;

/// Latency as a multiple of the published one that no slow SSD volume of EBS has, even as an average: some 20 ms. All sessions of a closed
/// loop that only wait are in flight all of the time, so that at a limit their latency is as even as the rate. Hard disks and network file
/// systems have as much by themselves ([`RunContext::is_ebs_ssd`]).
const MAX_RATIO_OF_SLOW_VOLUMES: f64 = 20.0;

/// True if requests waited at an inferred ceiling: more are in flight than the latency without a queue explains.
///
/// If no seconds below the ceiling show that latency, the rate must be more constant than the latency: a slow volume is not
/// taken for a saturated one. A level that volumes are sold with is evidence as good, and so is a latency that no slow volume has. The
/// rate must be constant too if the CPUs are busy: requests that wait for a CPU are as late as those that wait for a volume, but their
/// rate varies as much.
pub(super) fn waits_at_ceiling(
    limit: &ReachedLimit,
    run: &RunContext,
    rate_spread: f64,
    latency_spread: impl FnOnce() -> Option<f64>,
) -> bool {
    let is_more = |latency: f64| latency > 0.0 && latency >= MIN_VARIATION_RATIO * rate_spread;
    let busy = run.utilization.is_some_and(|busy| busy > BUSY_CPUS);
    let is_volume = limit.unqueued.measured.is_some()
        || is_published_level(limit, run)
        || run.is_ebs_ssd && limit.latency_ratio() >= MAX_RATIO_OF_SLOW_VOLUMES;
    let is_queued = may_wait(limit.in_flight) && limit.latency_ratio() >= min_ratio(limit, run);
    is_queued && (is_volume && !busy || latency_spread().is_some_and(is_more))
}

/// True where so many requests are in flight that some of them may wait.
pub(super) fn may_wait(in_flight: f64) -> bool {
    in_flight >= MIN_IN_FLIGHT
}

/// Degree to which the rate at an inferred ceiling is not the clients', 0 to 1: one that they set is as even, and a slow volume as late, unless
/// seconds below the ceiling show otherwise.
pub(super) fn closed_weight(limit: &ReachedLimit, run: &RunContext) -> f64 {
    run.closed_weight.filter(|_| limit.unqueued.measured.is_none()).unwrap_or(1.0)
}

/// Least latency as a multiple of that without a queue, from which on requests are taken to wait at an inferred ceiling.
pub(super) fn min_ratio(limit: &ReachedLimit, run: &RunContext) -> f64 {
    match (limit.unqueued.measured, run.closed_weight) {
        (Some(_), _) => MIN_RATIO_KNOWN,
        (None, Some(_)) => MIN_RATIO_INFERRED,
        (None, None) => MIN_RATIO_UNSAMPLED,
    }
}

/// True where volumes of unknown limits may have been bought with this one.
fn is_published_level(limit: &ReachedLimit, run: &RunContext) -> bool {
    let mut levels = run.published.iter().filter_map(|(_, limits)| limits.level(limit.limited));
    levels.any(|level| is_flat_at(limit.level, level))
}

/// Relative spread of the latency from second to second; `None` without requests.
pub(super) fn spread<'a>(seconds: impl Iterator<Item = Second<'a>>, pause: Pause) -> Option<f64> {
    let value = |second: Second| Some(WeightedSample { value: second.latency_ms()?, seconds: second.interval.seconds });
    let values: Vec<WeightedSample> = seconds.filter_map(value).collect();
    ceiling::spread(&values, pausing_quantile(values.as_slice(), 0.5, pause).filter(|middle| *middle > 0.0)?, pause)
}
