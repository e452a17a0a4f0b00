//! Resolves a requested volume into its limits and service times: those of the catalogue, or those given.

use std::fmt;

use ebs_aws::bucket::{Bucket, Burst};
use ebs_aws::catalogue::{Ceiling, ConfigError, Family, Platform, VolumeConfig, VolumeType, instance};
use ebs_base::error::within;
use ebs_base::units::KIB;

use crate::error::Error;
use crate::spec::{LimitSpec, VolumeSpec};
use crate::volume::{Accounting, Caps, Rate, ServiceTime, Settings};

/// Name of the volume type that AWS does not have.
const PLAIN: &str = "plain";
const DEFAULT_SSD_GIB: u64 = 100;
const DEFAULT_HDD_GIB: u64 = 500;
/// Times of service where none is published. Plain volumes: about that of general purpose SSDs. HDDs: a seek and half a turn at
/// 7,200 rpm.
const DEFAULT_PLAIN_MS: f64 = 0.5;
const DEFAULT_HDD_MS: f64 = 8.0;
/// Parameters that EBS does not publish. Measurements state them.
const DEFAULT_SIGMA: f64 = 0.2;
const DEFAULT_BURST_MS: f64 = 10.0;

/// A volume that AWS sells, or a plain one.
#[derive(Clone, Debug, PartialEq)]
pub struct ResolvedVolume {
    /// Name of its type.
    pub type_name: String,
    /// Size, in GiB.
    pub size_gib: u64,
    /// Limits and times.
    pub settings: Settings,
}

/// One line: `gp2 100 GiB, 300 IOPS (3000 with credits), 128 MiB/s, read 0.88 ms, write 0.91 ms`.
impl fmt::Display for ResolvedVolume {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Settings { volume, instance, service, burst_tolerance_s, accounting } = self.settings;
        write!(f, "{} {} GiB, {}", self.type_name, self.size_gib, format_caps(&volume))?;
        if accounting.whole_ios {
            write!(f, ", each I/O a MiB")?;
        }
        if instance != Caps::UNLIMITED {
            write!(f, ", instance {}", format_caps(&instance))?;
        }
        let ServiceTime { read_ms, write_ms, sigma } = service;
        write!(f, ", read {read_ms} ms, write {write_ms} ms, sigma {sigma}, burst {} ms", burst_tolerance_s * 1e3)
    }
}

fn format_caps(caps: &Caps) -> String {
    let format_rate = |rate: Rate, unit: &str, with_credits: Option<f64>| match (rate, with_credits) {
        (Rate::Unlimited, _) => format!("unlimited {unit}"),
        (Rate::Steady(rate), None) => format!("{rate:.0} {unit}"),
        (Rate::Steady(rate), Some(burst)) => format!("{rate:.0} {unit} ({burst:.0} with credits)"),
        (Rate::Burst(bucket), _) => format!("{:.0} {unit} ({:.0} with credits)", bucket.sustained(), bucket.burst()),
    };
    let (iops, mibps) = (caps.iops, caps.mibps);
    format!("{}, {}", format_rate(iops, "IOPS", None), format_rate(mibps, "MiB/s", caps.mibps_with_credits))
}

/// Resolves a requested volume. Refuses combinations that AWS does not sell, and values out of range.
pub fn resolve(spec: &VolumeSpec) -> Result<ResolvedVolume, Error> {
    let type_name = spec.volume_type.as_deref().unwrap_or(PLAIN).trim().to_ascii_lowercase();
    let volume_type = match type_name.as_str() {
        PLAIN => None,
        name => Some(parse_volume_type(name)?),
    };
    let hdd = volume_type.is_some_and(VolumeType::is_hdd);
    let size_gib = spec.size.unwrap_or(if hdd { DEFAULT_HDD_GIB } else { DEFAULT_SSD_GIB });
    let credits_pct = spec.credits.unwrap_or(100.0);
    let credit_share = in_range("--credits", credits_pct, (0.0, 100.0), "Per cent of what the bucket holds.")? / 100.0;
    let volume = match volume_type {
        None => plain_caps(spec, size_gib)?,
        Some(volume_type) => catalogue_caps(spec, volume_type, size_gib)?,
    };
    let instance = instance_caps(spec.instance.as_deref())?;
    if spec.credits.is_some() && !volume.has_credits() && !instance.has_credits() {
        return Err(Error::usage(format!("a {type_name} volume of {size_gib} GiB has no burst credits"))
            .hint("Small volumes whose IOPS follow their size, HDDs, and instances whose maximum is above their baseline have them."));
    }
    let io_kib = volume_type.map_or(256, |volume_type| volume_type.characteristics().io_kib);
    let service = service_time(spec, volume_type)?;
    let burst_ms = in_range("--burst-ms", spec.burst_ms.unwrap_or(DEFAULT_BURST_MS), (0.0, 10_000.0), "Milliseconds.")?;
    let settings = Settings {
        volume: volume.with_credit_share(credit_share),
        instance: instance.with_credit_share(credit_share),
        accounting: Accounting { io_bytes: io_kib * KIB, whole_ios: hdd },
        service,
        burst_tolerance_s: burst_ms / 1e3,
    };
    Ok(ResolvedVolume { type_name, size_gib, settings })
}

fn parse_volume_type(name: &str) -> Result<VolumeType, Error> {
    name.parse().ok().filter(is_emulated).ok_or_else(|| {
        Error::usage(format!("unknown volume type \"{name}\"")).hint(format!("Volume types are {}.", type_names()))
    })
}

