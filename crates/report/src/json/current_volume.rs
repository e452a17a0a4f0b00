//! Volumes of one kind.

use ebs_aws::catalogue::VolumeConfig;
use serde::Serialize;

/// Volumes of one kind.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct CurrentVolume {
    /// `gp2`, `gp3`, `io1`, `io2`, `st1`, `sc1` or `standard`.
    volume_type: &'static str,
    /// Number of volumes.
    volumes: u64,
    /// Size of each volume, GiB.
    size_gib: u64,
    /// I/O operations a second of each volume.
    iops: u64,
    /// MiB/s of each volume.
    throughput_mibps: u64,
}

impl From<&(VolumeConfig, u64)> for CurrentVolume {
    fn from((config, volumes): &(VolumeConfig, u64)) -> CurrentVolume {
        CurrentVolume {
            volume_type: config.volume_type.name(),
            volumes: *volumes,
            size_gib: config.size_gib,
            iops: config.iops,
            throughput_mibps: config.throughput_mibps,
        }
    }
}
