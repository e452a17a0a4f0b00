//! A candidate: volumes that could be ordered, with their replay and evaluation.

use crate::evaluate::latency::{QueuedLatency, ServiceTimes};
use crate::evaluate::reason::{KeptShare, Provisioning, QueueLimit, Reason};
use crate::evaluate::relaxation::RelaxationCause;
use crate::evaluate::risk::Risk;
use crate::replay::{Outcome, TOLERANCE};
use crate::requirement::Requirement;
use crate::search::Order;
use crate::search::Priced;
use ebs_aws::catalogue::{Ceiling, VolumeConfig, VolumeType};
use ebs_aws::price::{Bill, PriceUncertainty};
use ebs_base::range::Range;
use ebs_base::units::Usd;
use ebs_prediction::BindingLimit;
use ebs_prediction::predict::{Expected, Prediction, Source};

/// A requirement that exceeds a limit, or a promise below the requested one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Excess {
    /// Requirement, in the unit of the limit.
    pub required: f64,
    /// The limit.
    pub limit: f64,
}

impl Excess {
    /// Excess of the requirement over the limit, per cent; `None` where the limit is zero.
    pub fn by_pct(&self) -> Option<f64> {
        (self.limit > 0.0).then(|| 100.0 * (self.required / self.limit - 1.0))
    }
}

/// One row of `ebs_options`.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Each volume.
    pub config: VolumeConfig,
    /// Number of volumes, striped.
    pub volumes: u64,
    /// Price of all of them; `None` where it is not known, and for volumes that are not sold separately.
    pub bill: Option<Bill>,
    /// Price by which they are ordered, which is not shown where it is that of another region; zero for volumes that are not sold
    /// separately.
    pub order_bill: Bill,
    /// Reasons for which the price is not exact.
    pub price_uncertainties: Vec<PriceUncertainty>,
    /// Savings against the declared volumes, a month; negative where it is dearer.
    pub saving: Option<Usd>,
    /// Demand that it is sized for over the observed demand, at most one: a closed loop asks a slower volume for less.
    pub scale: f64,
    /// Requirement by the percentile of this demand, not limited by the instance, or by its replay where that requires more.
    pub required: Ceiling,
    /// The replay; `None` for a type without known limits.
    pub outcome: Option<Outcome>,
    /// Predicted means of the database on it, by waits or the clients of a closed load driver; `None` where the evidence does not say.
    pub expected: Option<Expected>,
    /// Prediction with its intervals; `None` before the candidate is shown, and where the evidence has none.
    pub prediction: Option<Prediction>,
    /// Prediction by the device's counts, where waits were not sampled; `None` before the candidate is shown, and where waits were sampled
    /// or the counts do not tell it.
    pub device_prediction: Option<Prediction>,
    /// True of WAL's own volume, which is only written.
    pub is_wal_alone: bool,
    /// Latencies without a queue where nothing is predicted by waits: those of the run, or else published ones; `None` where requests are
    /// larger than those that they are published for, or queued at the instance's limit.
    pub service_times: Option<ServiceTimes>,
    /// Mean latency of a request over the observed mix of reads and writes, ms: predicted, or else without a queue plus queueing at
    /// the limit; `None` where the queue only grows. Targets are compared with it; [`Candidate::expected_latency_ms`] is shown.
    pub latency_ms: Option<f64>,
    /// Latency if as many requests stay in flight as at the run's limit; `None` where they do not queue, or the demand is known.
    pub queued_latency: Option<QueuedLatency>,
    /// Throughput at the observed queue depth, where that is less than the demand; `None` where it is not, or not known.
    pub queue_limit: Option<QueueLimit>,
    /// The limit that decided its provisioning, or the one that it violates; [`Candidate::bound_by`] is shown.
    pub bound: BindingLimit,
    /// True where it meets everything that was requested.
    pub feasible: bool,
    /// The requirement that it does not meet.
    pub excess: Option<Excess>,
    /// Excesses over the requested durability, latency and throughput, whatever else it lacks.
    pub missed_targets: Vec<(BindingLimit, Excess)>,
    /// Likelihood that the choice is regretted.
    pub risk: Option<Risk>,
    /// The reason for it, or against it.
    pub reason: Reason,
}

