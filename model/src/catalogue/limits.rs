//! Legal combinations: what can be provisioned together, and what a volume so provisioned can do.

use super::VolumeType;

/// One volume as it would be ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct VolumeConfig {
    /// Type.
    pub volume_type: VolumeType,
    /// Size, GiB.
    pub size_gib: u64,
    /// IOPS: provisioned, or what the size gives (gp2).
    pub iops: u64,
    /// MiB/s: provisioned, or what size or IOPS give (gp2, io1, io2).
    pub throughput_mibps: u64,
}

/// What a volume can do without end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ceiling {
    /// I/Os per second, as EBS counts them.
    pub iops: f64,
    /// MiB per second.
    pub mibps: f64,
}

/// Why a combination cannot be ordered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// Outside the type's range.
    #[error("{what} {value} is out of range for {volume_type}: {min} to {max}")]
    Range {
        /// `size_gib`, `iops` or `throughput_mibps`.
        what: &'static str,
        /// Type.
        volume_type: &'static str,
        /// What was asked for.
        value: u64,
        /// Least accepted.
        min: u64,
        /// Most accepted.
        max: u64,
    },
    /// Too many IOPS for the size.
    #[error("{iops} IOPS need at least {needed} GiB on {volume_type} ({ratio} IOPS per GiB), not {size_gib}")]
    IopsPerGib {
        /// Type.
        volume_type: &'static str,
        /// IOPS asked for.
        iops: u64,
        /// Size asked for.
        size_gib: u64,
        /// The ratio.
        ratio: u64,
        /// Smallest size that is legal.
        needed: u64,
    },
    /// Too much throughput for the IOPS (gp3).
    #[error("{mibps} MiB/s need at least {needed} IOPS on gp3 (0.25 MiB/s per IOPS), not {iops}")]
    ThroughputPerIops {
        /// Throughput asked for.
        mibps: u64,
        /// IOPS asked for.
        iops: u64,
        /// Fewest IOPS that are legal.
        needed: u64,
    },
    /// IOPS or throughput named for a type that derives them.
    #[error("{what} of {volume_type} cannot be chosen: {basis} give {given}")]
    NotProvisioned {
        /// `iops` or `throughput_mibps`.
        what: &'static str,
        /// Type.
        volume_type: &'static str,
        /// What it follows from: `100 GiB` (gp2), `5000 IOPS` (io1, io2).
        basis: String,
        /// What it is.
        given: u64,
    },
}

/// IOPS and MiB/s that gp3's price includes.
pub const GP3_INCLUDED: (u64, u64) = (3_000, 125);
/// gp3: IOPS a GiB can carry, and IOPS that one MiB/s takes (0.25 MiB/s per IOPS).
pub(crate) const GP3_IOPS_PER_GIB: u64 = 500;
pub(crate) const GP3_IOPS_PER_MIBPS: u64 = 4;
/// gp2: IOPS a GiB gives, and the size from which 250 MiB/s are given whatever the credits.
pub(crate) const GP2_IOPS_PER_GIB: u64 = 3;
pub(crate) const GP2_FULL_THROUGHPUT_GIB: u64 = 334;
pub(crate) const GP2_MIBPS: (u64, u64) = (128, 250);

impl VolumeType {
    /// IOPS that one GiB allows, where IOPS are provisioned.
    pub fn iops_per_gib(self) -> u64 {
        match self {
            VolumeType::Gp2 => GP2_IOPS_PER_GIB,
            VolumeType::Gp3 => GP3_IOPS_PER_GIB,
            VolumeType::Io1 => 50,
            VolumeType::Io2 => 1_000,
        }
    }

    /// IOPS a volume has when none are named: gp2's baseline of its size, otherwise the fewest there are.
    pub fn default_iops(self, size_gib: u64) -> u64 {
        let spec = self.spec();
        match self {
            VolumeType::Gp2 => (GP2_IOPS_PER_GIB * size_gib).clamp(spec.min_iops, spec.max_iops),
            _ => spec.min_iops,
        }
    }

