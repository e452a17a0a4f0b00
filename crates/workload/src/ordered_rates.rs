//! The rates that volumes are limited in, in their order.

use crate::demand::Demand;
use ebs_aws::catalogue::LimitKind;
use ebs_stats::{Distribution, WeightedSample};

/// Requests as EBS counts them, and bytes, a second in each interval of a demand. Each is sorted once, for its figures and for the search
/// for limits: sorting takes as long as either.
pub struct OrderedRates {
    requests: Distribution<'static>,
    bytes: Distribution<'static>,
}

impl OrderedRates {
    /// Orders the rates of a demand.
    pub fn new(demand: &Demand) -> OrderedRates {
        let room = || Vec::with_capacity(demand.intervals.len());
        let (mut requests, mut bytes) = (room(), room());
        for interval in demand.each() {
            let sample = |value| WeightedSample { value, seconds: interval.seconds };
            requests.push(sample(interval.iops()));
            bytes.push(sample(interval.bytes() as f64 / interval.seconds));
        }
        let order = |rates: Vec<WeightedSample>| Distribution::pausing(rates, demand.pause);
        OrderedRates { requests: order(requests), bytes: order(bytes) }
    }

    /// The rate that a limit of this kind is of: requests, or bytes, a second.
    pub fn of(&self, limited: LimitKind) -> &Distribution<'static> {
        match limited {
            LimitKind::Iops => &self.requests,
            LimitKind::Throughput => &self.bytes,
        }
    }
}
