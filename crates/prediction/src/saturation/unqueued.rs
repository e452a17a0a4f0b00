//! Latency of a request without a queue: as the run shows it, or as it was published.
//!
//! A token bucket delays no request while it has tokens: the latency is that of the volume, and the requests in flight are rate times
//! latency (Little's law). At its limit it holds the rate, and the latency is the requests in flight over that limit. So only seconds with
//! fewer requests in flight than at the limit show the latency without a queue. A low rate with as many in flight is a stall: the sessions
//! of a closed loop wait as before, and longer.

use super::evidence::{MeasuredLatency, RunContext};
use super::second::{Second, Seconds};
use ebs_aws::catalogue::{Characteristics, VolumeType};
use ebs_base::ramp::log_ramp;
use ebs_base::units::MIB;
use ebs_samples::evidence::DeviceCounts;
use ebs_stats::{WeightedSample, pausing_quantile};

/// The seconds at a limit, together.
#[derive(Clone, Copy)]
pub(super) struct AtLimit {
    /// The limit: requests, or bytes, a second.
    pub level: f64,
    /// Requests in flight, rate times latency.
    pub in_flight: f64,
    /// Share of requests that are reads, 0 to 1.
    pub read_share: f64,
    /// Mean size of a request, bytes.
    pub request_bytes: f64,
    /// Bytes a second.
    pub bytes_per_s: f64,
}

/// Share of the level below which queues are short: a request takes at most 1 / (1 − ρ) of its service time, and a token
/// bucket of thousands of tokens a second adds next to nothing. At the same latency as at the limit, or a shorter one, a second below this
/// share of the level has no larger share of the requests in flight.
const BELOW_LIMIT: f64 = 0.8;

/// Largest factor between the sizes of requests that are compared.
const MAX_SIZE_RATIO: f64 = 2.0;

/// Seconds below the level that begin to show the latency, and that show it; and requests. A choice.
const SHOWN_SECONDS: [f64; 2] = [2.5, 10.0];
const SHOWN_REQUESTS: [f64; 2] = [125.0, 500.0];

/// Size of the requests that latencies are published for, bytes (`crates/aws/data/volume_types.csv`).
const PUBLISHED_BYTES: f64 = 16_384.0;

/// Least throughput that any SSD volume is limited to, bytes a second: gp3's 125 MiB/s.
pub(super) const MIN_THROUGHPUT: f64 = 125.0 * MIB as f64;

impl MeasuredLatency {
    /// Latency of seconds with fewer requests in flight than at the limit, of similar size; `None` where they are too few.
    pub(super) fn below(seconds: Seconds, at: &AtLimit) -> Option<MeasuredLatency> {
        let (unqueued, pause) = (unqueued_seconds(seconds, at), seconds.pause());
        let sum = |of: fn(&Second) -> f64| pause.each(&unqueued).map(of).sum::<f64>();
        let shown = log_ramp(sum(|second| second.interval.seconds), SHOWN_SECONDS);
        let weight = shown.min(log_ramp(sum(|second| second.requests()), SHOWN_REQUESTS));
        if weight <= 0.0 {
            return None;
        }
        let median = |of: fn(&DeviceCounts) -> (u64, u64)| {
            let latency = |second: &Second| {
                let (requests, ms) = of(&second.interval.counts);
                let (requests, ms) = (requests as f64, ms as f64);
                (requests > 0.0).then(|| WeightedSample { value: ms / requests, seconds: requests })
            };
            let latencies: Vec<WeightedSample> = pause.each(&unqueued).filter_map(latency).collect();
            pausing_quantile(latencies, 0.5, pause).filter(|ms| *ms > 0.0)
        };
        Some(MeasuredLatency {
            ms: median(|counts| (counts.requests(), counts.request_ms()))?,
            read_ms: median(|counts| (counts.reads, counts.read_ms)),
            write_ms: median(|counts| (counts.writes, counts.write_ms)),
            weight,
        })
    }
}

/// The greatest published means of the type, or of any type where it is not known, for the mix and the size of the requests at the limit, ms.
pub(super) fn published_ms(at: &AtLimit, run: &RunContext) -> f64 {
    let of_type = run.volume_type.map(VolumeType::characteristics);
    let mixed = of_type.and_then(|of_type| mixed_ms(at.read_share, |end| end(of_type)));
    let max_of_any = |end: fn(&Characteristics) -> Option<f64>| {
        VolumeType::ALL.iter().filter_map(|volume_type| end(volume_type.characteristics())).reduce(f64::max)
    };
    let mean_ms = mixed.or_else(|| mixed_ms(at.read_share, max_of_any)).unwrap_or(0.0);
    let volume_rate = run.volume_bytes_per_s().unwrap_or(at.bytes_per_s.max(MIN_THROUGHPUT));
    let transfer_ms = (at.request_bytes - PUBLISHED_BYTES).max(0.0) / volume_rate * 1e3;
    mean_ms + transfer_ms
}

/// The seconds that show the latency without a queue.
///
/// The kernel counts a request and its time when it completes (`blk_account_io_done` in its block layer), so that a stall of
/// some seconds begins with few requests in flight, and ends with too many. Therefore seconds below the level count in a row,
/// with the second that follows: over a whole stall in a closed loop, as many are in flight as at any other time.
fn unqueued_seconds<'a>(seconds: Seconds<'a>, at: &AtLimit) -> Vec<Second<'a>> {
    let is_short = |in_flight: f64| in_flight < BELOW_LIMIT * at.in_flight;
    let is_like = |second: &&Second| {
        let size = second.interval.bytes() as f64 / second.requests();
        size < MAX_SIZE_RATIO * at.request_bytes && size > at.request_bytes / MAX_SIZE_RATIO
    };
    let mut unqueued = Vec::new();
    let mut add = |row: &mut Vec<Second<'a>>, next: Option<Second<'a>>| {
        let sum = |of: fn(&Second) -> f64| row.iter().chain(&next).map(of).sum::<f64>();
        if is_short(sum(|second| second.waited_ms()) / 1e3 / sum(|second| second.interval.seconds)) {
            unqueued.extend(row.iter().filter(|second| is_short(second.queue_depth())).filter(is_like));
        }
        row.clear();
    };
    let mut row: Vec<Second<'a>> = Vec::new();
    for second in seconds.each() {
        if second.rate <= BELOW_LIMIT * at.level {
            row.push(second);
        } else if !row.is_empty() {
            add(&mut row, Some(second));
        }
    }
    add(&mut row, None);
    unqueued
}

fn mixed_ms(read_share: f64, greatest: impl Fn(fn(&Characteristics) -> Option<f64>) -> Option<f64>) -> Option<f64> {
    let read_ms = greatest(|characteristics| characteristics.read_high_ms)?;
    let write_ms = greatest(|characteristics| characteristics.write_high_ms)?;
    Some(read_share * read_ms + (1.0 - read_share) * write_ms)
}

#[cfg(test)]
#[path = "unqueued_tests.rs"]
mod tests;
