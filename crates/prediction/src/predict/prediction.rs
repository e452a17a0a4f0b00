//! Predicted throughput, latency and load.

use super::io_workers::IoWorkersNeed;
use super::target::{Latency, Rates, Source};
use crate::BindingLimit;
use ebs_base::range::Range;

/// Predicted throughput, latency and load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// True where nothing is known of sessions: only ratio, load and latencies of the volume are predicted then, and its limit.
    pub without_waits: bool,
    /// Transactions a second.
    pub tps: Range,
    /// Throughput as a multiple of that in the run.
    pub ratio: Range,
    /// Response time of a transaction without its client, ms.
    pub response_ms: Range,
    /// Mean latency of a read, ms, queueing included.
    pub read_ms: Range,
    /// Mean latency of a write, ms.
    pub write_ms: Range,
    /// Requests to the volume of WAL; `None` where WAL is on the same volume.
    pub wal: Option<WalPrediction>,
    /// Sessions at work on average.
    pub active_sessions: f64,
    /// Requests in flight on average.
    pub in_flight: f64,
    /// Requests a second, to all volumes.
    pub iops: f64,
    /// MiB a second, to all volumes.
    pub mibps: f64,
    /// CPU utilization, 0 to 1; `None` where it is not known.
    pub utilization: Option<f64>,
    /// Workers of asynchronous reads that the throughput needs.
    pub io_workers: IoWorkersNeed,
    /// The predicted limiting factor.
    pub bound_by: BindingLimit,
    /// Another one that is as likely; `None` where the first is clear.
    pub also_bound_by: Option<BindingLimit>,
    /// True if clients are assumed to send at their own pace, independent of the response time.
    pub paced: bool,
    /// Origin of the service times.
    pub source: Source,
}

impl Prediction {
    /// The limiting factor; `None` where waits are not known and no limit is reached.
    pub fn known_bound(&self) -> Option<BindingLimit> {
        Some(self.bound_by).filter(|factor| !self.without_waits || factor.is_rate())
    }
}

/// Predicted load of a volume that WAL has of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WalPrediction {
    /// Requests a second.
    pub iops: f64,
    /// MiB a second.
    pub mibps: f64,
    /// Mean latency of a write, ms, queueing included.
    pub write_ms: Range,
}

/// The middle of a [`Prediction`], at a tenth of its cost: a search evaluates hundreds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected {
    /// Throughput as a multiple of that in the run.
    pub ratio: f64,
    /// Mean latency of a read, ms.
    pub read_ms: f64,
    /// Mean latency of a write, ms.
    pub write_ms: f64,
    /// Requests a second, to all volumes.
    pub iops: f64,
    /// MiB a second, to all volumes.
    pub mibps: f64,
    /// Requests to the volume of WAL; `None` where WAL is on the same volume.
    pub wal: Option<Rates>,
    /// The predicted limiting factor.
    pub bound_by: BindingLimit,
    /// Weight of the closed loop, 0 to 1: zero where clients send at their own pace.
    pub closed_weight: f64,
}

/// Service time and wait; the wait has the relative uncertainty of the throughput.
pub(super) fn waited(service: Latency, queue_s: f64, (down, up): (f64, f64)) -> Range {
    let queue = Range::around(queue_s * 1e3, (up, down));
    Range {
        low: service.low_s * 1e3 + queue.low,
        middle: service.middle_s * 1e3 + queue.middle,
        high: service.high_s * 1e3 + queue.high,
    }
}
