//! The bottleneck of the database, and the upper bound of throughput with ideal storage.

use crate::prediction::limiting::{NEGLIGIBLE_GAIN, limiting_factor};
use crate::prediction::service::Service;
use ebs_base::range::Range;
use ebs_prediction::predict::{Observed, predict};
use ebs_prediction::saturation::NAMED_WEIGHT;
use ebs_prediction::{BindingLimit, LimitOwner};

/// The bottleneck, and the upper bound of throughput with ideal storage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bottleneck {
    /// The limiting factor.
    pub cause: BindingLimit,
    /// Another one that is as likely; `None` where the first is clear, and where the run was at a limit.
    pub also: Option<BindingLimit>,
    /// Throughput on a volume without any latency or limit, relative to the current one: by Amdahl's law the upper bound of
    /// any volume (Amdahl 1967, <https://doi.org/10.1145/1465482.1465560>).
    pub ideal_ratio: Range,
    /// CPU utilization, 0 to 1; `None` where it is not known.
    pub utilization: Option<f64>,
    /// Average active sessions.
    pub active_sessions: f64,
}

impl Bottleneck {
    /// Derives the bottleneck of a run.
    pub fn new(observed: &Observed) -> Bottleneck {
        let current = predict(observed, &Service::unlimited_target(observed.read_await_s, observed.write_await_s));
        let ideal = predict(observed, &Service::unlimited_target(0.0, 0.0)).ratio;
        let ideal_ratio = Range { low: ideal.low.max(1.0), middle: ideal.middle.max(1.0), high: ideal.high.max(1.0) };
        let (factor, other) = match observed.limited.filter(|_| observed.limit_weight >= NAMED_WEIGHT) {
            Some(limited) => (BindingLimit::Rate(LimitOwner::Volume, limited), None),
            None => (current.bound_by, current.also_bound_by),
        };
        let bound_by = |factor| limiting_factor(observed, factor, ideal_ratio.middle);
        let cause = bound_by(factor);
        let also = other.map(bound_by).filter(|other| *other != cause);
        let active_sessions = observed.sessions * (1.0 - observed.client_share());
        Bottleneck { cause, also, ideal_ratio, utilization: observed.utilization(), active_sessions }
    }

    /// The bottleneck with the instance's limit in place of the volume's, where the run reached the instance's.
    pub fn with_owner(self, owner: Option<LimitOwner>) -> Bottleneck {
        let cause = match (owner, self.cause) {
            (Some(owner), BindingLimit::Rate(LimitOwner::Volume, limited)) => BindingLimit::Rate(owner, limited),
            (_, cause) => cause,
        };
        Bottleneck { cause, ..self }
    }

    /// True where a better volume gains little or nothing.
    pub fn is_outside_storage(&self) -> bool {
        let volume = self.cause == BindingLimit::Latency || self.cause.is_rate();
        !volume && self.ideal_ratio.middle <= NEGLIGIBLE_GAIN
    }
}

#[cfg(test)]
#[path = "bottleneck_tests.rs"]
mod tests;
