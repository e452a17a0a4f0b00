//! Detection of a queue: requests take longer, and more are in flight, than the volume's own latency explains.

use super::ceiling;
use super::evidence::{
    MIN_RATIO_INFERRED, MIN_RATIO_KNOWN, MeasuredLatency, ReachedLimit, RunContext, UnqueuedLatency,
};
use super::flat::is_flat_at;
use super::second::Second;
use ebs_aws::catalogue::{Characteristics, VolumeType};
use ebs_base::pause::Pause;
use ebs_base::units::MIB;
use ebs_stats::{WeightedSample, pausing_quantile};

impl UnqueuedLatency {
    /// Latency of seconds of at most four fifths of the level, with requests of similar size; where they are too few, the
    /// published one, for the size of the requests. The size is in bytes, the rate in bytes a second.
    pub(super) fn from_seconds(
        (seconds, pause): (&[Second], Pause),
        level: f64,
        (request_bytes, bytes_per_s): (f64, f64),
        run: &RunContext,
    ) -> UnqueuedLatency {
        let like = |second: &&Second| {
            let size = second.bytes / second.requests;
            second.rate <= BELOW_LIMIT * level
                && size < MAX_SIZE_RATIO * request_bytes
                && size > request_bytes / MAX_SIZE_RATIO
        };
        let below: Vec<&Second> = pause.each(seconds).filter(like).collect();
        let enough = below.iter().map(|second| second.seconds).sum::<f64>() >= MIN_SECONDS
            && below.iter().map(|second| second.requests).sum::<f64>() >= MIN_REQUESTS;
        let median = |of: fn(&Second) -> (f64, f64)| {
            let latency = |second: &&Second| {
                let (requests, ms) = of(second);
                (requests > 0.0).then(|| WeightedSample { value: ms / requests, seconds: requests })
            };
            let latencies: Vec<WeightedSample> = pause.each(&below).filter_map(latency).collect();
            pausing_quantile(&latencies, 0.5, pause).filter(|ms| *ms > 0.0)
        };
        match median(|second| (second.requests, second.waited_ms)).filter(|_| enough) {
            Some(ms) => {
                let apart = MeasuredLatency {
                    read_ms: median(|second| second.reads),
                    write_ms: median(|second| second.writes),
                };
                UnqueuedLatency { ms, transfer_ms: 0.0, measured: Some(apart) }
            }
            None => {
                let characteristics = run.volume_type.map(VolumeType::characteristics);
                let published_ms = characteristics.and_then(max_mean_ms).unwrap_or_else(max_mean_of_any_type_ms);
                let volume_rate = run.volume_bytes_per_s().unwrap_or(bytes_per_s.max(MIN_THROUGHPUT));
                let transfer_ms = (request_bytes - PUBLISHED_BYTES).max(0.0) / volume_rate * 1e3;
                UnqueuedLatency { ms: published_ms + transfer_ms, transfer_ms, measured: None }
            }
        }
    }
}

/// Size of the requests that latencies are published for, bytes (`crates/aws/data/volume_types.csv`).
const PUBLISHED_BYTES: f64 = 16_384.0;

/// Least throughput that any SSD volume is limited to, bytes a second: gp3's 125 MiB/s.
pub(super) const MIN_THROUGHPUT: f64 = 125.0 * MIB as f64;

/// Share of the level below which queues are short: a request takes at most 1 / (1 − ρ) of its service time, and a token
/// bucket of thousands of tokens a second adds next to nothing.
const BELOW_LIMIT: f64 = 0.8;

/// Largest factor between the sizes of requests that are compared.
const MAX_SIZE_RATIO: f64 = 2.0;

/// Least evidence below the level that shows the latency: seconds, and requests.
const MIN_SECONDS: f64 = 10.0;
const MIN_REQUESTS: f64 = 500.0;

/// Largest published mean, ms.
fn max_mean_ms(characteristics: &Characteristics) -> Option<f64> {
    [characteristics.read_high_ms, characteristics.write_high_ms].into_iter().flatten().reduce(f64::max)
}

fn max_mean_of_any_type_ms() -> f64 {
    VolumeType::ALL.iter().filter_map(|of| max_mean_ms(of.characteristics())).fold(0.0, f64::max)
}

/// CPU utilization above which requests wait for a CPU.
const BUSY_CPUS: f64 = 0.9;

/// Least queue depth at which requests wait: one session has one, and a little read-ahead.
const MIN_IN_FLIGHT: f64 = 1.5;

/// [`MIN_RATIO_INFERRED`] where waits were not sampled either: a slow volume under a fixed rate looks the same.
const MIN_RATIO_UNSAMPLED: f64 = 3.0;

/// Least spread of the latency as a multiple of that of the rate: at a limit the latency varies, and not the rate. Where the
/// latency determines the rate, it varies no more than the rate does, except for the time that sessions spend elsewhere.
const MIN_VARIATION_RATIO: f64 = 2.0;

/// Degree to which requests waited at a known limit, 0 to 1: from 1.5 times the latency without a queue up to twice that.
pub(super) fn known_limit_weight(limit: &ReachedLimit) -> f64 {
    ((limit.latency_ratio() - MIN_RATIO_KNOWN) / (MIN_RATIO_INFERRED - MIN_RATIO_KNOWN)).clamp(0.0, 1.0)
}

/// True if requests waited at an inferred ceiling: more are in flight than the latency without a queue explains.
///
/// If no seconds below the ceiling show that latency, the rate must be more constant than the latency: a slow volume is not
/// taken for a saturated one. A level that volumes are sold with is evidence as good. A rate that clients set is never evidence
/// then. The rate must be constant too if the CPUs are busy: requests that wait for a CPU are as late as those that wait for a
/// volume, but their rate varies as much.
pub(super) fn waits_at_ceiling(
    limit: &ReachedLimit,
    run: &RunContext,
    rate_spread: f64,
    latency_spread: Option<f64>,
) -> bool {
    let varies = latency_spread.is_some_and(|latency| latency > 0.0 && latency >= MIN_VARIATION_RATIO * rate_spread);
    let times = match (limit.unqueued.measured, run.paced) {
        (Some(_), _) => MIN_RATIO_KNOWN,
        (None, Some(false)) => MIN_RATIO_INFERRED,
        (None, None) => MIN_RATIO_UNSAMPLED,
        (None, Some(true)) => return false,
    };
    let busy = run.utilization.is_some_and(|busy| busy > BUSY_CPUS);
    let is_volume = limit.unqueued.measured.is_some() || is_published_level(limit, run);
    limit.in_flight >= MIN_IN_FLIGHT && limit.latency_ratio() >= times && (varies || is_volume && !busy)
}

/// True where volumes of unknown limits may have been bought with this one.
fn is_published_level(limit: &ReachedLimit, run: &RunContext) -> bool {
    let mut levels = run.published.iter().filter_map(|(_, limits)| limits.level(limit.limited));
    levels.any(|level| is_flat_at(limit.level, level))
}

/// Relative spread of the latency from second to second; `None` without requests.
pub(super) fn spread<'a>(seconds: impl Iterator<Item = &'a Second>, pause: Pause) -> Option<f64> {
    let value = |second: &Second| Some(WeightedSample { value: second.latency_ms()?, seconds: second.seconds });
    let values: Vec<WeightedSample> = seconds.filter_map(value).collect();
    ceiling::spread(&values, pausing_quantile(&values, 0.5, pause).filter(|middle| *middle > 0.0)?, pause)
}