/// True of EBS volumes with figures that AWS promises: of magnetic ones it promises none.
fn is_emulated(volume_type: &VolumeType) -> bool {
    match volume_type.family() {
        Family::GeneralPurpose | Family::ProvisionedIops | Family::ThroughputHdd | Family::ColdHdd => true,
        Family::Magnetic | Family::InstanceStore => false,
    }
}

/// Names of the types that are emulated: `gp2, gp3, plain`.
pub fn type_names() -> String {
    let names = VolumeType::ALL.into_iter().filter(is_emulated).map(VolumeType::name);
    names.chain([PLAIN]).collect::<Vec<_>>().join(", ")
}

fn plain_caps(spec: &VolumeSpec, size_gib: u64) -> Result<Caps, Error> {
    in_range("--size", size_gib as f64, (1.0, 65_536.0), "GiB.")?;
    let rate = |limit: Option<LimitSpec>| match limit {
        Some(LimitSpec::PerSecond(rate)) => Rate::Steady(rate as f64),
        Some(LimitSpec::Unlimited) | None => Rate::Unlimited,
    };
    Ok(Caps { iops: rate(spec.iops), mibps: rate(spec.throughput), mibps_with_credits: None })
}

fn catalogue_caps(spec: &VolumeSpec, volume_type: VolumeType, size_gib: u64) -> Result<Caps, Error> {
    let provisioned = |limit: Option<LimitSpec>| match limit {
        Some(LimitSpec::Unlimited) => Err(Error::usage(format!("no {} volume is unlimited", volume_type.name()))
            .hint("Type plain has no limits but those that are given.")),
        Some(LimitSpec::PerSecond(rate)) => Ok(Some(rate)),
        None => Ok(None),
    };
    let (iops, mibps) = (provisioned(spec.iops)?, provisioned(spec.throughput)?);
    let config = VolumeConfig::new(Platform::Ec2, volume_type, size_gib, iops, mibps)
        .map_err(|reason| not_sold(volume_type, &reason))?;
    let class = config.class().ok_or_else(|| Error::usage(format!("{} is not sold so", volume_type.name())))?;
    let steady = |ceiling: Ceiling| Caps {
        iops: Rate::Steady(ceiling.iops),
        mibps: Rate::Steady(ceiling.mibps),
        mibps_with_credits: None,
    };
    Ok(match Burst::new(class, &config, 1) {
        Burst::Never(ceiling) => steady(ceiling),
        Burst::Iops { bucket, mibps: (with, without) } => Caps {
            iops: Rate::Burst(bucket),
            mibps: Rate::Steady(without),
            mibps_with_credits: (with > without).then_some(with),
        },
        // Its I/Os count as 1 MiB each, so that its throughput limits both.
        Burst::Mibps(bucket) => Caps { iops: Rate::Unlimited, mibps: Rate::Burst(bucket), mibps_with_credits: None },
    })
}

fn not_sold(volume_type: VolumeType, reason: &ConfigError) -> Error {
    Error::usage(format!("AWS sells no such {} volume", volume_type.name()))
        .detail(format!("{reason}."))
        .hint("Leave out --iops and --throughput for what the type includes; type plain takes any.")
}

fn instance_caps(name: Option<&str>) -> Result<Caps, Error> {
    let Some(name) = name.filter(|name| *name != "none") else { return Ok(Caps::UNLIMITED) };
    let instance = instance(name).map_err(|error| Error::usage(error.to_string()).hint(error.hint()))?;
    let (baseline, maximum) = (instance.baseline(), instance.maximum());
    let rate = |baseline, maximum| match Bucket::of_instance(baseline, maximum) {
        Some(bucket) => Rate::Burst(bucket),
        None => Rate::Steady(baseline),
    };
    let (iops, mibps) = (rate(baseline.iops, maximum.iops), rate(baseline.mibps, maximum.mibps));
    Ok(Caps { iops, mibps, mibps_with_credits: None })
}

fn service_time(spec: &VolumeSpec, volume_type: Option<VolumeType>) -> Result<ServiceTime, Error> {
    let characteristics = volume_type.map(VolumeType::characteristics);
    let default_ms = if volume_type.is_some_and(VolumeType::is_hdd) { DEFAULT_HDD_MS } else { DEFAULT_PLAIN_MS };
    let read_ms = spec.read_ms.or(characteristics.and_then(|row| row.read_ms)).unwrap_or(default_ms);
    let write_ms = spec.write_ms.or(characteristics.and_then(|row| row.write_ms)).unwrap_or(default_ms);
    let sigma = spec.sigma.unwrap_or(DEFAULT_SIGMA);
    Ok(ServiceTime {
        read_ms: in_range("--read-ms", read_ms, (0.0, 10_000.0), "Milliseconds.")?,
        write_ms: in_range("--write-ms", write_ms, (0.0, 10_000.0), "Milliseconds.")?,
        sigma: in_range("--sigma", sigma, (0.0, 2.0), "0: every request takes the mean.")?,
    })
}

fn in_range(option: &'static str, value: f64, range: (f64, f64), meaning: &'static str) -> Result<f64, Error> {
    within(option, value, range, meaning).map_err(|error| Error::usage(error.to_string()).hint(error.hint()))
}

#[cfg(test)]
#[path = "resolve_tests.rs"]
mod tests;
