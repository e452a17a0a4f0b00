//! EBS volume types: their characteristics as AWS states them, and latencies that others measured.

use std::str::FromStr;
use std::sync::OnceLock;

use serde::Deserialize;

use ebs_base::error::InputError;
use ebs_base::names;

ebs_base::named! {
    /// A volume type.
    #[derive(PartialOrd, Ord, Hash, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum VolumeType {
        /// General Purpose SSD; performance follows size, with burst credits.
        Gp2 = "gp2",
        /// General Purpose SSD; performance is bought apart from size.
        Gp3 = "gp3",
        /// Provisioned IOPS SSD, the older kind.
        Io1 = "io1",
        /// Provisioned IOPS SSD, Block Express.
        Io2 = "io2",
        /// Throughput Optimized HDD.
        St1 = "st1",
        /// Cold HDD.
        Sc1 = "sc1",
        /// Magnetic, the previous generation.
        Standard = "standard",
        /// Not EBS: a disk of the instance, for comparison.
        #[serde(rename = "instance store")]
        InstanceStore = "instance store",
    }
}

/// Properties of a type as AWS states them, and latencies as others measured them.
#[derive(Clone, Debug, Deserialize)]
pub struct Characteristics {
    /// The type.
    pub volume_type: VolumeType,
    /// AWS's name for it.
    pub title: String,
    /// Requests are counted once for each so many KiB.
    pub io_kib: u64,
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
    /// Says if a system can boot from it.
    pub boot: String,
    /// Says if several instances can attach it.
    pub multi_attach: String,
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
    /// The types that a database can use, in the same order.
    pub fn suitable() -> impl Iterator<Item = VolumeType> {
        VolumeType::ALL.into_iter().filter(|volume_type| volume_type.characteristics().unfit.is_none())
    }

    /// Rank at equal price, lowest first: the more durable, then the newer.
    pub fn preference(self) -> u8 {
        match self {
            VolumeType::Io2 => 0,
            VolumeType::Gp3 => 1,
            VolumeType::Io1 => 2,
            VolumeType::Gp2 => 3,
            VolumeType::St1 => 4,
            VolumeType::Sc1 => 5,
            VolumeType::Standard => 6,
            VolumeType::InstanceStore => 7,
        }
    }

    /// Published properties of the type.
    pub fn characteristics(self) -> &'static Characteristics {
        &table()[self as usize]
    }

    /// True of types that several instances can attach (Multi-Attach).
    pub fn can_multi_attach(self) -> bool {
        self.characteristics().multi_attach != "no"
    }

    /// Durability, per cent a year: lower end of the range that AWS states; 0 where it states none.
    pub fn durability_pct(self) -> f64 {
        self.characteristics().durability_low_pct.unwrap_or(0.0)
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
        io_kib: 256,
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
        boot: String::new(),
        multi_attach: String::new(),
        unfit: None,
        source: String::new(),
        as_of: String::new(),
        latency_source: None,
    }
}

impl FromStr for VolumeType {
    type Err = InputError;

    fn from_str(name: &str) -> Result<VolumeType, InputError> {
        // Other storage than EBS cannot be ordered, priced or declared.
        let sold = || VolumeType::ALL.into_iter().filter(|known| *known != VolumeType::InstanceStore);
        let named = |name: &str| sold().find(|known| known.name().eq_ignore_ascii_case(name));
        let known = names::bounded(name).and_then(named);
        known.ok_or_else(|| InputError::UnknownName {
            what: "volume type",
            name: names::quoted(name),
            accepted: format!("Volume types are {}.", sold().map(VolumeType::name).collect::<Vec<_>>().join(", ")),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_has_a_row_with_source_and_date() {
        for volume_type in VolumeType::ALL {
            let row = volume_type.characteristics();
            assert_eq!(row.volume_type, volume_type);
            assert!(row.source.ends_with(".html") && row.as_of.starts_with("2026-"), "{row:?}");
            assert_eq!(row.read_ms.is_some(), row.latency_source.is_some(), "{row:?}");
        }
    }

    #[test]
    fn a_latency_lies_within_what_was_published() {
        for row in table().iter().filter(|row| row.read_ms.is_some()) {
            assert!(row.read_low_ms <= row.read_ms && row.read_ms <= row.read_high_ms, "{row:?}");
            assert!(row.write_low_ms <= row.write_ms && row.write_ms <= row.write_high_ms, "{row:?}");
        }
    }

    /// Rounded to a hundredth of a millisecond.
    #[test]
    fn a_latency_is_the_geometric_mean_of_the_published_ones() {
        for row in table() {
            let reads = (row.read_low_ms, row.read_ms, row.read_high_ms);
            for published in [reads, (row.write_low_ms, row.write_ms, row.write_high_ms)] {
                let (Some(low), Some(middle), Some(high)) = published else { continue };
                assert!((middle - (low * high).sqrt()).abs() <= 0.005, "{row:?}");
            }
        }
    }
}
