//! Completeness of a CSV. It has no end mark: cut off at the end of a line it is a well-formed CSV.

use std::collections::{BTreeMap, BTreeSet};

use super::error::OfferError;
use super::row::Row;
use crate::catalogue::{Item, Part, Platform, Status, prices, regions};

/// Refuses what lacks a price that the built-in list has from AWS's for the same region, or one that goes with a type that is
/// there; and a file of several regions that lacks one of them.
pub(super) fn check(rows: &[Row]) -> Result<(), OfferError> {
    let mut found: BTreeMap<(&str, Platform), BTreeSet<Item>> = BTreeMap::new();
    for row in rows {
        found.entry((&row.region, row.item.platform)).or_default().insert(row.item);
    }
    for (&(region, platform), items) in &found {
        let lacking = expected(region, platform, items).into_iter().find(|item| !items.contains(item));
        if let Some(item) = lacking {
            let (has, prices) = (items.len(), if items.len() == 1 { "price" } else { "prices" });
            let platform = platform.name();
            return Err(OfferError::Incomplete(format!(
                "{region} has {has} {prices} on {platform}, and none of {item}"
            )));
        }
    }
    let many = found.len() > 1;
    match regions().find(|region| many && !found.keys().any(|(there, _)| there == region)) {
        Some(region) => Err(OfferError::Incomplete(format!("there are {} regions, and not {region}", found.len()))),
        None => Ok(()),
    }
}

fn expected(region: &str, platform: Platform, found: &BTreeSet<Item>) -> BTreeSet<Item> {
    let mut expected = BTreeSet::new();
    if let Ok(known) = prices(region) {
        let listed = known.items.iter().filter(|(_, price)| price.status == Status::Listed).map(|(item, _)| *item);
        expected.extend(listed.filter(|item| item.platform == platform));
    }
    for item in found {
        let parts = Part::ALL.map(|part| Item { part, ..*item });
        // No list is known to price RDS's throughput.
        let doubtful = |item: &Item| item.platform == Platform::Rds && item.part == Part::Throughput;
        expected.extend(parts.into_iter().filter(|item| item.is_sold() && !doubtful(item)));
    }
    expected
}
