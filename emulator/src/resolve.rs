//! From what was asked to what a volume does: the catalogue's limits and published times, or those given.

use std::fmt;

use ebs_advisor_model::bucket::{Bucket, Burst, is_hdd};
use ebs_advisor_model::catalogue::{Ceiling, Illegal, Platform, VolumeConfig, VolumeType, instance};
use ebs_advisor_model::error::within;
use ebs_advisor_model::units::KIB;

use crate::asked::{Asked, Quantity};
use crate::error::Error;
use crate::volume::{Accounting, Caps, Rate, ServiceTime, Settings};

/// The type that is none of AWS's.
pub const PLAIN: &str = "plain";
const SSD_GIB: u64 = 100;
const HDD_GIB: u64 = 500;
/// Of plain volumes, and of HDDs, for which nobody published a time: about what general purpose SSDs give, or a seek and half a
/// turn at 7,200 rpm.
const PLAIN_MS: f64 = 0.5;
const HDD_MS: f64 = 8.0;
/// EBS publishes neither; both are parameters, to be stated with what was measured.
const SIGMA: f64 = 0.2;
const BURST_MS: f64 = 10.0;

/// A volume that can be.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolved {
    /// Its type's name.
    pub type_name: String,
    /// Its size, GiB.
    pub size_gib: u64,
    /// What it does.
    pub settings: Settings,
}

/// One line: `gp2 100 GiB, 300 IOPS (3000 with credits), 128 MiB/s, read 0.88 ms, write 0.91 ms`.
impl fmt::Display for Resolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Settings { volume, instance, service, tolerance_s, accounting } = self.settings;
        write!(f, "{} {} GiB, {}", self.type_name, self.size_gib, limits(&volume))?;
        if accounting.whole {
            write!(f, ", each I/O a MiB")?;
        }
        if instance != Caps::NONE {
            write!(f, ", instance {}", limits(&instance))?;
        }
        let ServiceTime { read_ms, write_ms, sigma } = service;
        write!(f, ", read {read_ms} ms, write {write_ms} ms, sigma {sigma}, burst {} ms", tolerance_s * 1e3)
    }
}

fn limits(caps: &Caps) -> String {
    let one = |rate: Rate, unit: &str, coupled: Option<f64>| match (rate, coupled) {
        (Rate::Unlimited, _) => format!("unlimited {unit}"),
        (Rate::Steady(rate), None) => format!("{rate:.0} {unit}"),
        (Rate::Steady(rate), Some(most)) => format!("{rate:.0} {unit} ({most:.0} with credits)"),
        (Rate::Burst(bucket), _) => format!("{:.0} {unit} ({:.0} with credits)", bucket.sustained(), bucket.burst()),
    };
    format!("{}, {}", one(caps.iops, "IOPS", None), one(caps.mibps, "MiB/s", caps.mibps_with_credits))
}

/// Refuses what AWS does not sell, and what is out of range.
pub fn resolve(asked: &Asked) -> Result<Resolved, Error> {
    let type_name = asked.volume_type.as_deref().unwrap_or(PLAIN).trim().to_ascii_lowercase();
    let known = match type_name.as_str() {
        PLAIN => None,
        name => Some(volume_type(name)?),
    };
    let hdd = known.is_some_and(is_hdd);
    let size_gib = asked.size.unwrap_or(if hdd { HDD_GIB } else { SSD_GIB });
    let share =
        in_range("--credits", asked.credits.unwrap_or(100.0), (0.0, 100.0), "Per cent of what the bucket holds.")?
            / 100.0;
    let volume = match known {
        None => plain(asked, size_gib)?,
        Some(volume_type) => of_catalogue(asked, volume_type, size_gib)?,
    };
    let instance = of_instance(asked.instance.as_deref())?;
    let has_credits =
        [volume.iops, volume.mibps, instance.iops, instance.mibps].iter().any(|rate| matches!(rate, Rate::Burst(_)));
    if asked.credits.is_some() && !has_credits {
        return Err(Error::usage(format!("a {type_name} volume of {size_gib} GiB has no burst credits"))
            .hint("gp2 below 1,000 GiB, st1, sc1 and instances whose maximum is above their baseline have them."));
    }
    let io_kib = known.map_or(256, |known| known.promise().io_kib);
    let settings = Settings {
        volume: filled(volume, share),
        instance: filled(instance, share),
        accounting: Accounting { io_bytes: io_kib * KIB, whole: hdd },
        service: service(asked, known)?,
        tolerance_s: in_range("--burst-ms", asked.burst_ms.unwrap_or(BURST_MS), (0.0, 10_000.0), "Milliseconds.")?
            / 1e3,
    };
    Ok(Resolved { type_name, size_gib, settings })
}

