//! Legal combinations of size, IOPS and throughput, and the performance of a volume with these.

use super::ceiling::Ceiling;
use super::class::{Class, IopsRule, MibpsRule, Purpose, classes_of};
use super::{Platform, VolumeType};
use ebs_base::error::InputError;

/// One volume as it would be ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct VolumeConfig {
    /// Platform, which decides limits and prices.
    pub platform: Platform,
    /// Type.
    pub volume_type: VolumeType,
    /// Size, GiB.
    pub size_gib: u64,
    /// IOPS: provisioned, or what the size gives (gp2).
    pub iops: u64,
    /// MiB/s: provisioned, or what size or IOPS give.
    pub throughput_mibps: u64,
}

impl Ceiling {
    /// More than any volume or instance carries.
    pub const UNLIMITED: Ceiling = Ceiling { iops: 1e9, mibps: 1e9 };

    /// Each limit times a factor.
    pub fn times(self, factor: f64) -> Ceiling {
        Ceiling { iops: self.iops * factor, mibps: self.mibps * factor }
    }

    /// The tighter of two limits, figure by figure.
    pub fn min(self, other: Ceiling) -> Ceiling {
        Ceiling { iops: self.iops.min(other.iops), mibps: self.mibps.min(other.mibps) }
    }

    /// The looser of two limits, figure by figure.
    pub fn max(self, other: Ceiling) -> Ceiling {
        Ceiling { iops: self.iops.max(other.iops), mibps: self.mibps.max(other.mibps) }
    }
}

/// Reason for which a combination cannot be ordered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// The type is not sold on the platform.
    #[error("{volume_type} is not sold on {platform}")]
    NotSold {
        /// Type.
        volume_type: &'static str,
        /// Platform.
        platform: &'static str,
    },
    /// A figure is outside the type's range.
    #[error("{what} {value} is out of range for {volume_type}: {min} to {max}")]
    Range {
        /// `size_gib`, `iops` or `throughput_mibps`.
        what: &'static str,
        /// Type.
        volume_type: &'static str,
        /// The requested value.
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
    /// Too few IOPS for the size (RDS).
    #[error("{size_gib} GiB need at least {needed} IOPS on {volume_type}, not {iops}")]
    TooFewIops {
        /// Type.
        volume_type: &'static str,
        /// IOPS asked for.
        iops: u64,
        /// Size asked for.
        size_gib: u64,
        /// Fewest IOPS that are legal.
        needed: u64,
    },
    /// Too much throughput for the IOPS, where both are chosen.
    #[error("{mibps} MiB/s need at least {needed} IOPS on {volume_type} ({ratio} MiB/s per IOPS), not {iops}")]
    ThroughputPerIops {
        /// Type.
        volume_type: &'static str,
        /// The ratio.
        ratio: String,
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
        /// The figure from which it is derived: `100 GiB` (gp2), `5000 IOPS` (io1, io2).
        basis: String,
        /// The derived value.
        given: u64,
    },
}

/// The way out of an illegal combination.
const LEAVE_OUT: &str = "EBS sells only certain combinations of size, IOPS and throughput; leave out iops and \
                         throughput_mibps for what the type includes.";

