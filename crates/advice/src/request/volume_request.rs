//! Volumes of a what-if as requested: the type, and what is left open.

use ebs_aws::catalogue::{Class, Platform, Purpose, VolumeConfig, VolumeType, classes_of};
use ebs_base::error::{InputError, within};

/// One volume, with the limits that were requested; omitted ones are those that the type includes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VolumeRequest {
    /// Its type.
    pub volume_type: VolumeType,
    /// IOPS.
    pub iops: Option<u64>,
    /// MiB/s.
    pub throughput_mibps: Option<u64>,
    /// GiB.
    pub size_gib: Option<u64>,
}

/// Names of the arguments for a volume, for errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArgumentNames {
    iops: &'static str,
    throughput_mibps: &'static str,
    size_gib: &'static str,
    /// The argument that stands for the volume.
    volume: &'static str,
}

/// Names of the arguments for the data's volumes.
pub const DATA_NAMES: ArgumentNames =
    ArgumentNames { iops: "iops", throughput_mibps: "throughput_mibps", size_gib: "size_gib", volume: "volume_type" };

/// Names of the arguments for a volume of WAL's own.
pub const WAL_NAMES: ArgumentNames = ArgumentNames {
    iops: "wal_iops",
    throughput_mibps: "wal_throughput_mibps",
    size_gib: "wal_size_gib",
    volume: "wal_volume",
};

/// The way out of an illegal combination for WAL's volume.
const WAL_LEAVE_OUT: &str = "EBS sells only certain combinations of size, IOPS and throughput; leave out \
                             wal_throughput_mibps, and wal_iops where the price of wal_volume includes some, for what the \
                             type includes.";

impl VolumeRequest {
    /// Checks the figures of a volume: IOPS, MiB/s and GiB as written.
    pub fn check(
        volume_type: VolumeType,
        [iops, throughput_mibps, size_gib]: [Option<i64>; 3],
        names: ArgumentNames,
    ) -> Result<VolumeRequest, InputError> {
        let whole = |argument, value: Option<i64>| {
            let checked = |value| within(argument, value as f64, (1.0, 1e7), "GiB, IOPS and MiB/s are whole numbers.");
            value.map(checked).transpose().map(|value| value.map(|value| value as u64))
        };
        Ok(VolumeRequest {
            volume_type,
            iops: whole(names.iops, iops)?,
            throughput_mibps: whole(names.throughput_mibps, throughput_mibps)?,
            size_gib: whole(names.size_gib, size_gib)?,
        })
    }

    /// Completes the volume. An omitted size is the smallest from `min_gib` on that is sold with the requested limits.
    pub fn config(
        &self,
        platform: Platform,
        min_gib: Option<u64>,
        names: ArgumentNames,
    ) -> Result<VolumeConfig, InputError> {
        let new = |size_gib| VolumeConfig::new(platform, self.volume_type, size_gib, self.iops, self.throughput_mibps);
        let size_gib = self.size_gib.unwrap_or_else(|| {
            let min_gib = min_gib.unwrap_or(1);
            let (iops, mibps) = (self.iops.unwrap_or(0), self.throughput_mibps.unwrap_or(0));
            let smallest = |class: &Class| class.least(min_gib, iops, mibps);
            let sold = classes_of(platform, self.volume_type, Purpose::Any).filter_map(smallest);
            let legal = sold.map(|config| config.size_gib).filter(|size_gib| new(*size_gib).is_ok());
            // No size is legal: the largest, which limits nothing, has the other argument refused and not a size that was not given.
            let largest = || classes_of(platform, self.volume_type, Purpose::Any).map(|class| class.max_gib);
            legal.min().or_else(|| largest().max()).unwrap_or(min_gib)
        });
        let rename = |what| match what {
            "iops" => names.iops,
            "throughput_mibps" => names.throughput_mibps,
            "size_gib" => names.size_gib,
            other => other,
        };
        new(size_gib).map_err(|error| {
            let error = error.with_names(rename);
            if names == DATA_NAMES {
                return InputError::from(error);
            }
            // A call with two volumes says of which the figures are.
            let volume = if error.names_argument() { String::new() } else { format!("{}: ", names.volume) };
            InputError::Illegal { reason: format!("{volume}{error}"), remedy: WAL_LEAVE_OUT }
        })
    }
}