fn volume_type(name: &str) -> Result<VolumeType, Error> {
    let emulated = |known: &VolumeType| !matches!(known, VolumeType::Standard | VolumeType::InstanceStore);
    name.parse::<VolumeType>().ok().filter(emulated).ok_or_else(|| {
        let all: Vec<_> = VolumeType::ALL.iter().filter(|known| emulated(known)).map(|known| known.name()).collect();
        Error::usage(format!("unknown volume type \"{name}\""))
            .hint(format!("Volume types are {}, {PLAIN}.", all.join(", ")))
    })
}

fn plain(asked: &Asked, size_gib: u64) -> Result<Caps, Error> {
    in_range("--size", size_gib as f64, (1.0, 65_536.0), "GiB.")?;
    let rate = |quantity: Option<Quantity>| match quantity {
        Some(Quantity::Of(rate)) => Rate::Steady(rate as f64),
        Some(Quantity::Unlimited) | None => Rate::Unlimited,
    };
    Ok(Caps { iops: rate(asked.iops), mibps: rate(asked.throughput), mibps_with_credits: None })
}

fn of_catalogue(asked: &Asked, volume_type: VolumeType, size_gib: u64) -> Result<Caps, Error> {
    let chosen = |quantity: Option<Quantity>| match quantity {
        Some(Quantity::Unlimited) => Err(Error::usage(format!("no {} volume is unlimited", volume_type.name()))
            .hint("Type plain has no limits but those that are given.")),
        Some(Quantity::Of(rate)) => Ok(Some(rate)),
        None => Ok(None),
    };
    let (iops, mibps) = (chosen(asked.iops)?, chosen(asked.throughput)?);
    let config = VolumeConfig::new(Platform::Ec2, volume_type, size_gib, iops, mibps)
        .map_err(|why| refused(volume_type, &why))?;
    let class = config.class().ok_or_else(|| Error::usage(format!("{} is not sold so", volume_type.name())))?;
    let steady = |ceiling: Ceiling| Caps {
        iops: Rate::Steady(ceiling.iops),
        mibps: Rate::Steady(ceiling.mibps),
        mibps_with_credits: None,
    };
    Ok(match Burst::of(class, &config, 1) {
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

fn refused(volume_type: VolumeType, why: &Illegal) -> Error {
    Error::usage(format!("AWS sells no such {} volume", volume_type.name()))
        .detail(format!("{why}."))
        .hint("Leave out --iops and --throughput for what the type includes; type plain takes any.")
}

fn of_instance(name: Option<&str>) -> Result<Caps, Error> {
    let Some(name) = name.filter(|name| *name != "none") else { return Ok(Caps::NONE) };
    let found = instance(name).map_err(|refusal| Error::usage(refusal.to_string()).hint(refusal.hint()))?;
    let (baseline, maximum) = (found.baseline(), found.maximum());
    let rate = |baseline, maximum| match Bucket::of_instance(baseline, maximum) {
        Some(bucket) => Rate::Burst(bucket),
        None => Rate::Steady(baseline),
    };
    let (iops, mibps) = (rate(baseline.iops, maximum.iops), rate(baseline.mibps, maximum.mibps));
    Ok(Caps { iops, mibps, mibps_with_credits: None })
}

fn filled(caps: Caps, share: f64) -> Caps {
    let fill = |rate| match rate {
        Rate::Burst(bucket) => Rate::Burst(bucket.filled(share)),
        rate => rate,
    };
    Caps { iops: fill(caps.iops), mibps: fill(caps.mibps), ..caps }
}

fn service(asked: &Asked, known: Option<VolumeType>) -> Result<ServiceTime, Error> {
    let promise = known.map(VolumeType::promise);
    let otherwise = if known.is_some_and(is_hdd) { HDD_MS } else { PLAIN_MS };
    let read_ms = asked.read_ms.or(promise.and_then(|promise| promise.read_ms)).unwrap_or(otherwise);
    let write_ms = asked.write_ms.or(promise.and_then(|promise| promise.write_ms)).unwrap_or(otherwise);
    Ok(ServiceTime {
        read_ms: in_range("--read-ms", read_ms, (0.0, 10_000.0), "Milliseconds.")?,
        write_ms: in_range("--write-ms", write_ms, (0.0, 10_000.0), "Milliseconds.")?,
        sigma: in_range("--sigma", asked.sigma.unwrap_or(SIGMA), (0.0, 2.0), "0: every request takes the mean.")?,
    })
}

fn in_range(option: &'static str, value: f64, range: (f64, f64), meaning: &'static str) -> Result<f64, Error> {
    within(option, value, range, meaning).map_err(|refusal| Error::usage(refusal.to_string()).hint(refusal.hint()))
}

#[cfg(test)]
#[path = "resolve_tests.rs"]
mod tests;
