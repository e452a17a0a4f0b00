//! Evidence that is insufficient for advice.

use ebs_samples::evidence::{Coverage, Window};
use ebs_workload::demand::{Demand, DemandInterval};

/// Fewest seconds of device samples for advice: fewer may be one checkpoint's burst.
pub const MIN_SECONDS: f64 = 30.0;
/// Seconds of device samples below which the risk is one step higher: a short run contains few peaks.
pub const SHORT_SECONDS: f64 = 600.0;

/// Seconds of samples below which evidence without a whole checkpoint cycle is short: [`SHORT_SECONDS`], or the checkpoint_timeout that
/// held then, where that is longer.
pub fn cycle_seconds(checkpoint_timeout_s: Option<f64>) -> f64 {
    SHORT_SECONDS.max(checkpoint_timeout_s.unwrap_or(0.0))
}

/// Mean demand below which the devices were idle, requests a second: one in ten seconds. A choice.
pub const IDLE_MEAN: f64 = 0.1;
/// The reason why evidence allows no advice.
#[derive(Clone, Debug, PartialEq)]
pub enum Insufficient {
    /// The window has no samples.
    NoSamples,
    /// No block device was sampled.
    NoDevice {
        /// Distinct reasons, as the sampler recorded them.
        reasons: Vec<String>,
    },
    /// Fewer than [`MIN_SECONDS`] of device samples.
    TooShort {
        /// Seconds of device samples.
        device_s: f64,
        /// Seconds of samples without a readable device.
        unreadable_s: f64,
    },
    /// The devices were idle: no volume can be derived from their demand. A window is idle with fewer requests than
    /// [`IDLE_MEAN`] on average.
    Idle {
        /// Requests in the window.
        requests: u64,
        /// Seconds of device samples.
        device_s: f64,
    },
}

/// Checks whether evidence allows advice; `None` where it does.
pub fn insufficient(window: &Window, coverage: &Coverage) -> Option<Insufficient> {
    if window.intervals.is_empty() {
        return Some(Insufficient::NoSamples);
    }
    if window.current.is_empty() {
        let mut reasons: Vec<String> = window.layout.unresolved.iter().map(|part| part.reason.clone()).collect();
        reasons.dedup();
        return Some(Insufficient::NoDevice { reasons });
    }
    let (device_s, unreadable_s) = (coverage.sampled_s - coverage.without_device_s, coverage.without_device_s);
    if device_s < MIN_SECONDS {
        return Some(Insufficient::TooShort { device_s, unreadable_s });
    }
    idle(Demand::each_of_all_volumes(window), coverage.sampled_s)
}

/// Idleness of a demand over at most `most_s` seconds: of a busy one some intervals tell.
fn idle(demand: impl Iterator<Item = DemandInterval>, most_s: f64) -> Option<Insufficient> {
    let (mut device_s, mut requests) = (0.0, 0u64);
    for interval in demand {
        device_s += interval.seconds;
        requests = requests.saturating_add(interval.ssd_requests());
        if requests as f64 > IDLE_MEAN * most_s {
            return None;
        }
    }
    ((requests as f64) < IDLE_MEAN * device_s).then_some(Insufficient::Idle { requests, device_s })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebs_samples::evidence::DeviceCounts;

    fn demand(seconds: usize, reads: &dyn Fn(usize) -> u64) -> impl Iterator<Item = DemandInterval> {
        let interval = move |second: usize| DemandInterval {
            ended_us: second as i64 * 1_000_000,
            seconds: 1.0,
            counts: DeviceCounts { reads: reads(second), read_bytes: reads(second) * 8_192, ..DeviceCounts::default() },
            ..DemandInterval::default()
        };
        (0..seconds).map(interval)
    }

    /// Sums of counts that no device can have stop at the largest number.
    #[test]
    fn absurd_counts_are_not_idle() {
        let counts = DeviceCounts { reads: u64::MAX, writes: u64::MAX, ..DeviceCounts::default() };
        let intervals = demand(600, &|_| 0).map(|interval| DemandInterval { counts, ..interval });
        assert_eq!(idle(intervals, 600.0), None);
    }

    /// 600 s: 60 requests are 0.1 a second, which is not idle; 59 are.
    #[test]
    fn few_requests_are_idle_at_once_or_spread() {
        let idle_requests = |reads: &dyn Fn(usize) -> u64| match idle(demand(600, reads), 600.0) {
            Some(Insufficient::Idle { requests, .. }) => Some(requests),
            _ => None,
        };
        assert_eq!(idle_requests(&|_| 0), Some(0));
        // One in 20 s.
        assert_eq!(idle_requests(&|second| u64::from(second % 20 == 0)), Some(30));
        assert_eq!(idle_requests(&|second| u64::from(second % 10 == 0 && second > 0)), Some(59));
        assert_eq!(idle_requests(&|second| u64::from(second % 10 == 0)), None);
        assert_eq!(idle_requests(&|second| if second == 300 { 59 } else { 0 }), Some(59));
        assert_eq!(idle_requests(&|second| if second == 300 { 60 } else { 0 }), None);
    }
}
