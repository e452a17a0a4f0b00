//! Steps of the decision from the workload to the volumes, in the order in which they narrow the choice.

use crate::scenario::instance_saturation::InstancePlateau;
use ebs_aws::catalogue::{Ceiling, VolumeType};
use ebs_base::units::Usd;
use ebs_prediction::BindingLimit;

/// A step: the figures that answer its question.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Enough samples.
    Evidence {
        /// Sampled time, seconds.
        sampled_s: f64,
    },
    /// The instance's limits.
    Instance(InstanceStep),
    /// Sequential requests of 1 MiB only, for which HDDs are made.
    Sequential {
        /// Mean size of a request, KiB; `None` without requests.
        request_kib: Option<f64>,
    },
    /// Durability above that of general purpose volumes.
    Durability {
        /// Yearly durability of general purpose volumes, per cent.
        general_purpose_pct: f64,
        /// durability_pct, where it is higher.
        requested_pct: Option<f64>,
        /// True where provisioned IOPS are sold on the platform.
        provisioned_is_sold: bool,
    },
    /// Latency below that of general purpose volumes.
    Latency {
        /// latency_target_ms.
        target_ms: Option<f64>,
        /// Mean latency of a request on a general purpose volume, ms; `None` where it is not known.
        general_purpose_ms: Option<f64>,
    },
    /// Limits that the general purpose type includes.
    Included {
        /// These limits.
        included: Ceiling,
        /// Requirement, whatever the instance carries.
        required: Ceiling,
        /// The consequence.
        coverage: IncludedCoverage,
    },
    /// The cheapest that is left; `None` where nothing is.
    Choice(Option<Choice>),
    /// The present volumes, which stay in place of these.
    Kept(Choice),
}

/// The instance's limits against the requirement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InstanceStep {
    /// The instance is not known.
    Unknown,
    /// It carries the demand.
    Sufficient {
        /// `m5.large`.
        instance_type: &'static str,
        /// Its sustained limits.
        baseline: Ceiling,
        /// True where it carries the headroom too.
        with_headroom: bool,
    },
    /// It carries the demand, and the run may have been at its limit all the same.
    Doubtful {
        /// `m5.large`.
        instance_type: &'static str,
        /// The plateau that may be its limit.
        plateau: InstancePlateau,
    },
    /// It throttles.
    Saturated {
        /// `m5.large`.
        instance_type: &'static str,
        /// Throttled time, per cent.
        throttled_pct: f64,
    },
    /// The run was at its limit, at which a replay of what it delivered throttles nothing.
    Reached {
        /// `m5.large`.
        instance_type: &'static str,
        /// The plateau at its limit.
        plateau: InstancePlateau,
    },
}

/// The requirement against the limits of a general purpose volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IncludedCoverage {
    /// The included limits cover it.
    Included,
    /// The limits of the declared volumes, which carried the demand, without the requested headroom.
    AsCurrent,
    /// Limits that can be provisioned cover it.
    Provisioned,
    /// One volume does not cover it.
    Exceeded {
        /// True where a stripe of several may.
        stripe: bool,
        /// True where provisioned IOPS may.
        provisioned: bool,
    },
}

/// The recommended volumes in short.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// Number of volumes.
    pub volumes: u64,
    /// Their type.
    pub volume_type: VolumeType,
    /// Price of all of them, a month; `None` where it is not known.
    pub usd_month: Option<Usd>,
    /// Throttled time, per cent; `None` where it was not replayed.
    pub throttled_pct: Option<f64>,
    /// The limit that binds.
    pub bound: BindingLimit,
}
