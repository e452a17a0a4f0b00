//! Attributes of volumes that are ordered.

use ebs_aws::catalogue::{IopsRule, MibpsRule, Platform, VolumeConfig, VolumeType};
use ebs_fleet_row::Volumes;

/// Attributes as AWS's commands set them; `None` for an attribute that the type has no choice of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Settings {
    pub(super) volume_type: VolumeType,
    pub(super) size_gib: u64,
    pub(super) iops: Option<u64>,
    pub(super) throughput_mibps: Option<u64>,
}

impl Settings {
    /// Returns the attributes of volumes; `None` for a type that is not sold on the platform.
    pub(super) fn new(platform: Platform, volumes: &Volumes) -> Option<Settings> {
        let volume_type: VolumeType = volumes.volume_type.parse().ok()?;
        let Volumes { size_gib, iops, throughput_mibps, .. } = *volumes;
        let config = VolumeConfig { platform, volume_type, size_gib, iops, throughput_mibps };
        let class = config.class()?;
        let provisions_mibps = class.mibps_rule == MibpsRule::Provisioned && platform != Platform::RdsCluster;
        Some(Settings {
            volume_type,
            size_gib,
            iops: (class.iops_rule == IopsRule::Provisioned).then_some(iops),
            throughput_mibps: provisions_mibps.then_some(throughput_mibps),
        })
    }

    /// Returns the attributes of volumes of this size, with the limits that are nearest there; `None` for a type that is not sold with it.
    pub(super) fn at_size(platform: Platform, volumes: &Volumes, size_gib: u64) -> Option<Settings> {
        let volume_type: VolumeType = volumes.volume_type.parse().ok()?;
        let config = VolumeConfig {
            platform,
            volume_type,
            size_gib: volumes.size_gib,
            iops: volumes.iops,
            throughput_mibps: volumes.throughput_mibps,
        };
        let config = if size_gib == config.size_gib { config } else { config.at_size(size_gib)? };
        let VolumeConfig { iops, throughput_mibps, .. } = config;
        Settings::new(platform, &Volumes { size_gib, iops, throughput_mibps, ..volumes.clone() })
    }

    /// Returns the values in the order type, size, IOPS, throughput, as the AWS CLI prints them as text.
    pub(super) fn values(&self) -> String {
        let figures = [Some(self.size_gib), self.iops, self.throughput_mibps];
        let figures = figures.into_iter().flatten().map(|figure| format!(" {figure}"));
        std::iter::once(self.volume_type.name().to_owned()).chain(figures).collect()
    }
}
