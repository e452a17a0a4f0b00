//! Aurora: its two storage configurations, and their prices by region. An Aurora cluster has one volume that AWS makes, grows and
//! replicates; only the configuration is chosen (`aurora` or `aurora-iopt1`), and with it the way in which requests are billed.
//!
//! Source: <https://docs.aws.amazon.com/AmazonRDS/latest/AuroraUserGuide/Aurora.Overview.StorageReliability.html>.

use std::sync::OnceLock;

use serde::Deserialize;

use super::prices::Status;
use super::{SIMILAR, regions};
use ebs_base::error::InputError;
use ebs_base::names;
use ebs_base::units::Usd;

ebs_base::named! {
    /// Storage configuration of a cluster, by its `StorageType` in AWS's API.
    #[derive(PartialOrd, Ord)]
    pub enum AuroraStorage {
        /// Aurora Standard: requests are billed.
        Standard = "aurora",
        /// Aurora I/O-Optimized: requests are included, storage and instances cost more.
        IoOptimized = "aurora-iopt1",
    }
}

/// Prices of a region.
#[derive(Clone, Debug, PartialEq)]
pub struct AuroraPrices {
    /// A GiB-month of Standard.
    pub standard_storage: Usd,
    /// A million requests on Standard.
    pub requests_million: Usd,
    /// A GiB-month of I/O-Optimized.
    pub optimized_storage: Usd,
    /// Per cent that instances cost more on I/O-Optimized.
    pub optimized_instances_pct: u64,
    /// Provenance.
    pub status: Status,
    /// Address of the source.
    pub source: String,
    /// Date on which the source was read, `2026-11-26`.
    pub as_of: String,
}

/// A row of `crates/aws/data/aurora_prices.csv`.
#[derive(Deserialize)]
struct Row {
    region: String,
    standard_storage_usd: String,
    requests_usd_million: String,
    optimized_storage_usd: String,
    optimized_instances_pct: u64,
    status: Status,
    source: String,
    as_of: String,
}

impl Row {
    fn read(self) -> Option<(String, AuroraPrices)> {
        let prices = AuroraPrices {
            standard_storage: self.standard_storage_usd.parse().ok()?,
            requests_million: self.requests_usd_million.parse().ok()?,
            optimized_storage: self.optimized_storage_usd.parse().ok()?,
            optimized_instances_pct: self.optimized_instances_pct,
            status: self.status,
            source: self.source,
            as_of: self.as_of,
        };
        Some((self.region, prices))
    }
}

fn table() -> &'static [(String, AuroraPrices)] {
    static TABLE: OnceLock<Vec<(String, AuroraPrices)>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let text = include_str!("../../data/aurora_prices.csv");
        let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
        // A row that cannot be read is left out rather than taking a backend down; a test counts the rows.
        reader.deserialize().flatten().filter_map(Row::read).collect()
    })
}

/// The way out where a region has no prices of Aurora here.
const GIVE_PRICES: &str =
    "give storage_usd, requests_usd and optimized_storage_usd, from AWS's price list of that region";

/// Aurora's prices in a region; refused where this version has none.
pub fn aurora_prices(region: &str) -> Result<&'static AuroraPrices, InputError> {
    let wanted = names::bounded(region).map(str::to_ascii_lowercase);
    let known = wanted.as_ref().and_then(|wanted| table().iter().find(|(name, _)| name == wanted));
    known.map(|(_, prices)| prices).ok_or_else(|| {
        let near = wanted.map(|wanted| names::similar(&wanted, regions(), SIMILAR)).unwrap_or_default();
        let known: Vec<&str> = table().iter().map(|(name, _)| name.as_str()).collect();
        let exists = near.iter().any(|name| name.eq_ignore_ascii_case(region));
        let accepted = if exists || near.is_empty() {
            format!("Aurora's prices are known for {}; elsewhere {GIVE_PRICES}.", known.join(", "))
        } else {
            format!("Perhaps you meant {}. Of a region other than {} {GIVE_PRICES}.", near.join(", "), known.join(", "))
        };
        let what = if exists { "prices of Aurora in region" } else { "region" };
        InputError::UnknownName { what, name: names::quoted(region), accepted }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read_and_has_a_source_and_a_date() {
        let text = include_str!("../../data/aurora_prices.csv");
        assert_eq!(table().len(), text.lines().filter(|line| !line.starts_with('#')).count() - 1);
        for (region, prices) in table() {
            assert!(regions().any(|known| known == region), "{region}");
            assert!(prices.source.starts_with("https://") && prices.as_of.len() == 10, "{region}");
            assert!(prices.standard_storage < prices.optimized_storage && prices.requests_million > Usd::default());
        }
    }

    #[test]
    fn a_region_without_prices_is_refused_with_the_way_out() {
        assert!(aurora_prices("US-East-1").is_ok());
        let refusal = aurora_prices("eu-west-1").unwrap_err();
        assert_eq!(refusal.to_string(), "unknown prices of Aurora in region \"eu-west-1\"");
        assert!(refusal.hint().contains("known for us-east-1; elsewhere give storage_usd"), "{}", refusal.hint());
        let typo = aurora_prices("us-esat-1").unwrap_err();
        assert_eq!(typo.to_string(), "unknown region \"us-esat-1\"");
        assert!(typo.hint().starts_with("Perhaps you meant us-east-1"), "{}", typo.hint());
        assert!(aurora_prices("moon").unwrap_err().hint().starts_with("Aurora's prices are known for us-east-1"));
    }
}