impl ConfigError {
    /// The same error about arguments of other names.
    pub fn with_names(self, rename: impl Fn(&'static str) -> &'static str) -> ConfigError {
        match self {
            ConfigError::Range { what, volume_type, value, min, max } => {
                ConfigError::Range { what: rename(what), volume_type, value, min, max }
            }
            ConfigError::NotProvisioned { what, volume_type, basis, given } => {
                ConfigError::NotProvisioned { what: rename(what), volume_type, basis, given }
            }
            other => other,
        }
    }

    /// True where the message begins with the name of an argument, so that it says which volume is meant where several are.
    pub fn names_argument(&self) -> bool {
        matches!(self, ConfigError::Range { .. } | ConfigError::NotProvisioned { .. })
    }
}

impl From<ConfigError> for InputError {
    fn from(error: ConfigError) -> InputError {
        InputError::Illegal { reason: error.to_string(), remedy: LEAVE_OUT }
    }
}

impl Class {
    /// The least legal volume with at least this much of everything; `None` where the row has none.
    ///
    /// Every rule asks for more of one when another grows, so the least of each that meets the others is the least of all.
    pub fn least(&self, size_gib: u64, iops: u64, mibps: u64) -> Option<VolumeConfig> {
        let for_mibps = match (self.mibps_rule, self.iops_per_mibps) {
            (MibpsRule::Provisioned | MibpsRule::Iops, Some(each)) if mibps > self.min_mibps => {
                (mibps as f64 * each).ceil() as u64
            }
            _ => 0,
        };
        let iops = iops.max(for_mibps).max(self.min_iops);
        let for_iops = match (self.iops_rule, self.iops_per_gib) {
            // A figure that every size includes sets no minimum size.
            (IopsRule::Provisioned, Some(ratio)) if iops > self.free_iops.unwrap_or(0) => iops.div_ceil(ratio),
            (IopsRule::Size, Some(ratio)) if iops > self.min_iops => iops.div_ceil(ratio),
            _ => 0,
        };
        let for_size_mibps = match (self.mibps_rule, self.mibps_per_tib) {
            (MibpsRule::Size, Some(each)) if mibps > self.min_mibps => (mibps * 1_024).div_ceil(each),
            _ => 0,
        };
        let size_gib = size_gib.max(for_iops).max(for_size_mibps).max(self.min_gib);
        let iops = iops.max(self.iops_at_least(size_gib));
        let throughput_mibps = self.mibps_at_least(size_gib, iops).max(mibps);
        let legal =
            size_gib <= self.max_gib && iops <= self.max_iops && throughput_mibps <= self.mibps_at_most(size_gib, iops);
        let config = VolumeConfig {
            platform: self.platform,
            volume_type: self.volume_type,
            size_gib,
            iops: if self.iops_rule == IopsRule::Size { self.iops_at_most(size_gib) } else { iops },
            throughput_mibps,
        };
        legal.then_some(config)
    }
}

/// Step of IOPS in which volumes are ordered. A choice: the evidence is no more precise.
pub const IOPS_STEP: u64 = 100;

/// Step of MiB/s in which volumes are ordered. A choice, as [`IOPS_STEP`].
pub const MIBPS_STEP: u64 = 5;

impl Class {
    /// The least volume that one would order with at least this much of everything: IOPS that can be chosen are a multiple of
    /// [`IOPS_STEP`], MiB/s of [`MIBPS_STEP`], or the most that the volume's size and IOPS allow. `None` where the row has none.
    ///
    /// Rounding up keeps the size of [`Class::least`], and grows with what is required: it is the least of all such volumes.
    pub fn least_order(&self, size_gib: u64, iops: u64, mibps: u64) -> Option<VolumeConfig> {
        let least = self.least(size_gib, iops, mibps)?;
        let iops = least.iops.next_multiple_of(IOPS_STEP).min(self.iops_at_most(least.size_gib));
        let throughput_mibps = match self.mibps_rule {
            MibpsRule::Provisioned => {
                let allowed = self.mibps_at_most(least.size_gib, iops);
                least.throughput_mibps.next_multiple_of(MIBPS_STEP).min(allowed)
            }
            _ => self.mibps_at_least(least.size_gib, iops),
        };
        Some(VolumeConfig { iops, throughput_mibps, ..least })
    }
}

impl VolumeConfig {
    /// A volume of this type; IOPS and throughput left out mean what the type includes.
    pub fn new(
        platform: Platform,
        volume_type: VolumeType,
        size_gib: u64,
        iops: Option<u64>,
        mibps: Option<u64>,
    ) -> Result<Self, ConfigError> {
        let name = volume_type.name();
        let rows = || classes_of(platform, volume_type, Purpose::Any);
        let sizes = rows().fold((u64::MAX, 0), |(min, max), row| (min.min(row.min_gib), max.max(row.max_gib)));
        if sizes.1 == 0 {
            return Err(ConfigError::NotSold { volume_type: name, platform: platform.name() });
        }
        in_range("size_gib", name, size_gib, sizes)?;
        let of_size = || rows().filter(|row| (row.min_gib..=row.max_gib).contains(&size_gib));
        let given = of_size().map(|row| row.iops_at_least(size_gib)).min().unwrap_or(0);
        let iops = iops.unwrap_or(given);
        let row = of_size().find(|row| iops <= row.max_iops).or_else(|| of_size().last());
        let row = row.ok_or(ConfigError::NotSold { volume_type: name, platform: platform.name() })?;
        legal_iops(row, size_gib, (iops, given))?;
        let least = row.mibps_at_least(size_gib, iops);
        let throughput_mibps = mibps.unwrap_or(least);
        legal_mibps(row, size_gib, iops, throughput_mibps)?;
        Ok(VolumeConfig { platform, volume_type, size_gib, iops, throughput_mibps })
    }

