//! Seconds of a demand, by one of the rates that are limited: views of its intervals and of their order, of which none is copied.

use ebs_base::pause::Pause;
use ebs_stats::Distribution;
use ebs_workload::demand::{Demand, DemandInterval};

/// An interval, by one of the rates that are limited.
#[derive(Clone, Copy, Debug)]
pub(super) struct Second<'a> {
    /// The interval.
    pub interval: &'a DemandInterval,
    /// Amount of what is limited, a second.
    pub rate: f64,
}

impl Second<'_> {
    /// Requests as the kernel made them.
    pub fn requests(&self) -> f64 {
        self.interval.counts.requests() as f64
    }

    /// Sum of the latencies of these requests, ms.
    pub fn waited_ms(&self) -> f64 {
        self.interval.counts.request_ms() as f64
    }

    /// Requests in flight on average, by the kernel's figure.
    pub fn in_flight(&self) -> f64 {
        self.interval.counts.weighted_ms as f64 / 1e3 / self.interval.seconds
    }

    /// Requests in flight by Little's law, rate times latency: without the kernel's own figure, which not all sources have.
    pub fn queue_depth(&self) -> f64 {
        self.waited_ms() / 1e3 / self.interval.seconds
    }

    /// Mean latency of a request, ms; `None` without any.
    pub fn latency_ms(&self) -> Option<f64> {
        (self.requests() > 0.0).then(|| self.waited_ms() / self.requests())
    }
}

/// The intervals of a demand, by one of the rates that are limited.
#[derive(Clone, Copy)]
pub(super) struct Seconds<'a> {
    /// The demand.
    pub demand: &'a Demand,
    /// The rate of each interval, and their order.
    pub by_rate: &'a Distribution<'static>,
}

impl<'a> Seconds<'a> {
    /// Each of them, in time order.
    pub fn each(self) -> impl Iterator<Item = Second<'a>> {
        self.demand.each().zip(self.by_rate.samples()).map(|(interval, rate)| Second { interval, rate: rate.value })
    }

    /// Those of a band of rates, in time order.
    pub fn within(self, band: (f64, f64)) -> impl Iterator<Item = Second<'a>> {
        self.pause().each(self.by_rate.indexes_within(band)).map(move |index| {
            let index = index as usize;
            Second { interval: &self.demand.intervals[index], rate: self.by_rate.samples()[index].value }
        })
    }

    /// Function that long computations over them call.
    pub fn pause(self) -> Pause {
        self.demand.pause
    }
}
