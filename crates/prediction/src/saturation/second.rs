//! A second, in the form in which a limit is searched.

use ebs_aws::catalogue::LimitKind;
use ebs_workload::demand::{Demand, DemandInterval};

/// An interval, by the rates that are limited.
#[derive(Clone, Copy, Debug)]
pub(super) struct Second {
    /// Requests as EBS counts them, and bytes, a second.
    rates: [f64; 2],
    /// Its length.
    pub seconds: f64,
    /// True for the mean of a group of seconds, whose own rates are not known within 1 %.
    pub is_grouped: bool,
    /// Requests as the kernel made them.
    pub requests: f64,
    /// Reads, and what they took together, ms.
    pub reads: (f64, f64),
    /// The same of writes.
    pub writes: (f64, f64),
    /// Bytes.
    pub bytes: f64,
    /// Sum of the latencies of these requests, ms.
    pub waited_ms: f64,
    /// Requests in flight on average.
    pub in_flight: f64,
}

impl Second {
    /// `None` for an interval without a length.
    pub fn from_interval(interval: &DemandInterval) -> Option<Second> {
        let (counts, seconds) = (&interval.counts, interval.seconds);
        let bytes = interval.bytes() as f64;
        (seconds > 0.0 && seconds.is_finite()).then(|| Second {
            rates: [interval.iops(), bytes / seconds],
            seconds,
            is_grouped: interval.is_grouped,
            requests: counts.reads as f64 + counts.writes as f64,
            reads: (counts.reads as f64, counts.read_ms as f64),
            writes: (counts.writes as f64, counts.write_ms as f64),
            bytes,
            waited_ms: counts.read_ms as f64 + counts.write_ms as f64,
            in_flight: counts.weighted_ms as f64 / 1e3 / seconds,
        })
    }

    /// The intervals of a demand.
    pub fn from_demand(demand: &Demand) -> Vec<Second> {
        let mut seconds = Vec::with_capacity(demand.intervals.len());
        seconds.extend(demand.each().filter_map(Second::from_interval));
        seconds
    }

    /// Amount of what is limited, a second.
    pub fn rate(&self, limited: LimitKind) -> f64 {
        match limited {
            LimitKind::Iops => self.rates[0],
            LimitKind::Throughput => self.rates[1],
        }
    }

    /// Requests in flight by Little's law, rate times latency: without the kernel's own figure, which not all sources have.
    pub fn queue_depth(&self) -> f64 {
        self.waited_ms / 1e3 / self.seconds
    }

    /// Mean latency of a request, ms; `None` without any.
    pub fn latency_ms(&self) -> Option<f64> {
        (self.requests > 0.0).then(|| self.waited_ms / self.requests)
    }
}
