//! A limit that a run was at, and what is known of the run beforehand.

use super::second::Second;
use crate::predict::{Limited, Limits};
use ebs_aws::catalogue::VolumeType;
use ebs_workload::demand::Interval;

/// Way in which a limit is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// The limit is known: of the volume as it was declared, or of the instance.
    Declared,
    /// From the seconds alone.
    Inferred,
}

/// Owner of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// The volume's, or that of all volumes of a stripe.
    Volume,
    /// The instance's.
    Instance,
}

/// Facts about the run that the demand does not show.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Limits in force, with and without burst credits.
    pub limits: Vec<(Whose, Limits)>,
    /// Type of the volume.
    pub volume_type: Option<VolumeType>,
    /// True if sessions waited for their clients most of the time; `None` if waits were not sampled.
    pub paced: Option<bool>,
    /// CPU utilization, 0 to 1; `None` where it is not known.
    pub utilization: Option<f64>,
}

/// Seconds at a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plateau {
    /// The limited rate.
    pub limited: Limited,
    /// The limit: requests, or bytes, a second.
    pub level: f64,
    /// Rates that are at it, from and to.
    pub(super) band: (f64, f64),
    /// Share of all seconds that were at it.
    pub seconds_share: f64,
    /// Share of all requests that were made in them.
    pub requests_share: f64,
    /// Way in which the limit is known.
    pub how: How,
    /// Owner of the limit; the volume where nothing else is known.
    pub whose: Whose,
    /// Mean latency of a request there, ms.
    pub latency_ms: f64,
    /// Latency without a queue.
    pub base: Base,
    /// Requests in flight there, on average.
    pub in_flight: f64,
}

/// The latency of a request that nobody queues for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Base {
    /// Reads and writes as they were mixed, ms: median over the requests of the seconds below the limit; where these are too
    /// few, the greatest mean published of the type, or of any SSD type where it is not known.
    pub ms: f64,
    /// Medians of the run; `None` if the latency is a published one.
    pub measured: Option<Apart>,
}

/// Reads and writes apart, ms; `None` where there were none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Apart {
    /// Median of a read.
    pub read_ms: Option<f64>,
    /// Of a write.
    pub write_ms: Option<f64>,
}

/// No SSD takes so many times as long by itself.
const CERTAIN: f64 = 10.0;

impl Plateau {
    /// True if an interval was at the limit.
    pub fn holds(&self, interval: &Interval) -> bool {
        Second::from_interval(interval, self.limited).is_some_and(|second| self.at(&second))
    }

    pub(super) fn at(&self, second: &Second) -> bool {
        (self.band.0..=self.band.1).contains(&second.rate)
    }

    /// Latency at the limit as a multiple of that without a queue; at least one. It bounds the unmet demand: without the limit
    /// as many sessions would have made at most so many times the requests, because no more can wait for the volume than all
    /// of them.
    pub fn stretch(&self) -> f64 {
        (self.latency_ms / self.base.ms).max(1.0)
    }

    /// True if other explanations are practically excluded: the limit is declared, or seconds below it show the latency without
    /// a queue, or the latency is longer than any SSD's own.
    pub fn is_sure(&self) -> bool {
        self.how == How::Declared || self.base.measured.is_some() || self.stretch() >= CERTAIN
    }
}
