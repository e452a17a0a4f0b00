//! Summary of a demand: what takes a pass over all of its intervals, or an order of them, taken once.

use crate::demand::Demand;
use ebs_aws::catalogue::LimitKind;
use ebs_base::counter::Counters;
use ebs_samples::evidence::DeviceCounts;
use ebs_stats::{Distribution, WeightedSample};

/// Totals of a demand, and its rates in their order: sorting takes as long as what is computed from it.
pub struct DemandSummary {
    /// True if the counts hold times.
    pub timed: bool,
    /// Everything counted.
    pub total: DeviceCounts,
    /// Its length, seconds.
    pub seconds: f64,
    /// Requests as EBS counts them.
    pub requests: f64,
    iops: Distribution<'static>,
    bytes_per_s: Distribution<'static>,
}

impl DemandSummary {
    /// Summarizes a demand.
    pub fn new(demand: &Demand) -> DemandSummary {
        let room = || Vec::with_capacity(demand.intervals.len());
        let (mut iops, mut bytes_per_s) = (room(), room());
        let (mut total, mut all_s, mut all_requests) = (DeviceCounts::default(), 0.0, 0.0);
        for interval in demand.each() {
            let (seconds, requests) = (interval.seconds, interval.ssd_requests() as f64);
            iops.push(WeightedSample { value: requests / seconds, seconds });
            bytes_per_s.push(WeightedSample { value: interval.bytes() as f64 / seconds, seconds });
            total = total.plus(interval.counts);
            all_s += seconds;
            all_requests += requests;
        }
        let order = |rates: Vec<WeightedSample>| Distribution::pausing(rates, demand.pause);
        let (iops, bytes_per_s) = (order(iops), order(bytes_per_s));
        DemandSummary { timed: demand.timed, total, seconds: all_s, requests: all_requests, iops, bytes_per_s }
    }

    /// The rate of each interval that limits of this kind are of, requests or bytes a second, and their order.
    pub fn rates(&self, limited: LimitKind) -> &Distribution<'static> {
        match limited {
            LimitKind::Iops => &self.iops,
            LimitKind::Throughput => &self.bytes_per_s,
        }
    }
}
