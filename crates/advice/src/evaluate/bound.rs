//! The limit that binds a candidate.

/// The limit that decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// None: the price includes enough.
    None,
    /// The same, and the sessions are busy computing: a faster volume buys little.
    Cpu,
    /// The same, and the sessions wait for each other's locks.
    Locks,
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
    /// Not performance: the type is never for a database.
    Unfit,
    /// Not performance: durability asked for.
    Durability,
    /// The latency asked for.
    Latency,
    /// The database's throughput asked for.
    ThroughputRatio,
    /// Not performance: the budget.
    Budget,
}

impl Bound {
    /// The words shown in `bound_by`.
    pub fn name(self) -> &'static str {
        match self {
            Bound::None => "none",
            Bound::Cpu => "CPU",
            Bound::Locks => "locks",
            Bound::VolumeIops => "volume IOPS",
            Bound::VolumeThroughput => "volume throughput",
            Bound::Credits => "burst credits",
            Bound::InstanceIops => "instance IOPS",
            Bound::InstanceThroughput => "instance throughput",
            Bound::Size => "volume size",
            Bound::Unfit => "type unfit",
            Bound::Durability => "durability",
            Bound::Latency => "latency",
            Bound::ThroughputRatio => "throughput ratio",
            Bound::Budget => "budget",
        }
    }
}
