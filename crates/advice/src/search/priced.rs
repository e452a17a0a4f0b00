//! Volumes with their price, and their order.

use ebs_aws::catalogue::VolumeConfig;
use ebs_aws::price::{Bill, Tariff};
use ebs_base::units::Usd;

/// Volumes with their price.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Priced {
    /// Each volume.
    pub config: VolumeConfig,
    /// Number of volumes, striped evenly.
    pub volumes: u64,
    /// Price of all of them.
    pub bill: Bill,
}

/// Sort key of the preference: the lower price, then fewer volumes, then the preferred type, then the smaller volume.
pub type Order = (Usd, u64, u8, VolumeConfig);

impl Priced {
    /// Prices so many volumes by a tariff.
    pub fn new(config: VolumeConfig, volumes: u64, tariff: &Tariff) -> Priced {
        Priced { config, volumes, bill: tariff.bill(config.size_gib, config.iops, config.throughput_mibps, volumes) }
    }

    /// Sort key of the preference.
    pub fn order(&self) -> Order {
        (self.bill.total(), self.volumes, self.config.volume_type.preference(), self.config)
    }
}
