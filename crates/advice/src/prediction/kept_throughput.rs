//! The least limits that keep the throughput of a closed loop: what pays. Sessions that wait for each answer ask for no more than they are
//! answered, so that no percentile and no headroom is needed. On emulated volumes the predicted knee was within 4 % of the measured one,
//! and volumes by this rule lost nothing against ones without a limit, and half of them 31 to 51 % (docs/validation.md).

use crate::prediction::predictor::{bisect, bisect_within};
use crate::replay::TOLERANCE;
use ebs_aws::catalogue::Ceiling;
use ebs_prediction::predict::Expected;

/// Throughput under a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Throughput {
    /// Throughput relative to the run.
    pub ratio: f64,
    /// Mean demand on the volumes, I/Os as EBS counts them and MiB a second.
    pub used: Ceiling,
}

impl From<Expected> for Throughput {
    fn from(expected: Expected) -> Throughput {
        Throughput { ratio: expected.ratio, used: Ceiling { iops: expected.iops, mibps: expected.mibps } }
    }
}

/// The least limits of volumes that keep the throughput that they would have without a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeptThroughput {
    /// The limits.
    pub ceiling: Ceiling,
    /// Throughput under them.
    pub at: Throughput,
    /// Throughput without a limit of the volumes, relative to the run.
    pub unlimited_ratio: f64,
    /// Share of the low end without a limit that decided the limits, 0 to 1; `None` where the middle did.
    pub low_share: Option<f64>,
}

/// Loss of the low end of the interval that is accepted for each loss of the middle: 5 % beside 2 %. A choice: at a limit the low end is of
/// volumes that deliver less, and of transactions that ask for more.
const LOW_LOSS: f64 = 2.5;

/// Precision of the limits, as a share: finer than the hundred IOPS that are ordered.
const PRECISION: f64 = 1e-4;

/// Factor on the limits for the middle up to which those for both together and for the low end are sought: more than any asks for. A choice.
const MAX_FACTOR: f64 = 100.0;

impl KeptThroughput {
    /// Finds the least limits that keep this share of the throughput: of the middle, by the throughput under a limit, and of the low end of
    /// its interval with [`LOW_LOSS`] times the loss. `None` where nothing is predicted.
    pub fn find(
        keep: f64,
        throughput: &dyn Fn(Ceiling) -> Option<Throughput>,
        low: &dyn Fn(Ceiling) -> Option<f64>,
    ) -> Option<KeptThroughput> {
        let free = Ceiling::UNLIMITED;
        let unlimited_ratio = throughput(free)?.ratio;
        let is_kept = |ceiling| {
            throughput(ceiling).is_some_and(|throughput| throughput.ratio * TOLERANCE >= keep * unlimited_ratio)
        };
        let middle = least_limits(&is_kept);
        let low_share = (1.0 - LOW_LOSS * (1.0 - keep)).max(0.0);
        let least_low = low_share * low(free)?;
        let is_whole_kept = |ceiling| is_kept(ceiling) && low(ceiling).is_some_and(|low| low * TOLERANCE >= least_low);
        // Transactions of the low end may ask for more bytes than requests, or the reverse.
        let least = if is_whole_kept(middle) { middle } else { least_limits(&is_whole_kept) };
        // Both limits together may lose more than each alone, where they bind in different seconds.
        let ceiling = if is_whole_kept(least) { least } else { raised(least, is_whole_kept) };
        let low_share = (ceiling != middle && is_kept(middle)).then_some(low_share);
        Some(KeptThroughput { ceiling, at: throughput(ceiling)?, unlimited_ratio, low_share })
    }
}

/// The least of each limit that holds without the other.
fn least_limits(holds: &dyn Fn(Ceiling) -> bool) -> Ceiling {
    let free = Ceiling::UNLIMITED;
    Ceiling {
        iops: bisect(PRECISION, |iops| holds(Ceiling { iops, ..free })),
        mibps: bisect(PRECISION, |mibps| holds(Ceiling { mibps, ..free })),
    }
}

/// The limits times the least factor that holds.
fn raised(ceiling: Ceiling, holds: impl Fn(Ceiling) -> bool) -> Ceiling {
    ceiling.times(bisect_within([1.0, MAX_FACTOR], PRECISION, |factor| holds(ceiling.times(factor))))
}

#[cfg(test)]
#[path = "kept_throughput_tests.rs"]
mod tests;