    /// The same type at another size, GiB, with the IOPS and the throughput that are nearest to these there; `None` where the type has no
    /// such size.
    pub fn at_size(&self, size_gib: u64) -> Option<VolumeConfig> {
        let rows = || {
            let rows = classes_of(self.platform, self.volume_type, Purpose::Any);
            rows.filter(|row| (row.min_gib..=row.max_gib).contains(&size_gib))
        };
        let row = rows().find(|row| self.iops <= row.max_iops).or_else(|| rows().last())?;
        let least = row.iops_at_least(size_gib);
        let iops = match row.iops_rule {
            IopsRule::Provisioned => self.iops.clamp(least, row.iops_at_most(size_gib).max(least)),
            IopsRule::Size | IopsRule::Fixed => least,
        };
        let least = row.mibps_at_least(size_gib, iops);
        let throughput_mibps = match row.mibps_rule {
            MibpsRule::Provisioned => self.throughput_mibps.clamp(least, row.mibps_at_most(size_gib, iops).max(least)),
            _ => least,
        };
        Some(VolumeConfig { size_gib, iops, throughput_mibps, ..*self })
    }

    /// Combined sustained maximum of `volumes` of these.
    pub fn ceiling(&self, volumes: u64) -> Ceiling {
        Ceiling { iops: (self.iops * volumes) as f64, mibps: (self.throughput_mibps * volumes) as f64 }
    }

    /// The row of limits it is sold by; `None` for what is not sold.
    pub fn class(&self) -> Option<&'static Class> {
        let purposes = [Purpose::Any, Purpose::Log].into_iter();
        let mut rows = purposes.flat_map(|purpose| classes_of(self.platform, self.volume_type, purpose));
        rows.find(|row| {
            (row.min_gib..=row.max_gib).contains(&self.size_gib) && (row.min_iops..=row.max_iops).contains(&self.iops)
        })
    }
}

fn legal_iops(row: &Class, size_gib: u64, (iops, given): (u64, u64)) -> Result<(), ConfigError> {
    let volume_type = row.volume_type.name();
    match row.iops_rule {
        IopsRule::Size | IopsRule::Fixed => fixed("iops", volume_type, (iops, given), || format!("{size_gib} GiB")),
        IopsRule::Provisioned => {
            let fewest = given.min(row.min_iops);
            in_range("iops", volume_type, iops, (fewest, row.max_iops))?;
            if iops > row.iops_at_most(size_gib) {
                let ratio = row.iops_per_gib.unwrap_or(1);
                let needed = iops.div_ceil(ratio);
                return Err(ConfigError::IopsPerGib { volume_type, iops, size_gib, ratio, needed });
            }
            if iops < given {
                return Err(ConfigError::TooFewIops { volume_type, iops, size_gib, needed: given });
            }
            Ok(())
        }
    }
}

fn legal_mibps(row: &Class, size_gib: u64, iops: u64, mibps: u64) -> Result<(), ConfigError> {
    let volume_type = row.volume_type.name();
    if row.mibps_rule == MibpsRule::Provisioned {
        in_range("throughput_mibps", volume_type, mibps, (row.min_mibps, row.max_mibps))?;
        if mibps > row.mibps_at_most(size_gib, iops) {
            let each = row.iops_per_mibps.unwrap_or(f64::INFINITY);
            let (needed, ratio) = ((mibps as f64 * each).ceil() as u64, (1.0 / each).to_string());
            return Err(ConfigError::ThroughputPerIops { volume_type, ratio, mibps, iops, needed });
        }
        return Ok(());
    }
    let basis = || match row.mibps_rule {
        MibpsRule::Iops => format!("{iops} IOPS"),
        _ => format!("{size_gib} GiB"),
    };
    fixed("throughput_mibps", volume_type, (mibps, row.mibps_at_least(size_gib, iops)), basis)
}

fn in_range(
    what: &'static str,
    volume_type: &'static str,
    value: u64,
    (min, max): (u64, u64),
) -> Result<(), ConfigError> {
    if (min..=max).contains(&value) { Ok(()) } else { Err(ConfigError::Range { what, volume_type, value, min, max }) }
}

fn fixed(
    what: &'static str,
    volume_type: &'static str,
    (requested, given): (u64, u64),
    basis: impl Fn() -> String,
) -> Result<(), ConfigError> {
    if requested == given {
        Ok(())
    } else {
        Err(ConfigError::NotProvisioned { what, volume_type, basis: basis(), given })
    }
}

#[cfg(test)]
#[path = "config_tests.rs"]
mod tests;
