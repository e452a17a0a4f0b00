//! The demand that candidates are evaluated for, with the figures of it that each of them is compared with.

use std::borrow::Cow;

use ebs_base::counter::Counters;
use ebs_samples::evidence::DeviceCounts;
use ebs_workload::demand::{Demand, DemandInterval, ratio};

/// A demand, and figures of it that take a pass over all of its intervals.
#[derive(Clone)]
pub struct EvaluatedDemand<'a> {
    /// The demand.
    pub source: Cow<'a, Demand>,
    /// Everything counted.
    pub total: DeviceCounts,
    /// Its busy seconds; `None` without requests, or without their times.
    pub busy: Option<BusySeconds>,
}

/// The seconds at least half as busy as that of the average request: a burst counts, and not the quiet time around it.
#[derive(Clone, Copy)]
pub struct BusySeconds {
    /// Mean queue depth.
    pub queue_depth: f64,
    /// Mean rate of requests as the kernel makes them, which the queue depth counts, a second; those that EBS likely merges count once, as
    /// they are served together.
    pub requests_per_s: f64,
    /// Mean demand, I/Os a second as EBS counts them: several for each large request.
    pub iops: f64,
    /// Mean demand, MiB a second.
    pub mibps: f64,
}

/// Rate of busy seconds, relative to that of the average request's second. A choice.
const BUSY_SHARE: f64 = 0.5;

impl<'a> EvaluatedDemand<'a> {
    /// Computes the figures of a demand.
    pub fn new(source: Cow<'a, Demand>) -> EvaluatedDemand<'a> {
        if !source.timed {
            return EvaluatedDemand { total: source.total(), busy: None, source };
        }
        // The rates once: each takes a division.
        let mut iops = Vec::with_capacity(source.intervals.len());
        let (mut total, mut requests, mut squared) = (DeviceCounts::default(), 0.0, 0.0);
        for interval in source.each() {
            let rate = interval.iops();
            total = total.plus(interval.counts);
            requests += rate * interval.seconds;
            squared += rate * (rate * interval.seconds);
            iops.push(rate);
        }
        let busy =
            if requests > 0.0 { BusySeconds::new(&source, &iops, BUSY_SHARE * squared / requests) } else { None };
        EvaluatedDemand { total, busy, source }
    }

    /// The same, borrowed.
    pub fn borrowed(&self) -> EvaluatedDemand<'_> {
        EvaluatedDemand { source: Cow::Borrowed(&*self.source), total: self.total, busy: self.busy }
    }

    /// Reads in all requests; `None` without requests.
    pub fn read_share(&self) -> Option<f64> {
        ratio(self.total.reads, self.total.requests())
    }

    /// Mean size of a request, bytes; `None` without requests.
    pub fn mean_request_bytes(&self) -> Option<f64> {
        mean_request_bytes(&self.total)
    }
}

/// Mean size of a request of these counts, bytes; `None` without requests.
pub fn mean_request_bytes(total: &DeviceCounts) -> Option<f64> {
    ratio(total.read_bytes.saturating_add(total.write_bytes), total.requests())
}

impl BusySeconds {
    /// The intervals of at least this rate, by the rates of all of them; `None` without any.
    fn new(demand: &Demand, iops: &[f64], least: f64) -> Option<BusySeconds> {
        let mut sum = BusySeconds { queue_depth: 0.0, requests_per_s: 0.0, iops: 0.0, mibps: 0.0 };
        let mut seconds = 0.0;
        for (iops, interval) in iops.iter().zip(demand.each()).filter(|(iops, _)| **iops >= least) {
            seconds += interval.seconds;
            sum.queue_depth += interval.counts.weighted_ms as f64;
            sum.requests_per_s += served_requests(interval);
            sum.iops += iops * interval.seconds;
            sum.mibps += interval.mibps() * interval.seconds;
        }
        (seconds > 0.0).then(|| BusySeconds {
            queue_depth: sum.queue_depth / seconds / 1_000.0,
            requests_per_s: sum.requests_per_s / seconds,
            iops: sum.iops / seconds,
            mibps: sum.mibps / seconds,
        })
    }
}

/// Requests of the kernel in an interval, merged ones once.
fn served_requests(interval: &DemandInterval) -> f64 {
    let requests = interval.counts.requests();
    requests.min(interval.ssd_requests()) as f64
}
