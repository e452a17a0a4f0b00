//! Detection of a queue: requests take longer, and more are in flight, than the volume's own latency explains.

use super::ceiling;
use super::evidence::{MIN_RATIO_INFERRED, MIN_RATIO_KNOWN, ReachedLimit, RunContext};
use super::flat::FLAT;
use super::matches::explained;
use super::second::Second;
use ebs_base::pause::Pause;
use ebs_base::ramp::{log_ramp, ramp, weighted_mean};
use ebs_stats::{WeightedSample, pausing_quantile};

/// CPU utilization from which on requests may wait for a CPU, and from which on they do: about 0.9.
const BUSY_CPUS: [f64; 2] = [0.85, 0.95];

/// Least queue depth at which requests wait: one session has one, and a little read-ahead.
const MIN_IN_FLIGHT: f64 = 1.5;

/// [`MIN_RATIO_INFERRED`] where waits were not sampled either: a slow volume under a fixed rate looks the same.
const MIN_RATIO_UNSAMPLED: f64 = 3.0;

/// Spread of the latency as a multiple of that of the rate, from which on a limit may explain it, and from which on it does: at a limit the latency
/// varies, and not the rate. Where the latency determines the rate, as in a closed loop without a limit, it varies no more than the rate does,
/// except for the time that sessions spend elsewhere. The second is a choice: 1 % more of either changes little.
const VARIATION_RATIOS: [f64; 2] = [2.0, 4.0];

/// Spread of a rate below which rounding to whole requests decides.
const MIN_SPREAD: f64 = 1e-3;

/// Latency as a multiple of the published one that no slow SSD volume of EBS has, even as an average: some 20 ms; and half of that, from which
/// on it is the less likely one's. All sessions of a closed loop that only wait are in flight all of the time, so that at a limit their latency
/// is as even as the rate. Hard disks and network file systems have as much by themselves ([`RunContext::is_ebs_ssd`]).
const SLOW_VOLUME_RATIOS: [f64; 2] = [10.0, 20.0];

/// Degree to which requests waited at an inferred ceiling, 0 to 1: more are in flight than the latency without a queue explains.
///
/// If no seconds below the ceiling show that latency, the rate must be more constant than the latency: a slow volume is not
/// taken for a saturated one. A level that volumes are sold with is evidence as good, and so is a latency that no slow volume has. The
/// rate must be constant too if the CPUs are busy: requests that wait for a CPU are as late as those that wait for a volume, but their
/// rate varies as much.
pub(super) fn evidence_at_ceiling(
    limit: &ReachedLimit,
    run: &RunContext,
    rate_spread: f64,
    latency_spread: impl FnOnce() -> Option<f64>,
) -> f64 {
    if !may_wait(limit.in_flight) || limit.latency_ratio() < min_ratio(limit, run) {
        return 0.0;
    }
    let slow = if run.is_ebs_ssd { log_ramp(limit.latency_ratio(), SLOW_VOLUME_RATIOS) } else { 0.0 };
    let of_volume = limit.unqueued.measured_weight().max(published_weight(limit, run)).max(slow);
    let is_idle = 1.0 - run.utilization.map_or(0.0, |busy| ramp(busy, BUSY_CPUS));
    let evidence = of_volume * is_idle;
    if evidence >= 1.0 {
        return evidence;
    }
    let variation = |latency: f64| log_ramp(latency / rate_spread.max(MIN_SPREAD), VARIATION_RATIOS);
    evidence.max(latency_spread().map_or(0.0, variation))
}

/// True where so many requests are in flight that some of them may wait.
pub(super) fn may_wait(in_flight: f64) -> bool {
    in_flight >= MIN_IN_FLIGHT
}

/// Degree to which the rate at an inferred ceiling is not the clients', 0 to 1: one that they set is as even, and a slow volume as late, unless
/// seconds below the ceiling show otherwise.
pub(super) fn closed_weight(limit: &ReachedLimit, run: &RunContext) -> f64 {
    run.closed_weight.unwrap_or(1.0).max(limit.unqueued.measured_weight())
}

/// Least latency as a multiple of that without a queue, from which on requests are taken to wait at an inferred ceiling.
pub(super) fn min_ratio(limit: &ReachedLimit, run: &RunContext) -> f64 {
    let of_published = if run.closed_weight.is_some() { MIN_RATIO_INFERRED } else { MIN_RATIO_UNSAMPLED };
    weighted_mean(of_published, MIN_RATIO_KNOWN, limit.unqueued.measured_weight())
}

/// Degree to which volumes of unknown limits may have been bought with this one, 0 to 1: its level is one that they are sold with, or near it.
fn published_weight(limit: &ReachedLimit, run: &RunContext) -> f64 {
    let levels = run.published.iter().filter_map(|(_, limits)| limits.level(limit.limited));
    let weight = |level: f64| {
        let share = limit.level / level;
        let below = if share > 1.0 + FLAT { (1.0 + FLAT) / share } else { share };
        explained(below, limit.latency_ratio())
    };
    levels.map(weight).fold(0.0, f64::max)
}

/// Relative spread of the latency from second to second; `None` without requests.
pub(super) fn spread<'a>(seconds: impl Iterator<Item = Second<'a>>, pause: Pause) -> Option<f64> {
    let value = |second: Second| Some(WeightedSample { value: second.latency_ms()?, seconds: second.interval.seconds });
    let values: Vec<WeightedSample> = seconds.filter_map(value).collect();
    ceiling::spread(&values, pausing_quantile(values.as_slice(), 0.5, pause).filter(|middle| *middle > 0.0)?, pause)
}
