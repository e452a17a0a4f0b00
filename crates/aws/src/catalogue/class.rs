//! Classes: what AWS sells of a volume type, a row for each range in which the same rules hold.

use std::sync::OnceLock;

use serde::Deserialize;

use super::ceiling::Ceiling;
use super::{Platform, VolumeType};

/// Rule that gives the IOPS of a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum IopsRule {
    /// Chosen, within a ratio to the size.
    Provisioned,
    /// Derived from the size.
    Size,
    /// Always the same.
    Fixed,
}

/// Rule that gives the throughput of a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MibpsRule {
    /// Chosen, within a ratio to the IOPS.
    Provisioned,
    /// Derived from the IOPS.
    Iops,
    /// Derived from the size.
    Size,
    /// Always the same.
    Fixed,
}

/// Permitted use of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    /// Anything.
    Any,
    /// RDS's dedicated log volume: WAL alone.
    Log,
}

/// One row of `crates/aws/data/volume_limits.csv`; its heading says what each column means.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Class {
    /// `ec2`, `outposts` or `rds`.
    #[serde(deserialize_with = "parsed")]
    pub platform: Platform,
    /// Type.
    pub volume_type: VolumeType,
    /// Permitted use.
    pub purpose: Purpose,
    /// Smallest volume of this row, GiB.
    pub min_gib: u64,
    /// Largest.
    pub max_gib: u64,
    /// Volumes that RDS stripes; the figures are of all together.
    pub stripes: u64,
    /// Rule that gives the IOPS.
    pub iops_rule: IopsRule,
    /// Fewest IOPS.
    pub min_iops: u64,
    /// Most IOPS.
    pub max_iops: u64,
    /// IOPS that a volume of any size may have, where IOPS are chosen.
    pub free_iops: Option<u64>,
    /// IOPS a GiB carries.
    pub iops_per_gib: Option<u64>,
    /// GiB that one IOPS must carry at least: RDS refuses fewer than half an IOPS a GiB.
    pub gib_per_iops: Option<u64>,
    /// Rule that gives the throughput.
    pub mibps_rule: MibpsRule,
    /// Least MiB/s.
    pub min_mibps: u64,
    /// Most MiB/s.
    pub max_mibps: u64,
    /// IOPS for one MiB/s.
    pub iops_per_mibps: Option<f64>,
    /// MiB/s for each TiB.
    pub mibps_per_tib: Option<u64>,
    /// IOPS while there are credits.
    pub burst_iops: Option<u64>,
    /// MiB/s while there are credits, at most.
    pub burst_mibps: Option<u64>,
    /// MiB/s while there are credits, for each TiB.
    pub burst_mibps_per_tib: Option<u64>,
    /// Key of the page that publishes the row, in the table's heading.
    pub source: String,
    /// Day on which that page was read.
    pub as_of: String,
}

fn parsed<'de, D: serde::Deserializer<'de>>(field: D) -> Result<Platform, D::Error> {
    String::deserialize(field)?.parse().map_err(serde::de::Error::custom)
}

/// The rows of the table.
pub fn classes() -> &'static [Class] {
    static TABLE: OnceLock<Vec<Class>> = OnceLock::new();
    TABLE.get_or_init(|| {
        // A row that cannot be read is left out rather than taking a backend down; a test counts the rows.
        let text = include_str!("../../data/volume_limits.csv");
        let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
        reader.deserialize().flatten().collect()
    })
}

/// The rows that hold on a platform for a type.
pub fn classes_of(
    platform: Platform,
    volume_type: VolumeType,
    purpose: Purpose,
) -> impl Iterator<Item = &'static Class> {
    let limits = platform.limits_of();
    classes()
        .iter()
        .filter(move |row| row.platform == limits && row.volume_type == volume_type && row.purpose == purpose)
}

impl Class {
    /// Most IOPS a volume of this size has.
    pub fn iops_at_most(&self, size_gib: u64) -> u64 {
        match (self.iops_rule, self.iops_per_gib) {
            (IopsRule::Fixed, _) | (_, None) => self.min_iops,
            (IopsRule::Size, Some(ratio)) => (ratio * size_gib).clamp(self.min_iops, self.max_iops),
            (_, Some(ratio)) => (ratio * size_gib).max(self.free_iops.unwrap_or(0)).min(self.max_iops),
        }
    }

    /// Fewest IOPS a volume of this size has.
    pub fn iops_at_least(&self, size_gib: u64) -> u64 {
        match (self.iops_rule, self.gib_per_iops) {
            (IopsRule::Size, _) => self.iops_at_most(size_gib),
            (_, Some(most)) => self.min_iops.max(size_gib.div_ceil(most)),
            (_, None) => self.min_iops,
        }
    }

    /// Least MiB/s a volume of this size with these IOPS has; where throughput is not chosen, what it has.
    pub fn mibps_at_least(&self, size_gib: u64, iops: u64) -> u64 {
        match self.mibps_rule {
            MibpsRule::Provisioned | MibpsRule::Fixed => self.min_mibps,
            MibpsRule::Iops => self.by_iops(iops),
            MibpsRule::Size => {
                (self.mibps_per_tib.unwrap_or(0) * size_gib / 1_024).clamp(self.min_mibps, self.max_mibps)
            }
        }
    }

    /// Most MiB/s that so many IOPS allow.
    pub fn mibps_at_most(&self, size_gib: u64, iops: u64) -> u64 {
        match self.mibps_rule {
            MibpsRule::Provisioned => self.by_iops(iops),
            _ => self.mibps_at_least(size_gib, iops),
        }
    }

    fn by_iops(&self, iops: u64) -> u64 {
        let each = self.iops_per_mibps.unwrap_or(f64::INFINITY);
        ((iops as f64 / each) as u64).clamp(self.min_mibps, self.max_mibps)
    }

    /// Maximum of a volume of this size while it has credits; `None` for classes without credits.
    pub fn burst(&self, size_gib: u64) -> Option<Ceiling> {
        let (iops, most) = (self.burst_iops?, self.burst_mibps?);
        let mibps = self
            .burst_mibps_per_tib
            .map_or(most as f64, |each| (each as f64 * size_gib as f64 / 1_024.0).min(most as f64));
        Some(Ceiling { iops: iops as f64, mibps })
    }
}

#[cfg(test)]
#[path = "class_tests.rs"]
mod tests;
