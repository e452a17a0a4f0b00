//! The limit that binds: one type for the observed run, for predictions, and for every candidate.

use ebs_aws::catalogue::LimitKind;
use ebs_base::named;

named! {
    /// Owner of a limited rate.
    pub enum LimitOwner {
        /// The volume's, or that of all volumes of a stripe.
        Volume = "volume",
        /// That of a volume that WAL has of its own.
        WalVolume = "WAL volume",
        /// The instance's.
        Instance = "instance",
    }
}

/// The limit that binds, column `bound_by` of the SQL functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BindingLimit {
    /// None: the included limits suffice.
    None,
    /// Limit of a rate of a volume, or of the instance.
    Rate(LimitOwner, LimitKind),
    /// Latency of requests without a queue, or latency_target_ms.
    Latency,
    /// The CPUs: a faster volume gains little.
    Cpu,
    /// Locks that sessions hold against each other.
    Locks,
    /// Think time of the clients.
    Clients,
    /// Waits that are not for the volume, and neither for locks nor for a CPU.
    OtherWaits,
    /// Burst credits.
    Credits,
    /// Size of a volume.
    Size,
    /// The type is unsuitable for a database.
    Unfit,
    /// The type is not to be had in the place of the volumes, or with Multi-Attach.
    Unavailable,
    /// Requested durability.
    Durability,
    /// min_throughput_ratio.
    ThroughputRatio,
    /// The budget.
    Budget,
}

impl BindingLimit {
    /// IOPS of the volume.
    pub const VOLUME_IOPS: BindingLimit = BindingLimit::Rate(LimitOwner::Volume, LimitKind::Iops);
    /// Throughput of the volume.
    pub const VOLUME_THROUGHPUT: BindingLimit = BindingLimit::Rate(LimitOwner::Volume, LimitKind::Throughput);
    /// IOPS of the volume that WAL has of its own.
    pub const WAL_VOLUME_IOPS: BindingLimit = BindingLimit::Rate(LimitOwner::WalVolume, LimitKind::Iops);
    /// Throughput of that volume.
    pub const WAL_VOLUME_THROUGHPUT: BindingLimit = BindingLimit::Rate(LimitOwner::WalVolume, LimitKind::Throughput);
    /// IOPS of the instance.
    pub const INSTANCE_IOPS: BindingLimit = BindingLimit::Rate(LimitOwner::Instance, LimitKind::Iops);
    /// Throughput of the instance.
    pub const INSTANCE_THROUGHPUT: BindingLimit = BindingLimit::Rate(LimitOwner::Instance, LimitKind::Throughput);

    /// Value of the column `bound_by`.
    pub fn name(self) -> &'static str {
        match self {
            BindingLimit::None => "none",
            BindingLimit::VOLUME_IOPS => "volume IOPS",
            BindingLimit::VOLUME_THROUGHPUT => "volume throughput",
            BindingLimit::WAL_VOLUME_IOPS => "WAL volume IOPS",
            BindingLimit::WAL_VOLUME_THROUGHPUT => "WAL volume throughput",
            BindingLimit::INSTANCE_IOPS => "instance IOPS",
            BindingLimit::INSTANCE_THROUGHPUT => "instance throughput",
            BindingLimit::Latency => "latency",
            BindingLimit::Cpu => "CPU",
            BindingLimit::Locks => "locks",
            BindingLimit::Clients => "clients",
            BindingLimit::OtherWaits => "other waits",
            BindingLimit::Credits => "burst credits",
            BindingLimit::Size => "volume size",
            BindingLimit::Unfit => "type unfit",
            BindingLimit::Unavailable => "type unavailable",
            BindingLimit::Durability => "durability",
            BindingLimit::ThroughputRatio => "throughput ratio",
            BindingLimit::Budget => "budget",
        }
    }

    /// The limited rate; `None` where no rate is limited.
    pub fn kind(self) -> Option<LimitKind> {
        match self {
            BindingLimit::Rate(_, kind) => Some(kind),
            _ => None,
        }
    }

    /// True for a limit of a rate of a volume, or of the instance.
    pub fn is_rate(self) -> bool {
        self.kind().is_some()
    }

    /// True for a limit of the instance, which no volume changes.
    pub fn is_instance(self) -> bool {
        matches!(self, BindingLimit::Rate(LimitOwner::Instance, _))
    }
}
