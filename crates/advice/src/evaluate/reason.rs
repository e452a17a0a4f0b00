//! Reasons for and against a candidate, as values: the figures that decided, each with its unit in its name.

use crate::current::refuted_limit::RefutedLimit;
use crate::current::saturation::Saturation;
use crate::evaluate::availability::Unavailable;
use crate::evaluate::relaxation::Relaxation;
use crate::replay::Exhaustion;
use crate::scenario::instance_saturation::InstancePlateau;
use ebs_aws::catalogue::{Ceiling, LimitKind, VolumeType};
use ebs_base::ramp::log_ramp;
use ebs_base::range::Range;
use ebs_base::units::Usd;
use ebs_prediction::BindingLimit;
use ebs_prediction::predict::Source;

/// The reason for a candidate, or against it.
#[allow(clippy::large_enum_variant, reason = "a candidate has one, and few candidates are kept")]
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// The type is unsuitable for a database; the catalogue says why.
    Unsuitable,
    /// The type is not to be had, or not known to be.
    Unavailable(Unavailable),
    /// The instance throttles whatever the volume can do.
    InstanceSaturated(InstanceSaturated),
    /// The type cannot reach what is required.
    OutOfReach(OutOfReach),
    /// The type's durability is too low.
    Durability {
        /// Yearly durability of all volumes together, per cent.
        promised_pct: f64,
        /// Yearly durability of the request, per cent.
        requested_pct: f64,
    },
    /// The mean latency is too high.
    Latency(MeanLatency),
    /// The predicted throughput of the database is too low.
    Throughput(PredictedThroughput),
    /// The replay throttles too long.
    Throttling(Throttling),
    /// A closed loop keeps less of its throughput than requested.
    KeepsLess {
        /// The throughput that it keeps.
        kept: KeptShare,
        /// Share that was requested, 0 to 1.
        requested: f64,
    },
    /// The recorded seconds pass, but not with headroom.
    Shortage(Shortage),
    /// The price leaves too little of the budget, or exceeds it.
    OverBudget {
        /// Excess of the price of all volumes over the budget, a month.
        excess: Usd,
        /// Price of the other roles' volumes in it, a month; zero where there are none.
        others: Usd,
    },
    /// The limits of RDS's dedicated log volume, of which nothing can be chosen, carry the WAL.
    LogVolumeSuffices,
    /// It meets everything that was requested.
    Sufficient(Sufficient),
}

/// The instance's limits, and the throttling that they alone cause.
#[derive(Clone, Debug, PartialEq)]
pub struct InstanceSaturated {
    /// `m5.large`.
    pub instance_type: &'static str,
    /// Its limit that binds.
    pub limited: LimitKind,
    /// Sustained limits.
    pub baseline: Ceiling,
    /// Limits of its 30 minutes a day, and the seconds until their credits run out; `None` where they are the baseline's.
    pub burst: Option<(Ceiling, Option<f64>)>,
    /// Plateau at which the run reached it; `None` where the replay shows it.
    pub reached: Option<InstancePlateau>,
    /// Throttled time, per cent.
    pub throttled_pct: f64,
}

/// A requirement beyond the type's maximum.
#[derive(Clone, Debug, PartialEq)]
pub struct OutOfReach {
    /// Size, or a rate of the volume.
    pub resource: BindingLimit,
    /// Requirement for all volumes together, in the unit of the resource.
    pub required: f64,
    /// Maximum of one volume, in the same unit.
    pub max_per_volume: f64,
    /// The instance whose limit of one volume that is; `None` where it is the type's.
    pub on_instance: Option<&'static str>,
    /// Number of volumes above max_volumes that would reach it; `None` where none would, or the request allows them.
    pub reached_by_volumes: Option<u64>,
}

/// Mean latency of a request over the observed mix of reads and writes.
#[derive(Clone, Debug, PartialEq)]
pub struct MeanLatency {
    /// Service time, ms.
    pub service_ms: f64,
    /// Source of the service time.
    pub source: Source,
    /// Queueing at a limit, ms; `None` where it is negligible.
    pub queueing_ms: Option<f64>,
    /// latency_target_ms.
    pub target_ms: f64,
}