impl Candidate {
    /// The limiting factor of the database on it, as in what-if and frontier; where nothing is predicted, the limit that decided its
    /// provisioning, or the one that it violates. Where waits were not sampled, a limit is all that is predicted of it.
    pub fn bound_by(&self) -> BindingLimit {
        let predicted = self.prediction.map(|prediction| prediction.bound_by);
        let by_waits = self.expected.filter(|_| self.device_prediction.is_none());
        let predicted = predicted.or_else(|| by_waits.map(|expected| expected.bound_by));
        // Burst credits that end say more than the limit behind them.
        let without_waits = self.device_prediction.filter(|_| self.bound != BindingLimit::Credits);
        let predicted = predicted.or_else(|| without_waits.and_then(|prediction| prediction.known_bound()));
        predicted.filter(|_| !self.is_excluded()).unwrap_or(self.bound)
    }

    /// True where the type is unsuitable, or the instance cannot carry all volumes together, which the prediction for one role does
    /// not show.
    fn is_excluded(&self) -> bool {
        let by_instance = matches!(self.bound, BindingLimit::INSTANCE_IOPS | BindingLimit::INSTANCE_THROUGHPUT);
        self.bound == BindingLimit::Unfit || by_instance && !self.feasible
    }

    /// The reason for the limits of volumes that meet the request; `None` of others.
    pub fn provisioning(&self) -> Option<&Provisioning> {
        match &self.reason {
            Reason::Sufficient(sufficient) => Some(&sufficient.provisioning),
            _ => None,
        }
    }

    /// The throughput that a closed loop keeps on them, whether as much as requested or less; `None` where something else decides.
    pub fn kept_share(&self) -> Option<&KeptShare> {
        match (&self.reason, self.provisioning()) {
            (Reason::KeepsLess { kept, .. }, _) | (_, Some(Provisioning::KeepsThroughput { kept, .. })) => Some(kept),
            _ => None,
        }
    }

    /// True of the best volumes within a budget, which the whole request exceeds.
    pub fn is_within_budget_alone(&self) -> bool {
        let cause = |provisioning: &Provisioning| match provisioning {
            Provisioning::Relaxed { relaxation, .. } => Some(relaxation.cause),
            _ => None,
        };
        matches!(self.provisioning().and_then(cause), Some(RelaxationCause::Budget(_)))
    }

    /// The volumes with their price, as the search finds them.
    pub fn priced(&self) -> Priced {
        Priced { config: self.config, volumes: self.volumes, bill: self.order_bill }
    }

    /// Throughput of the database relative to the current one; `None` where it was not predicted.
    pub fn ratio(&self) -> Option<Range> {
        self.prediction.map(|prediction| prediction.ratio).or(self.ratio_without_waits())
    }

    /// The same by the device's counts; `None` where waits were sampled, or the counts do not tell it.
    pub fn ratio_without_waits(&self) -> Option<Range> {
        self.device_prediction.map(|prediction| prediction.ratio)
    }

    /// True where the replay's throttled time is an upper bound: sessions that wait for the volume may not reach its limits, and nothing
    /// tells how many do.
    pub fn is_throttling_bound(&self) -> bool {
        self.device_prediction.is_some_and(|prediction| prediction.known_bound().is_none())
    }

    /// Source of its latencies without a queue; `None` where none is known.
    pub fn latency_source(&self) -> Option<Source> {
        let unpredicted = self.service_times.filter(|times| times.read_ms.is_some()).map(|times| times.source);
        self.prediction.map_or(unpredicted, |prediction| Some(prediction.source))
    }

    /// Mean latency of a read, ms: predicted, or else without a queue; `None` where there are none, and where requests may queue for an unknown
    /// demand.
    pub fn read_ms(&self) -> Option<f64> {
        let unqueued = self.unqueued_read_ms().filter(|_| self.queued_latency.is_none());
        let read_ms = self.prediction.map_or(unqueued, |prediction| Some(prediction.read_ms.middle));
        read_ms.filter(|_| !self.is_wal_alone)
    }

    /// Mean latency of a write, ms: predicted, or else without a queue; `None` where requests may queue for an unknown demand.
    pub fn write_ms(&self) -> Option<f64> {
        let unqueued = self.unqueued_write_ms().filter(|_| self.queued_latency.is_none());
        self.prediction.map_or(unqueued, |prediction| Some(prediction.write_ms.middle))
    }

    /// [`Self::latency_ms`]; `None` where requests may queue for an unknown demand.
    pub fn expected_latency_ms(&self) -> Option<f64> {
        self.latency_ms.filter(|_| self.queued_latency.is_none())
    }

