//! The factor that limits the throughput.

use super::setting::State;
use super::target::{Limits, Target};

/// The factor that limits the throughput, column `bound_by` of the SQL functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitingFactor {
    /// Latency of requests without a queue.
    Latency,
    /// IOPS of the volume.
    VolumeIops,
    /// Throughput of the volume.
    VolumeThroughput,
    /// IOPS of the instance.
    InstanceIops,
    /// Throughput of the instance.
    InstanceThroughput,
    /// The CPUs.
    Cpu,
    /// Locks that sessions hold against each other.
    Locks,
    /// Think time of the clients.
    Client,
    /// Waits that are not for the volume, and neither for locks nor for a CPU.
    OtherWaits,
}

/// Utilization above which the CPUs are the bottleneck: waiting for one takes longer than computing
/// (1 / (1 − ρ) at 0.7 is 3.3).
pub const BUSY_CPUS: f64 = 0.7;

/// Share of the time on locks above which more of anything else helps little.
pub const LOCK_BOUND: f64 = 0.5;

impl LimitingFactor {
    /// Value of the column `bound_by`.
    pub fn name(self) -> &'static str {
        match self {
            LimitingFactor::Latency => "latency",
            LimitingFactor::VolumeIops => "volume IOPS",
            LimitingFactor::VolumeThroughput => "volume throughput",
            LimitingFactor::InstanceIops => "instance IOPS",
            LimitingFactor::InstanceThroughput => "instance throughput",
            LimitingFactor::Cpu => "CPU",
            LimitingFactor::Locks => "locks",
            LimitingFactor::Client => "clients",
            LimitingFactor::OtherWaits => "other waits",
        }
    }

    /// True for a limit of the volume or of the instance.
    pub fn is_limit(self) -> bool {
        matches!(
            self,
            LimitingFactor::VolumeIops
                | LimitingFactor::VolumeThroughput
                | LimitingFactor::InstanceIops
                | LimitingFactor::InstanceThroughput
        )
    }

    pub(super) fn from_state(state: &State, target: &Target) -> LimitingFactor {
        let instance_first = |limit: fn(&Limits) -> Option<f64>| {
            limit(&target.instance).is_some_and(|of| limit(&target.volume).is_none_or(|own| of < own))
        };
        match (state.queue_s > 0.0, state.by_bytes) {
            (true, true) if instance_first(|limits| limits.bytes) => LimitingFactor::InstanceThroughput,
            (true, true) => LimitingFactor::VolumeThroughput,
            (true, false) if instance_first(|limits| limits.iops) => LimitingFactor::InstanceIops,
            (true, false) => LimitingFactor::VolumeIops,
            _ if state.utilization.is_some_and(|busy| busy > BUSY_CPUS) => LimitingFactor::Cpu,
            _ if state.lock_share > LOCK_BOUND => LimitingFactor::Locks,
            _ => LimitingFactor::Latency,
        }
    }
}
