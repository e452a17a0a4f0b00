//! Prices by region.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;

use super::resembling;
use crate::error::Refusal;
use crate::units::Usd;

/// Monthly prices of EBS in one region.
#[derive(Clone, Debug, Deserialize)]
pub struct Prices {
    /// Region.
    pub region: String,
    /// gp2, per GiB.
    #[serde(rename = "gp2_gb_month", deserialize_with = "usd")]
    pub gp2_gib: Usd,
    /// gp3, per GiB.
    #[serde(rename = "gp3_gb_month", deserialize_with = "usd")]
    pub gp3_gib: Usd,
    /// gp3, per IOPS above the included.
    #[serde(rename = "gp3_iops_month", deserialize_with = "usd")]
    pub gp3_iops: Usd,
    /// gp3, per MiB/s above the included.
    #[serde(rename = "gp3_throughput_mibps_month", deserialize_with = "usd")]
    pub gp3_mibps: Usd,
    /// io1, per GiB.
    #[serde(rename = "io1_gb_month", deserialize_with = "usd")]
    pub io1_gib: Usd,
    /// io1, per IOPS.
    #[serde(rename = "io1_iops_month", deserialize_with = "usd")]
    pub io1_iops: Usd,
    /// io2, per GiB.
    #[serde(rename = "io2_gb_month", deserialize_with = "usd")]
    pub io2_gib: Usd,
    /// io2, per IOPS up to 32,000.
    #[serde(rename = "io2_iops_tier1_0_32000", deserialize_with = "usd")]
    pub io2_iops_tier1: Usd,
    /// io2, per IOPS from 32,001 to 64,000.
    #[serde(rename = "io2_iops_tier2_32001_64000_DERIVED_0.70x", deserialize_with = "usd")]
    pub io2_iops_tier2: Usd,
    /// io2, per IOPS above 64,000.
    #[serde(rename = "io2_iops_tier3_gt_64000_DERIVED_0.49x", deserialize_with = "usd")]
    pub io2_iops_tier3: Usd,
}

/// Publication date of the price list.
pub const PRICES_AS_OF: &str = "2026-10-15";
/// Regions whose upper io2 tiers stand in the price list itself; elsewhere they are derived from the first.
const IO2_TIERS_SEEN: [&str; 2] = ["us-east-1", "ap-northeast-1"];

impl Prices {
    /// Where the rows come from.
    pub const SOURCE: &str = "https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/index.json";

    /// Whether the upper io2 tiers are derived, not read.
    pub fn io2_tiers_derived(&self) -> bool {
        !IO2_TIERS_SEEN.contains(&self.region.as_str())
    }
}

fn usd<'de, D: serde::Deserializer<'de>>(field: D) -> Result<Usd, D::Error> {
    String::deserialize(field)?.parse().map_err(serde::de::Error::custom)
}

fn table() -> &'static BTreeMap<String, Prices> {
    static TABLE: OnceLock<BTreeMap<String, Prices>> = OnceLock::new();
    TABLE.get_or_init(|| {
        // A row that cannot be read is left out rather than taking a backend down; a test counts the rows.
        let text = include_str!("../../data/prices.csv");
        let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
        reader.deserialize().flatten().map(|row: Prices| (row.region.clone(), row)).collect()
    })
}

/// All regions with prices.
pub fn regions() -> impl Iterator<Item = &'static str> {
    table().keys().map(String::as_str)
}

/// The prices of a region.
pub fn prices(region: &str) -> Result<&'static Prices, Refusal> {
    let wanted = region.trim().to_ascii_lowercase();
    table().get(&wanted).ok_or_else(|| {
        let near = resembling(&wanted, regions());
        let accepted = if near.is_empty() {
            format!("Regions with prices are {}.", regions().collect::<Vec<_>>().join(", "))
        } else {
            format!("Perhaps you meant {}.", near.join(", "))
        };
        Refusal::UnknownName { what: "region", name: region.to_owned(), accepted }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_region_of_the_table_is_read_and_dated() {
        let text = include_str!("../../data/prices.csv");
        let lines = text.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(regions().count(), lines - 1);
        assert!(text.contains(&format!("# as of: {PRICES_AS_OF}\n")));
    }

    #[test]
    fn what_is_derived_is_known_to_be() {
        assert!(!prices("us-east-1").unwrap().io2_tiers_derived());
        assert!(prices("eu-west-1").unwrap().io2_tiers_derived());
    }

    #[test]
    fn a_mistyped_region_gets_its_neighbours() {
        let Refusal::UnknownName { accepted, .. } = prices("us-esat-1").unwrap_err() else { panic!() };
        assert!(accepted.contains("us-east-1"), "{accepted}");
    }
}
