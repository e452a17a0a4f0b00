//! An offer to search: a class, a number of volumes, their prices, and the task.

use super::priced::Priced;
use super::task::Task;
use ebs_aws::catalogue::{Class, Platform, VolumeConfig};
use ebs_aws::price::Tariff;

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
        self.class.least_order(self.size_gib(), iops, mibps).map(|config| self.priced(config))
    }

    /// Required size of each volume, GiB.
    pub fn size_gib(&self) -> u64 {
        self.task.requirement().size_gib.unwrap_or(1).max(1).div_ceil(self.volumes)
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
