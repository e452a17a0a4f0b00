//! Volumes of one kind.

use ebs_aws::catalogue::VolumeConfig;
use ebs_base::object;

object! {
    /// Volumes of one kind.
    pub(super) struct CurrentVolume((config, volumes): &(VolumeConfig, u64)) {
        /// Volume type, by AWS's name for it.
        volume_type: &'static str = config.volume_type.name(),
        /// Number of volumes.
        volumes: u64 = *volumes,
        /// Size of each volume, GiB.
        size_gib: u64 = config.size_gib,
        /// I/O operations a second of each volume.
        iops: u64 = config.iops,
        /// MiB/s of each volume.
        throughput_mibps: u64 = config.throughput_mibps,
    }
}
