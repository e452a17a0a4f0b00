//! An offer to search: a class, a number of volumes, their prices, and the task.

use super::priced::Priced;
use super::task::Task;
use crate::requirement::grown_gib;
use ebs_aws::catalogue::{Class, Platform, VolumeConfig};
use ebs_aws::price::Tariff;

/// The smallest volume of a class with at least this size, these IOPS and these MiB/s, where RDS storage of `storage_gib` is modified.
pub(crate) fn least_order(
    class: &Class,
    storage_gib: Option<u64>,
    (size_gib, iops, mibps): (u64, u64, u64),
) -> Option<VolumeConfig> {
    let least = class.least_order(size_gib, iops, mibps)?;
    match grown_gib(storage_gib, least.size_gib) {
        same if same == least.size_gib => Some(least),
        grown => class.least_order(grown, iops, mibps),
    }
}

/// A class, a number of volumes, and their prices.
#[derive(Clone, Copy)]
pub(super) struct Offer<'a> {
    pub class: &'a Class,
    pub tariff: &'a Tariff,
    pub platform: Platform,
    pub volumes: u64,
    pub task: &'a Task<'a>,
}

impl Offer<'_> {
    pub fn priced(&self, config: VolumeConfig) -> Priced {
        Priced::new(VolumeConfig { platform: self.platform, ..config }, self.volumes, self.tariff)
    }

    /// The smallest volumes that one would order with at least this many IOPS and MiB/s each.
    pub fn smallest(&self, iops: u64, mibps: u64) -> Option<Priced> {
        self.least_order(self.size_gib(), iops, mibps).map(|config| self.priced(config))
    }

    /// Required size of each volume, GiB.
    pub fn size_gib(&self) -> u64 {
        self.task.requirement().size_gib.unwrap_or(1).max(1).div_ceil(self.volumes)
    }

    /// The smallest volume of this size at least, with at least this many IOPS and MiB/s.
    pub fn least_order(&self, size_gib: u64, iops: u64, mibps: u64) -> Option<VolumeConfig> {
        least_order(self.class, self.task.requirement().storage_gib, (size_gib, iops, mibps))
    }

    /// Size, GiB, that is ordered for at least this one; `None` where the class has none as large.
    pub fn ordered_gib(&self, size_gib: u64) -> Option<u64> {
        let ordered_gib = grown_gib(self.task.requirement().storage_gib, size_gib);
        (ordered_gib <= self.class.max_gib).then_some(ordered_gib)
    }

    pub fn is_feasible(&self, priced: &Priced) -> bool {
        self.task.is_feasible(self.class, &priced.config, self.volumes)
    }

    /// Lower bounds of IOPS and MiB/s of each volume, below which nothing is feasible.
    pub fn corner(&self) -> (u64, u64) {
        let (iops, mibps) = self.task.corner();
        (iops.div_ceil(self.volumes), mibps.div_ceil(self.volumes))
    }
}
