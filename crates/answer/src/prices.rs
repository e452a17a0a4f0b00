//! Prices of a region or a zone.

use std::collections::BTreeMap;

use ebs_advice::Settings;
use ebs_aws::catalogue::{self, Item, Price, Prices, Zone};
use ebs_base::error::InputError;
use ebs_base::names;

/// Prices by which volumes of a region or a zone are ordered: its own, or else those of the zone's region or of the default region, which stand
/// in for them. `of_region` gives those of a region.
pub fn prices_of_place<E>(place: &str, of_region: impl Fn(&str) -> Result<Prices, E>) -> Result<Prices, E> {
    let default = || of_region(&Settings::default().region);
    if let Some(zone) = Zone::parse(place) {
        let prices = of_region(&zone.region).or_else(|_| default())?;
        return Ok(prices.stand_in_for(&zone.name));
    }
    match of_region(place) {
        Ok(prices) => Ok(prices),
        Err(refusal) => match catalogue::region_code(place) {
            Ok(region) => Ok(default()?.stand_in_for(&region)),
            Err(_) => Err(refusal),
        },
    }
}

/// Name of a region, as prices have it; a text longer than any name is refused before it is copied.
pub fn price_region(region: &str) -> String {
    names::bounded(region).map(str::to_ascii_lowercase).unwrap_or_default()
}

/// Prices of a region: of each item the later publication, built in or imported.
pub fn prices_of_region(region: &str, imported: Vec<(Item, Price)>) -> Result<Prices, InputError> {
    let mut prices = match catalogue::prices(region) {
        Ok(known) => known.clone(),
        // A region that AWS opened since this version was made.
        Err(_) if !imported.is_empty() => {
            Prices { region: price_region(region), items: BTreeMap::new(), stand_in: None }
        }
        Err(refusal) => return Err(refusal),
    };
    prices.import(imported);
    Ok(prices)
}