    /// Mean latency of a read without a queue, ms; `None` where it is not known.
    pub fn unqueued_read_ms(&self) -> Option<f64> {
        self.service_times?.read_ms
    }

    /// Mean latency of a write without a queue, ms; `None` where it is not known.
    pub fn unqueued_write_ms(&self) -> Option<f64> {
        self.service_times?.write_ms
    }

    /// Mean latency of a request without a queue, of so large a share of reads, ms; `None` where it is not known.
    pub fn unqueued_ms(&self, reads: f64) -> Option<f64> {
        let part = |share: f64, ms: Option<f64>| if share > 0.0 { ms.map(|ms| share * ms) } else { Some(0.0) };
        Some(part(reads, self.unqueued_read_ms())? + part(1.0 - reads, self.unqueued_write_ms())?)
    }

    /// Dollars of all volumes a month by which they are compared; [`Self::usd_month`] is shown.
    pub fn total(&self) -> Usd {
        self.order_bill.total()
    }

    /// Dollars of all volumes a month; `None` where their price is not known.
    pub fn usd_month(&self) -> Option<Usd> {
        self.bill.map(|bill| bill.total())
    }

    /// True of volumes that can be ordered here: suitable, and not the disk of the instance, or a type that is not to be had.
    pub fn can_be_ordered(&self) -> bool {
        !matches!(self.bound, BindingLimit::Unfit | BindingLimit::Unavailable) && self.config.volume_type.is_ebs()
    }

    /// True where its limits without credits, and its size, are those of the requirement.
    pub fn reaches(&self, requirement: &Requirement) -> bool {
        let ceiling = self.config.ceiling(self.volumes);
        let size_gib = self.config.size_gib * self.volumes;
        ceiling.iops >= requirement.iops.floor()
            && ceiling.mibps >= requirement.mibps.floor()
            && requirement.size_gib.is_none_or(|required| size_gib >= required)
    }

    /// Yearly durability of all volumes together, per cent ([`stripe_durability_pct`]).
    pub fn durability_pct(&self) -> f64 {
        stripe_durability_pct(self.config.volume_type, self.volumes)
    }

    /// Sort key of the preference.
    pub fn order(&self) -> Order {
        (self.total(), self.volumes, self.config.volume_type.preference(), self.config)
    }
}

/// Yearly durability of a stripe, per cent: RAID 0 loses its data with any one of its volumes, whose failures are independent,
/// so that n of them keep it with the n-th power of one volume's durability.
pub fn stripe_durability_pct(volume_type: VolumeType, volumes: u64) -> f64 {
    let single_pct = volume_type.durability_pct();
    if volumes <= 1 { single_pct } else { 100.0 * (single_pct / 100.0).powf(volumes as f64) }
}

/// Largest number of volumes, up to `max_volumes`, whose stripe has this durability, per cent a year; zero where not even one
/// volume has it.
pub fn max_durable_volumes(volume_type: VolumeType, max_volumes: u64, requested_pct: Option<f64>) -> u64 {
    let Some(requested_pct) = requested_pct else { return max_volumes };
    let is_durable = |volumes: &u64| stripe_durability_pct(volume_type, *volumes) * TOLERANCE >= requested_pct;
    (1..=max_volumes).take_while(is_durable).last().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0.998² = 0.996004, 0.998³ = 0.994012: 99.6 % is kept by two, 99.4 % by three, and 99.9 % by none. 0.99999² = 0.9999800001.
    #[test]
    fn a_stripe_survives_as_rarely_as_the_power_of_its_volumes() {
        assert_eq!(stripe_durability_pct(VolumeType::Gp3, 1), 99.8);
        assert!((stripe_durability_pct(VolumeType::Gp3, 2) - 99.6004).abs() < 1e-9);
        let most = |volume_type, requested_pct| max_durable_volumes(volume_type, 8, Some(requested_pct));
        assert_eq!([99.601, 99.6, 99.6004].map(|pct| most(VolumeType::Gp3, pct)), [1, 2, 2]);
        assert_eq!([99.8, 99.81, 99.4].map(|pct| most(VolumeType::Gp3, pct)), [1, 0, 3]);
        assert_eq!([99.999, 99.998, 99.99].map(|pct| most(VolumeType::Io2, pct)), [1, 2, 8]);
        assert_eq!(max_durable_volumes(VolumeType::Gp3, 8, None), 8);
    }
}
