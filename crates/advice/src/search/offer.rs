//! A class as it is searched: number of volumes, prices, and the task.

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
        let bill = self.tariff.bill(config.size_gib, config.iops, config.throughput_mibps, self.volumes);
        Priced { config: VolumeConfig { platform: self.platform, ..config }, volumes: self.volumes, bill }
    }

    /// The least legal volume with at least this much.
    pub fn least(&self, iops: u64, mibps: u64) -> Option<Priced> {
        self.class.least(self.size_gib(), iops, mibps).map(|config| self.priced(config))
    }

    /// GiB that each volume needs.
    pub fn size_gib(&self) -> u64 {
        self.task.need().size_gib.unwrap_or(1).max(1).div_ceil(self.volumes)
    }

    pub fn carried(&self, found: &Priced) -> bool {
        self.task.carried(self.class, &found.config, self.volumes)
    }

    /// Lower bounds of IOPS and MiB/s of each volume, below which nothing is feasible.
    pub fn corner(&self) -> (u64, u64) {
        let (iops, mibps) = self.task.alone();
        (iops.div_ceil(self.volumes), mibps.div_ceil(self.volumes))
    }
}
