//! The resource that bounds the throughput.

use super::setting::State;
use super::target::{Limits, Target};

/// The resource that bounds the throughput.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Regime {
    /// The latency of requests that nobody queues for.
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
    /// The clients: they ask for no more.
    Client,
}

/// Utilization above which the CPUs are the bottleneck: waiting for one takes longer than computing
/// (1 / (1 − ρ) at 0.7 is 3.3).
pub const BUSY: f64 = 0.7;

/// Share of the time on locks above which more of anything else is of little use.
pub const LOCKED: f64 = 0.5;

impl Regime {
    /// The words shown in `bound_by`.
    pub fn name(self) -> &'static str {
        match self {
            Regime::Latency => "latency",
            Regime::VolumeIops => "volume IOPS",
            Regime::VolumeThroughput => "volume throughput",
            Regime::InstanceIops => "instance IOPS",
            Regime::InstanceThroughput => "instance throughput",
            Regime::Cpu => "CPU",
            Regime::Locks => "locks",
            Regime::Client => "clients",
        }
    }

    /// True for a limit of the volume or of the instance.
    pub fn is_limit(self) -> bool {
        matches!(
            self,
            Regime::VolumeIops | Regime::VolumeThroughput | Regime::InstanceIops | Regime::InstanceThroughput
        )
    }

    pub(super) fn from_state(state: &State, target: &Target) -> Regime {
        let instance_first = |limit: fn(&Limits) -> Option<f64>| {
            limit(&target.instance).is_some_and(|of| limit(&target.volume).is_none_or(|own| of < own))
        };
        match (state.queue_s > 0.0, state.by_bytes) {
            (true, true) if instance_first(|limits| limits.bytes) => Regime::InstanceThroughput,
            (true, true) => Regime::VolumeThroughput,
            (true, false) if instance_first(|limits| limits.iops) => Regime::InstanceIops,
            (true, false) => Regime::VolumeIops,
            _ if state.utilization.is_some_and(|busy| busy > BUSY) => Regime::Cpu,
            _ if state.lock_share > LOCKED => Regime::Locks,
            _ => Regime::Latency,
        }
    }
}
