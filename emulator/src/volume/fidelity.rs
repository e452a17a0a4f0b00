//! Timing fidelity: lateness of replies and load of the serving thread, and the decision if measurements are valid.

use hdrhistogram::{CreationError, Histogram};
use serde::{Deserialize, Serialize};

use super::service_time::ServiceTime;

/// The histogram's range; a reply that is a minute late is counted at its end. Two significant digits: a percentile is off by
/// 1 % at most.
const MAX_RECORDED_NS: u64 = 60_000_000_000;
const SIGNIFICANT_DIGITS: u8 = 2;

/// Lateness that is negligible for any volume: about the time of the path to the emulator and back, and ten times that.
const NEGLIGIBLE_MEAN_US: f64 = 50.0;
const NEGLIGIBLE_P99_US: f64 = 500.0;
/// Allowed lateness as a share of the shorter mean service time: 10 % on average, the accepted error of latency, and 100 % for one
/// reply in a hundred, by which a burst of large writes delays the requests behind it.
const ALLOWED_MEAN_SHARE: f64 = 0.1;
const ALLOWED_P99_SHARE: f64 = 1.0;
/// Allowed excess of the path to the emulator over the subtracted overhead: a few migrations between CPUs, or half of the service
/// time, because latency that is measured in the kernel (await) includes it.
const NEGLIGIBLE_PATH_US: f64 = 200.0;
const ALLOWED_PATH_SHARE: f64 = 0.5;
/// Maximum load of the serving thread; above it requests wait in the kernel, where their delay is not recorded.
const MAX_BUSY_PCT: f64 = 90.0;

/// Recorder of lateness and load since the last reset.
#[derive(Clone, Debug)]
pub struct FidelityMonitor {
    lateness_ns: Histogram<u64>,
    sum_ns: u64,
    max_ns: u64,
    busy_ns: u64,
    reset_ns: u64,
}

/// Recorded figures beside those that are allowed, under their names in the statistics.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Fidelity {
    /// Number of replies.
    #[serde(rename = "answers")]
    pub replies: u64,
    /// Percentage of replies later than `allowed_mean_us`.
    pub late_pct: f64,
    /// Mean lateness, microseconds.
    pub late_mean_us: f64,
    /// 99th percentile of lateness, microseconds.
    pub late_p99_us: f64,
    /// Maximum lateness, microseconds.
    pub late_max_us: f64,
    /// Allowed mean lateness, microseconds.
    pub allowed_mean_us: f64,
    /// Allowed 99th percentile of lateness, microseconds.
    pub allowed_p99_us: f64,
    /// Percentage of the time in which the serving thread had work.
    pub busy_pct: f64,
}

impl FidelityMonitor {
    /// An empty recorder.
    pub fn new(now_ns: u64) -> Result<FidelityMonitor, CreationError> {
        let lateness_ns = Histogram::new_with_max(MAX_RECORDED_NS, SIGNIFICANT_DIGITS)?;
        Ok(FidelityMonitor { lateness_ns, sum_ns: 0, max_ns: 0, busy_ns: 0, reset_ns: now_ns })
    }

    /// Empties the recorder.
    pub fn reset(&mut self, now_ns: u64) {
        self.lateness_ns.reset();
        (self.sum_ns, self.max_ns, self.busy_ns, self.reset_ns) = (0, 0, 0, now_ns);
    }

    /// Records a reply.
    pub fn record_reply(&mut self, due_ns: u64, replied_ns: u64) {
        let late_ns = replied_ns.saturating_sub(due_ns);
        self.lateness_ns.saturating_record(late_ns);
        self.sum_ns += late_ns;
        self.max_ns = self.max_ns.max(late_ns);
    }

    /// Records time in which the serving thread had work.
    pub fn record_busy(&mut self, ns: u64) {
        self.busy_ns += ns;
    }

    /// Compares the recorded figures with those that these times of service allow.
    pub fn assess(&self, service: &ServiceTime, now_ns: u64) -> Fidelity {
        let allowed_mean_us = (ALLOWED_MEAN_SHARE * service.shorter_mean_us()).max(NEGLIGIBLE_MEAN_US);
        let replies = self.lateness_ns.len();
        let late = replies - self.lateness_ns.count_between(0, (allowed_mean_us * 1e3) as u64);
        let per_reply = |sum: f64| if replies > 0 { sum / replies as f64 } else { 0.0 };
        let elapsed_ns = now_ns.saturating_sub(self.reset_ns).max(1);
        Fidelity {
            replies,
            late_pct: 100.0 * per_reply(late as f64),
            late_mean_us: per_reply(self.sum_ns as f64 / 1e3),
            late_p99_us: self.lateness_ns.value_at_quantile(0.99).min(self.max_ns) as f64 / 1e3,
            late_max_us: self.max_ns as f64 / 1e3,
            allowed_mean_us,
            allowed_p99_us: (ALLOWED_P99_SHARE * service.shorter_mean_us()).max(NEGLIGIBLE_P99_US),
            busy_pct: 100.0 * (self.busy_ns as f64 / elapsed_ns as f64),
        }
    }
}

impl Fidelity {
    /// Reason why measurements of this time are no evidence of the volume; `None` if they are. `excess_us` is by how much the path
    /// to the emulator and back took longer than the overhead that is taken off for it, where that is known.
    pub fn fault(&self, service: &ServiceTime, excess_us: Option<f64>) -> Option<String> {
        let Fidelity { late_mean_us, allowed_mean_us, late_p99_us, allowed_p99_us, busy_pct, .. } = self;
        let allowed_path_us = (ALLOWED_PATH_SHARE * service.shorter_mean_us()).max(NEGLIGIBLE_PATH_US);
        if late_mean_us > allowed_mean_us {
            return Some(format!("mean lateness {late_mean_us:.0} µs is above {allowed_mean_us:.0} µs"));
        }
        if late_p99_us > allowed_p99_us {
            return Some(format!("99th percentile of lateness {late_p99_us:.0} µs is above {allowed_p99_us:.0} µs"));
        }
        if let Some(us) = excess_us.filter(|us| *us > allowed_path_us) {
            return Some(format!(
                "requests took {us:.0} µs more on their way than is taken off, above {allowed_path_us:.0}"
            ));
        }
        (*busy_pct > MAX_BUSY_PCT).then(|| format!("the serving thread was busy {busy_pct:.0} % of the time"))
    }
}

#[cfg(test)]
#[path = "fidelity_tests.rs"]
mod tests;
