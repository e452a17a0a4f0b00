//! Modifications of EBS volumes: elements of `VolumesModifications`.

use std::fmt;

use ebs_base::format::count;
use ebs_base::sparse;
use serde::{Deserialize, Serialize};

use super::ConfigurationError;
use super::element::Element;

/// Identity of a modification: a volume has one at a time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ModificationKey {
    /// EBS volume ID.
    pub volume: String,
    /// Start, microseconds since 1970.
    pub started_us: i64,
}

/// A modification of an EBS volume. What AWS did not print is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Modification {
    /// `modifying`, `optimizing`, `completed` or `failed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// End, microseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_us: Option<i64>,
    /// The volume before it.
    pub original: VolumeState,
    /// The volume after it.
    pub target: VolumeState,
}

sparse! {
    /// Configuration of a volume: as it is, or before or after a modification.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct VolumeState {
        /// `gp3`.
        pub volume_type: Option<String>,
        /// Size, GiB.
        pub size_gib: Option<u64>,
        /// IOPS, provisioned or by the size.
        pub iops: Option<u64>,
        /// Provisioned throughput, MiB/s.
        pub throughput_mibps: Option<u64>,
    }
}

impl VolumeState {
    /// Reads it from the keys of an element that begin with this.
    pub(super) fn read(element: &Element, prefix: &str) -> Result<VolumeState, ConfigurationError> {
        Ok(VolumeState {
            volume_type: element.text(&format!("{prefix}VolumeType"))?,
            size_gib: element.count(&format!("{prefix}Size"))?,
            iops: element.count(&format!("{prefix}Iops"))?,
            throughput_mibps: element.count(&format!("{prefix}Throughput"))?,
        })
    }
}

impl fmt::Display for Modification {
    /// `gp2 1,000 GiB, 3,000 IOPS to gp3 1,000 GiB, 6,000 IOPS, 250 MiB/s`; figures that AWS did not print are left out.
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{} to {}", self.original, self.target)
    }
}

impl fmt::Display for VolumeState {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let figures = [(self.size_gib, "GiB"), (self.iops, "IOPS"), (self.throughput_mibps, "MiB/s")];
        let known = figures.iter().filter_map(|(figure, unit)| Some(format!("{} {unit}", count((*figure)? as f64))));
        let known: Vec<String> = known.collect();
        write!(formatter, "{} {}", self.volume_type.as_deref().unwrap_or("unknown type"), known.join(", "))
    }
}

/// Reads an element of `VolumesModifications`.
pub(super) fn read(element: &Element) -> Result<(ModificationKey, Modification), ConfigurationError> {
    let volume = element.identifier("VolumeId")?;
    let element = &element.named(format!("modification of \"{volume}\""));
    let missing = || ConfigurationError::Element { at: element.at.clone(), problem: "has no \"StartTime\"".to_owned() };
    let started_us = element.time("StartTime")?.ok_or_else(missing)?;
    let ended_us = element.time("EndTime")?;
    if ended_us.is_some_and(|ended_us| ended_us < started_us) {
        return Err(element.error("EndTime", "is before its start"));
    }
    let modification = Modification {
        state: element.text("ModificationState")?,
        ended_us,
        original: VolumeState::read(element, "Original")?,
        target: VolumeState::read(element, "Target")?,
    };
    Ok((ModificationKey { volume, started_us }, modification))
}
