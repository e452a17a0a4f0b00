//! Figures of a replay, and the unit of its demand.

use super::limits::{Exhaustion, Levels};

/// Unit of demand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Measure {
    /// I/Os as EBS counts them on SSD volumes.
    Requests,
    /// MiB.
    Mib,
    /// I/Os as EBS counts them on HDD volumes: each counts as 1 MiB, unless it was merged with its neighbours.
    Hdd,
}

/// Latency that queueing at limits adds to a request, milliseconds; 0 where none waited.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AddedLatency {
    /// The mean over requests.
    pub mean_ms: f64,
    /// The 99th percentile over requests.
    pub p99_ms: f64,
    /// The longest.
    pub max_ms: f64,
    /// Share of the requests that wait, 0 to 1.
    pub waiting_share: f64,
}

/// Result of a replay.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Seconds replayed.
    pub seconds: f64,
    /// Seconds in which requests had to wait for a limit.
    pub throttled_s: f64,
    /// Upper end of the 95 % interval of [`Outcome::throttled_pct`].
    pub throttled_high_pct: f64,
    /// Share of the requests that had to wait, per cent.
    pub waiting_pct: f64,
    /// Upper end of its 95 % interval.
    pub waiting_high_pct: f64,
    /// Latency that queueing at limits adds; `None` where so much is throttled that delays were not followed: a queue that only
    /// grows has no latency.
    pub added: Option<AddedLatency>,
    /// Largest demand of one interval as a share of the limit in force; above one means throttled.
    pub peak: f64,
    /// The first credits that ran out; `None` where none did.
    pub credits: Option<Exhaustion>,
    /// Lowest levels of credits.
    pub lowest_levels: Levels,
}

/// Demand above a limit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ExcessDemand {
    /// Share of the total demand.
    pub share: f64,
    /// Seconds above the limit, each weighted by its share of excess: one at twice the limit counts half.
    pub seconds: f64,
}
