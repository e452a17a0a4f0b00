//! Arguments that describe a volume: type, size, IOPS, throughput, number.

use ebs_aws::catalogue::{ConfigError, Platform, VolumeConfig, VolumeType};
use ebs_base::error::{InputError, within};
use pgrx::PgSqlErrorCode;

use crate::errors::Error;

/// Largest size, IOPS and throughput that are checked against the catalogue.
const MAX_COUNT: f64 = 1e7;

/// Checks the argument `volumes`.
pub fn volume_count(volumes: Option<i32>) -> Result<u64, Error> {
    let count = within("volumes", f64::from(volumes.unwrap_or(1)), (1.0, 10_000.0), "A number of equal volumes.");
    Ok(count? as u64)
}

/// Checks the configuration of one volume; IOPS and throughput that are left out are those that the type includes.
pub fn volume_config(
    platform: Platform,
    volume_type: Option<&str>,
    size_gib: Option<i64>,
    iops: Option<i64>,
    throughput_mibps: Option<i64>,
) -> Result<VolumeConfig, Error> {
    let volume_type: VolumeType = volume_type.unwrap_or_default().parse()?;
    let count = |argument: &'static str, value: i64| {
        within(argument, value as f64, (1.0, MAX_COUNT), "GiB, IOPS and MiB/s are whole numbers.").map(|v| v as u64)
    };
    let size_gib = size_gib.ok_or_else(|| {
        let hint = "For example: size_gib => 1024.";
        Error::new(PgSqlErrorCode::ERRCODE_NULL_VALUE_NOT_ALLOWED, "size_gib must not be null", hint)
    })?;
    let size_gib = count("size_gib", size_gib)?;
    let iops = iops.map(|value| count("iops", value)).transpose()?;
    let mibps = throughput_mibps.map(|value| count("throughput_mibps", value)).transpose()?;
    let config = VolumeConfig::new(platform, volume_type, size_gib, iops, mibps);
    config.map_err(|error: ConfigError| Error::from(InputError::from(error)))
}