/// Throughput of the database relative to the current one.
#[derive(Clone, Debug, PartialEq)]
pub struct PredictedThroughput {
    /// Predicted ratio; `None` where there is no prediction.
    pub ratio: Option<f64>,
    /// min_throughput_ratio.
    pub min_ratio: f64,
}

/// Throttled time beyond max_throttled_pct.
#[derive(Clone, Debug, PartialEq)]
pub struct Throttling {
    /// Throttled time, per cent.
    pub throttled_pct: f64,
    /// Upper end of its 95 % interval, per cent.
    pub throttled_high_pct: f64,
    /// Share of the requests that wait, per cent.
    pub waiting_pct: f64,
    /// Upper end of its interval, per cent.
    pub waiting_high_pct: f64,
    /// max_throttled_pct.
    pub max_throttled_pct: f64,
    /// Burst credits that run out; `None` where they do not.
    pub credits: Option<Exhaustion>,
}

impl Throttling {
    /// True where the throttled time is more than accepted; false where only the requests that wait are.
    pub fn is_of_time(&self) -> bool {
        self.throttled_high_pct > self.max_throttled_pct
    }
}

/// A requirement beyond the limits of a size, although the recorded seconds pass.
#[derive(Clone, Debug, PartialEq)]
pub struct Shortage {
    /// The limit that it exceeds.
    pub limited: LimitKind,
    /// Requirement with headroom, in the unit of the limit.
    pub required: f64,
    /// The limit: without credits for a mean, with them for a percentile.
    pub limit: f64,
    /// True for the mean demand, false for the percentile.
    pub of_mean: bool,
    /// True for the demand at the limit that the run was saturated at, which burst credits do not carry.
    pub of_plateau: bool,
}

/// A candidate that meets everything that was requested.
#[derive(Clone, Debug, PartialEq)]
pub struct Sufficient {
    /// The basis of its provisioning.
    pub provisioning: Provisioning,
    /// Saturation of the run: the requirement is a lower bound.
    pub saturation: Option<Saturation>,
}

/// The basis of a candidate's IOPS and throughput.
#[derive(Clone, Debug, PartialEq)]
pub enum Provisioning {
    /// The limits that its price or its size includes cover the requirement.
    Included {
        /// Requirement with headroom.
        required: Ceiling,
    },
    /// The included limits cover the requirement, and the bottleneck is not the volume.
    OtherBottleneck {
        /// The bottleneck: the CPUs or locks.
        bound: BindingLimit,
        /// Upper bound of throughput with ideal storage, relative to the current one; `None` where it is not known.
        ideal_ratio: Option<Range>,
    },
    /// The instance's baseline, which leaves less headroom than requested.
    InstanceBaseline {
        /// `m5.large`.
        instance_type: &'static str,
        /// Its limit that binds.
        limited: LimitKind,
        /// Its value, in its unit.
        baseline: f64,
        /// Percentile that was requested, 50 to 100.
        percentile: f64,
        /// Upper end of the percentile's interval, in the same unit.
        percentile_high: f64,
        /// Headroom that was requested, per cent.
        headroom_pct: f64,
    },
    /// The limits of the declared volumes, which carried the demand.
    AsCurrent {
        /// Type of the declared volumes: one whose successor is cheaper, or the candidate's own.
        current: VolumeType,
        /// Their limits, with their burst.
        limits: Ceiling,
        /// Requirement with headroom.
        required: Ceiling,
    },
    /// The limits of the declared volumes: a change would save too little.
    SavesTooLittle {
        /// Saving of the change a month.
        saved: Usd,
    },
    /// The limits of the declared volumes, until a description that the samples refute is checked.
    DescriptionRefuted(RefutedLimit),
    /// The throughput that a closed loop keeps on them.
    KeepsThroughput {
        /// The throughput.
        kept: KeptShare,
        /// Headroom that was requested, per cent.
        headroom_pct: f64,
    },
    /// A part of the request, as the whole of it costs too much.
    Relaxed {
        /// The part.
        relaxation: Relaxation,
        /// The throughput that a closed loop keeps; `None` of another one.
        kept: Option<KeptShare>,
    },
    /// The limits of the present hard disks, which carried large requests; nothing shows a database.
    Sequential {
        /// Mean size of a request, KiB.
        request_kib: f64,
    },
    /// Burst credits carry the peaks.
    Credits {
        /// Mean demand, I/Os a second.
        mean_iops: f64,
    },
    /// More than the demand requires, for the latency target.
    ForLatency(MeanLatency),
    /// More than the demand requires, for the throughput of the database.
    ForThroughput(PredictedThroughput),
    /// IOPS or throughput that the demand requires.
    Demand {
        /// IOPS or throughput.
        limited: LimitKind,
        /// Requirement, in its unit.
        required: f64,
        /// Percentile that was requested, 50 to 100.
        percentile: f64,
        /// Upper end of the percentile's interval, in the same unit.
        percentile_high: f64,
        /// The addition to the percentile.
        addition: Addition,
    },
}

