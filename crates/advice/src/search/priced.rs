//! Volumes with their price, and their order.

use ebs_aws::catalogue::VolumeConfig;
use ebs_aws::price::Bill;
use ebs_base::units::Usd;

/// Volumes with their price.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Priced {
    /// Each volume.
    pub config: VolumeConfig,
    /// Number of volumes, striped evenly.
    pub volumes: u64,
    /// All of them.
    pub bill: Bill,
}

/// Order of preference: the lower price, then fewer volumes, then the type that is preferred, then the smaller volume.
pub type Order = (Usd, u64, u8, VolumeConfig);

impl Priced {
    /// Its rank among others.
    pub fn order(&self) -> Order {
        (self.bill.total(), self.volumes, self.config.volume_type.preference(), self.config)
    }
}
