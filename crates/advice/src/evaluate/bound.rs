//! The limit that binds a candidate.

use ebs_prediction::predict::LimitingFactor;

/// The limit that decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// None: the included limits suffice.
    None,
    /// The included limits suffice, and the bottleneck is the CPU: a faster volume gains little.
    Cpu,
    /// The included limits suffice, and the bottleneck is locks.
    Locks,
    /// Think time of the clients.
    Clients,
    /// Waits that are not for the volume, and neither for locks nor for a CPU.
    OtherWaits,
    /// IOPS of the volume.
    VolumeIops,
    /// Throughput of the volume.
    VolumeThroughput,
    /// Burst credits.
    Credits,
    /// IOPS of the instance.
    InstanceIops,
    /// Throughput of the instance.
    InstanceThroughput,
    /// Size of a volume.
    Size,
    /// The type is unsuitable for a database.
    Unfit,
    /// The type is not to be had in the place of the volumes, or with Multi-Attach.
    Unavailable,
    /// Requested durability.
    Durability,
    /// Latency of the volume, or latency_target_ms.
    Latency,
    /// min_throughput_ratio.
    ThroughputRatio,
    /// The budget.
    Budget,
}

impl Bound {
    /// Name of the limit in the column `bound_by`.
    pub fn name(self) -> &'static str {
        match self {
            Bound::None => "none",
            Bound::Cpu => "CPU",
            Bound::Locks => "locks",
            Bound::Clients => "clients",
            Bound::OtherWaits => "other waits",
            Bound::VolumeIops => "volume IOPS",
            Bound::VolumeThroughput => "volume throughput",
            Bound::Credits => "burst credits",
            Bound::InstanceIops => "instance IOPS",
            Bound::InstanceThroughput => "instance throughput",
            Bound::Size => "volume size",
            Bound::Unfit => "type unfit",
            Bound::Unavailable => "type unavailable",
            Bound::Durability => "durability",
            Bound::Latency => "latency",
            Bound::ThroughputRatio => "throughput ratio",
            Bound::Budget => "budget",
        }
    }
}

impl From<LimitingFactor> for Bound {
    fn from(factor: LimitingFactor) -> Bound {
        match factor {
            LimitingFactor::Latency => Bound::Latency,
            LimitingFactor::VolumeIops | LimitingFactor::WalVolumeIops => Bound::VolumeIops,
            LimitingFactor::VolumeThroughput | LimitingFactor::WalVolumeThroughput => Bound::VolumeThroughput,
            LimitingFactor::InstanceIops => Bound::InstanceIops,
            LimitingFactor::InstanceThroughput => Bound::InstanceThroughput,
            LimitingFactor::Cpu => Bound::Cpu,
            LimitingFactor::Locks => Bound::Locks,
            LimitingFactor::Client => Bound::Clients,
            LimitingFactor::OtherWaits => Bound::OtherWaits,
        }
    }
}