    /// MiB/s a volume has when none are named: what its size (gp2) or its IOPS (io1, io2) give without end.
    pub fn default_mibps(self, size_gib: u64, iops: u64) -> u64 {
        match self {
            VolumeType::Gp2 if size_gib >= GP2_FULL_THROUGHPUT_GIB => GP2_MIBPS.1,
            VolumeType::Gp2 => GP2_MIBPS.0,
            VolumeType::Gp3 => GP3_INCLUDED.1,
            // 256 KiB an I/O up to 500 MiB/s; above 32,000 IOPS 16 KiB an I/O.
            VolumeType::Io1 if iops <= 32_000 => (iops / 4).clamp(1, 500),
            VolumeType::Io1 => (iops / 64).min(1_000),
            VolumeType::Io2 => (iops * 256 / 1_000).min(4_000),
        }
    }
}

impl VolumeConfig {
    /// A volume of this type; IOPS and throughput left out mean what the type includes.
    pub fn new(volume_type: VolumeType, size_gib: u64, iops: Option<u64>, mibps: Option<u64>) -> Result<Self, Illegal> {
        let spec = volume_type.spec();
        let name = volume_type.name();
        in_range("size_gib", name, size_gib, spec.min_gib, spec.max_gib)?;
        let default_iops = volume_type.default_iops(size_gib);
        let iops = iops.unwrap_or(default_iops);
        in_range("iops", name, iops, spec.min_iops, spec.max_iops)?;
        if volume_type == VolumeType::Gp2 {
            fixed("iops", name, (iops, default_iops), || format!("{size_gib} GiB"))?;
        } else {
            iops_fit(volume_type, size_gib, iops)?;
        }
        let default_mibps = volume_type.default_mibps(size_gib, iops);
        let throughput_mibps = mibps.unwrap_or(default_mibps);
        if volume_type == VolumeType::Gp3 {
            in_range("throughput_mibps", name, throughput_mibps, GP3_INCLUDED.1, spec.max_mibps)?;
            let needed = throughput_mibps * GP3_IOPS_PER_MIBPS;
            if needed > iops {
                return Err(Illegal::ThroughputPerIops { mibps: throughput_mibps, iops, needed });
            }
        } else {
            let basis = || match volume_type {
                VolumeType::Gp2 => format!("{size_gib} GiB"),
                _ => format!("{iops} IOPS"),
            };
            fixed("throughput_mibps", name, (throughput_mibps, default_mibps), basis)?;
        }
        Ok(VolumeConfig { volume_type, size_gib, iops, throughput_mibps })
    }

    /// What `volumes` of these do together, without end.
    pub fn ceiling(&self, volumes: u64) -> Ceiling {
        Ceiling { iops: (self.iops * volumes) as f64, mibps: (self.throughput_mibps * volumes) as f64 }
    }
}

fn in_range(what: &'static str, volume_type: &'static str, value: u64, min: u64, max: u64) -> Result<(), Illegal> {
    if (min..=max).contains(&value) { Ok(()) } else { Err(Illegal::Range { what, volume_type, value, min, max }) }
}

fn fixed(
    what: &'static str,
    volume_type: &'static str,
    (asked, given): (u64, u64),
    basis: impl Fn() -> String,
) -> Result<(), Illegal> {
    if asked == given { Ok(()) } else { Err(Illegal::NotProvisioned { what, volume_type, basis: basis(), given }) }
}

fn iops_fit(volume_type: VolumeType, size_gib: u64, iops: u64) -> Result<(), Illegal> {
    let ratio = volume_type.iops_per_gib();
    // The included 3,000 of gp3 and the least of the others are given at any size.
    if iops <= (ratio * size_gib).max(volume_type.spec().min_iops) {
        return Ok(());
    }
    let needed = iops.div_ceil(ratio);
    Err(Illegal::IopsPerGib { volume_type: volume_type.name(), iops, size_gib, ratio, needed })
}

#[cfg(test)]
#[path = "limits_tests.rs"]
mod tests;
