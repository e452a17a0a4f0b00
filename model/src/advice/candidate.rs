//! A candidate: volumes that could be ordered, and how they would have fared.

use super::Risk;
use crate::catalogue::VolumeConfig;
use crate::price::Bill;
use crate::replay::Outcome;

/// The limit that decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// What the price includes is enough.
    None,
    /// IOPS of the volume.
    VolumeIops,
    /// Throughput of the volume.
    VolumeThroughput,
    /// gp2's burst credits.
    Credits,
    /// IOPS of the instance.
    InstanceIops,
    /// Throughput of the instance.
    InstanceThroughput,
    /// Size of a volume.
    Size,
    /// Not performance: durability asked for.
    Durability,
    /// Not performance: the budget.
    Budget,
}

impl Bound {
    /// The words shown in `bound_by`.
    pub fn name(self) -> &'static str {
        match self {
            Bound::None => "none",
            Bound::VolumeIops => "volume IOPS",
            Bound::VolumeThroughput => "volume throughput",
            Bound::Credits => "burst credits",
            Bound::InstanceIops => "instance IOPS",
            Bound::InstanceThroughput => "instance throughput",
            Bound::Size => "volume size",
            Bound::Durability => "durability",
            Bound::Budget => "budget",
        }
    }
}

/// One row of `ebs_options`.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Each volume.
    pub config: VolumeConfig,
    /// How many, striped.
    pub volumes: u64,
    /// Price of all of them.
    pub bill: Bill,
    /// What the replay gave.
    pub outcome: Outcome,
    /// The limit that decides.
    pub bound: Bound,
    /// Whether it meets everything asked for.
    pub feasible: bool,
    /// Chance of regret.
    pub risk: Risk,
    /// In words: why this, or why not.
    pub reason: String,
}
