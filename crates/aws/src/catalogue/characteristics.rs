//! Characteristics of the volume types, a row each: facts as AWS states them, and latencies that others measured.

use std::cmp::Reverse;
use std::sync::OnceLock;

use serde::{Deserialize, Deserializer};

use super::VolumeType;

/// Family: types of which one replaces another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// SSD for most workloads.
    #[serde(rename = "general purpose")]
    GeneralPurpose,
    /// SSD whose IOPS are bought.
    #[serde(rename = "provisioned iops")]
    ProvisionedIops,
    /// HDD for large sequential requests.
    #[serde(rename = "throughput hdd")]
    ThroughputHdd,
    /// HDD for data that are rarely read.
    #[serde(rename = "cold hdd")]
    ColdHdd,
    /// Magnetic disk.
    Magnetic,
    /// Disk of the instance, which is not EBS.
    #[serde(rename = "instance store")]
    InstanceStore,
}

/// Generation within a family, the newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Generation {
    /// Newer than the current one, and sold only where it has a price.
    New,
    /// The one that AWS advises.
    Current,
    /// Replaced, or advised against.
    Previous,
}

/// Attachment to several instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MultiAttach {
    /// None.
    No,
    /// Limited to some regions, and not modifiable.
    Limited,
    /// Modifiable in size and IOPS.
    Yes,
}

/// Properties of a type as AWS states them, and latencies as others measured them.
#[derive(Clone, Debug, Deserialize)]
pub struct Characteristics {
    /// The type.
    pub volume_type: VolumeType,
    /// AWS's name for it.
    pub title: String,
    /// Its family.
    pub family: Family,
    /// Its generation there.
    pub generation: Generation,
    /// Requests are counted once for each so many KiB.
    pub io_kib: u64,
    /// True if every IOPS has a price, false if those above what the price of storage includes.
    #[serde(deserialize_with = "yes_or_no")]
    pub bills_all_iops: bool,
    /// Durability, per cent a year: lower end of the range that AWS states; `None` where it states none.
    pub durability_low_pct: Option<f64>,
    /// The upper end.
    pub durability_high_pct: Option<f64>,
    /// Latency, in AWS's words.
    pub latency_class: Option<String>,
    /// Share of a year in which at least 90 % of what is provisioned is delivered, per cent.
    pub consistency_pct: Option<f64>,
    /// Mean latency of one 16 KiB random read at a time, ms: a prior; AWS states none.
    pub read_ms: Option<f64>,
    /// The least published.
    pub read_low_ms: Option<f64>,
    /// The most published.
    pub read_high_ms: Option<f64>,
    /// The same of a write.
    pub write_ms: Option<f64>,
    /// The least published.
    pub write_low_ms: Option<f64>,
    /// The most published.
    pub write_high_ms: Option<f64>,
    /// True if every Local Zone has it.
    #[serde(deserialize_with = "yes_or_no")]
    pub local_zones: bool,
    /// True if a system can boot from it.
    #[serde(deserialize_with = "yes_or_no")]
    pub boot: bool,
    /// Attachment to several instances.
    pub multi_attach: MultiAttach,
    /// Reason for which it is never recommended for a database; `None` where it is fit.
    pub unfit: Option<String>,
    /// Page on which AWS publishes its part.
    pub source: String,
    /// Day on which that page was read.
    pub as_of: String,
    /// Page on which the latency measurements are published.
    pub latency_source: Option<String>,
}

impl VolumeType {
    /// Published properties of the type.
    pub fn characteristics(self) -> &'static Characteristics {
        &table()[self as usize]
    }

    /// Family of the type.
    pub fn family(self) -> Family {
        self.characteristics().family
    }

    /// Rank at equal price, lowest first: the more durable, then the newer.
    pub fn preference(self) -> u8 {
        ranks()[self as usize]
    }
}

impl Family {
    /// True of the families that count every request as 1 MiB of throughput credits.
    pub(super) fn is_hdd(self) -> bool {
        match self {
            Family::ThroughputHdd | Family::ColdHdd => true,
            Family::GeneralPurpose | Family::ProvisionedIops | Family::Magnetic | Family::InstanceStore => false,
        }
    }

    /// Types of the family, the newest first, and of one generation the later declared.
    pub fn types(self) -> Vec<VolumeType> {
        let mut types: Vec<VolumeType> = VolumeType::ALL.into_iter().filter(|one| one.family() == self).collect();
        types.sort_by_key(|one| (one.characteristics().generation, Reverse(*one)));
        types
    }

    /// The current type; `None` where AWS advises none.
    pub fn current(self) -> Option<VolumeType> {
        let is_current = |row: &&Characteristics| row.family == self && row.generation == Generation::Current;
        table().iter().find(is_current).map(|row| row.volume_type)
    }
}

fn yes_or_no<'de, D: Deserializer<'de>>(field: D) -> Result<bool, D::Error> {
    match String::deserialize(field)?.as_str() {
        "yes" => Ok(true),
        "no" => Ok(false),
        other => Err(serde::de::Error::custom(format!("neither yes nor no: {other}"))),
    }
}

/// A row for each type, in the order of [`VolumeType::ALL`].
fn table() -> &'static [Characteristics] {
    static TABLE: OnceLock<Vec<Characteristics>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let text = include_str!("../../data/volume_types.csv");
        let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
        let rows: Vec<Characteristics> = reader.deserialize().flatten().collect();
        // A row that cannot be read is left empty instead of ending a backend; a test reads them all.
        let row = |volume_type| rows.iter().find(|row| row.volume_type == volume_type).cloned();
        VolumeType::ALL.map(|volume_type| row(volume_type).unwrap_or_else(|| empty_row(volume_type))).to_vec()
    })
}

fn empty_row(volume_type: VolumeType) -> Characteristics {
    Characteristics {
        volume_type,
        title: volume_type.name().to_owned(),
        family: Family::InstanceStore,
        generation: Generation::Previous,
        io_kib: 256,
        bills_all_iops: false,
        durability_low_pct: None,
        durability_high_pct: None,
        latency_class: None,
        consistency_pct: None,
        read_ms: None,
        read_low_ms: None,
        read_high_ms: None,
        write_ms: None,
        write_low_ms: None,
        write_high_ms: None,
        local_zones: false,
        boot: false,
        multi_attach: MultiAttach::No,
        unfit: Some("its row of the catalogue cannot be read".to_owned()),
        source: String::new(),
        as_of: String::new(),
        latency_source: None,
    }
}

/// Rank of each type at equal price, in the order of [`VolumeType::ALL`]: the suitable first, then the more durable, the newer, the more
/// consistent.
fn ranks() -> &'static [u8] {
    static RANKS: OnceLock<Vec<u8>> = OnceLock::new();
    RANKS.get_or_init(|| {
        // Per cent to three digits, as AWS states them: sortable as whole numbers.
        let whole = |pct: Option<f64>| Reverse(pct.map(|pct| (1e3 * pct).round() as u64));
        let mut order: Vec<&Characteristics> = table().iter().collect();
        order.sort_by_key(|row| {
            (row.unfit.is_some(), whole(row.durability_low_pct), row.generation, whole(row.consistency_pct))
        });
        let rank = |volume_type| order.iter().position(|row| row.volume_type == volume_type).unwrap_or(order.len());
        VolumeType::ALL.map(|volume_type| rank(volume_type) as u8).to_vec()
    })
}