impl Provisioning {
    /// True where the limits are for a part of the throughput, or of the request.
    pub fn is_of_a_part(&self) -> bool {
        matches!(self, Provisioning::KeepsThroughput { .. } | Provisioning::Relaxed { .. })
    }
}

/// The throughput that a closed loop keeps on volumes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeptShare {
    /// Throughput relative to the current one.
    pub ratio: f64,
    /// The same without a limit of the volumes.
    pub unlimited_ratio: f64,
    /// Predicted mean demand.
    pub used: Ceiling,
    /// Share of the low end without a limit, 0 to 1, that decided the IOPS or the throughput that is bought; `None` where the middle did.
    pub low_share: Option<f64>,
}

impl KeptShare {
    /// Share of the throughput that the type gives without a limit, 0 to 1.
    pub fn share(&self) -> f64 {
        (self.ratio / self.unlimited_ratio).min(1.0)
    }
}

/// The difference between a percentile and the requirement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Addition {
    /// Headroom, per cent.
    HeadroomPct(f64),
    /// The assumed peak within averages of which no model says more, and the headroom.
    AssumedPeak {
        /// Number of averages.
        averages: usize,
        /// Seconds of each.
        averaged_s: f64,
        /// Requirement over the greatest average.
        factor: f64,
    },
    /// More, as the demand was cut off at a limit, which no smaller one meets.
    CutOff,
    /// The addition that keeps throttled time within max_throttled_pct, which is this.
    MaxThrottledPct(f64),
}

/// Throughput of a closed loop at the observed queue depth, by Little's law and the latency published for the type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueueLimit {
    /// Average queue depth of the busy seconds: those at least half as busy as that of the average request.
    pub queue_depth: f64,
    /// Delivered I/Os a second, as EBS counts them.
    pub requests_per_s: f64,
    /// Mean demand of the busy seconds, I/Os a second as EBS counts them.
    pub demanded_per_s: f64,
    /// True where the load is known to be a closed loop; elsewhere its sessions may not wait for each answer.
    pub is_closed: bool,
}

/// Queue depths from which on a load may be a closed loop, and from which on it counts as one. A choice: sessions that hardly wait for the
/// device keep their pace, and where two requests are always in flight most of the time is waiting.
pub const CLOSED_DEPTHS: [f64; 2] = [0.5, 2.0];

/// Least share of the demand at which volumes deliver it. A choice.
pub const MIN_DELIVERED: f64 = 0.9;

/// Share of the demand below which the risk is high. A choice.
pub const HIGH_RISK_DELIVERED: f64 = 0.75;

impl QueueLimit {
    /// Share of the demand that is delivered, 0 to 1.
    pub fn delivered_share(&self) -> f64 {
        (self.requests_per_s / self.demanded_per_s).min(1.0)
    }

    /// Share of the demand that is likely delivered, 0 to 1: what is missing counts by the likelihood of a closed loop, which the logarithm of the
    /// queue depth gives where it is not known.
    pub fn likely_share(&self) -> f64 {
        let is_closed = self.is_closed.then_some(true);
        1.0 - closed_likelihood(self.queue_depth, is_closed) * (1.0 - self.delivered_share())
    }
}

/// Likelihood that sessions wait for the volume, by the queue depth of the busy seconds, or as a driver shows it.
pub fn closed_likelihood(queue_depth: f64, is_closed: Option<bool>) -> f64 {
    let by_depth = log_ramp(queue_depth, CLOSED_DEPTHS);
    is_closed.map_or(by_depth, |is_closed| f64::from(u8::from(is_closed)))
}
