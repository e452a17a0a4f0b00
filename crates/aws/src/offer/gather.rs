//! Collects products and their prices into one price for each item of each region.

use std::collections::BTreeMap;

use super::error::{OfferError, Position, ReadError};
use super::row::{Row, is_region};
use super::unit::in_our_unit;
use super::usage::{Usage, usage};
use crate::catalogue::{Item, Part};
use ebs_base::units::Usd;

/// Most reasons that are counted separately: their names come from the file.
const REASONS: usize = 64;

/// Attributes of a product, as the file has them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attributes<'a> {
    pub at: Position,
    pub sku: &'a str,
    pub usage: &'a str,
    pub location_type: &'a str,
    pub region: &'a str,
    /// RDS; empty where the file has none.
    pub engine: &'a str,
    /// RDS; empty where the file has none.
    pub deployment: &'a str,
}

/// A product whose price is needed.
#[derive(Clone, Debug)]
pub(super) struct Product {
    pub item: Item,
    region: String,
    usage: String,
    /// True for a price of PostgreSQL itself, false for one of any engine.
    for_postgres: bool,
}

/// Attributes of a price, as the file has them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rate<'a> {
    pub at: Position,
    pub sku: &'a str,
    pub unit: &'a str,
    pub begin: &'a str,
    pub end: &'a str,
    pub currency: &'a str,
    pub price: &'a str,
}

/// A price with its position in the file.
#[derive(Clone, Debug)]
struct SourcedPrice {
    usd: Usd,
    sku: String,
    at: Position,
}

/// Prices of one item. RDS has some for PostgreSQL alone, which take precedence over those of any engine.
#[derive(Debug, Default)]
struct ItemPrices {
    postgres: Option<SourcedPrice>,
    general: Option<SourcedPrice>,
    /// General prices that differ; no matter where there is a price of its own.
    general_conflict: Option<OfferError>,
}

/// Products and prices read so far.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    products: u64,
    prices: BTreeMap<(String, Item), ItemPrices>,
    left_out: BTreeMap<String, u64>,
}

impl Gathered {
    /// Counts the next product, and returns it if its price is needed.
    pub fn product(&mut self, attributes: &Attributes) -> Result<Option<Product>, OfferError> {
        self.products += 1;
        let item = match usage(attributes.usage) {
            Usage::Unrelated => return Ok(None),
            Usage::Zone => return Ok(self.leave_out("in a Local Zone or Wavelength Zone")),
            Usage::Copies => return Ok(self.leave_out("of several zones, billed as copies of one")),
            Usage::Requests => return Ok(self.leave_out("requests to magnetic storage")),
            _ if attributes.location_type != "AWS Region" => {
                return Ok(self.leave_out(&format!("of location type \"{}\"", printable(attributes.location_type))));
            }
            Usage::Unknown => {
                return Ok(self.leave_out(&format!("of unknown usage type {}", printable(attributes.usage))));
            }
            Usage::Of(item) => item,
        };
        if !matches!(attributes.deployment, "" | "Single-AZ") {
            return Ok(self.leave_out("of several zones, billed as copies of one"));
        }
        if !matches!(attributes.engine, "" | "Any" | "PostgreSQL") {
            return Ok(self.leave_out("of another engine than PostgreSQL"));
        }
        if !is_region(attributes.region) {
            let what = format!("is in \"{}\", which is no region", printable(attributes.region));
            return Err(bad_price(attributes.at, attributes.sku, attributes.usage, what));
        }
        let (region, usage) = (attributes.region.to_owned(), attributes.usage.to_owned());
        Ok(Some(Product { item, region, usage, for_postgres: attributes.engine == "PostgreSQL" }))
    }

    /// Counts a price that is not taken.
    pub fn leave_out<T>(&mut self, why: &str) -> Option<T> {
        let room = self.left_out.len() < REASONS || self.left_out.contains_key(why);
        *self.left_out.entry(if room { why } else { "for other reasons" }.to_owned()).or_default() += 1;
        None
    }

    /// Takes a price of a product.
    pub fn price(&mut self, product: &Product, rate: &Rate) -> Result<(), OfferError> {
        let refuse = |what: String| bad_price(rate.at, rate.sku, &product.usage, what);
        if rate.currency != "USD" {
            self.leave_out::<()>(&format!("in {}, not in USD", printable(rate.currency)));
            return Ok(());
        }
        let usd: Usd = rate.price.parse().map_err(|error| refuse(format!("has no price: {error}")))?;
        // Some types include IOPS and throughput, so these begin elsewhere than at nothing.
        let volume_type = product.item.volume_type;
        let includes = !volume_type.bills_all_iops() && matches!(product.item.part, Part::Iops | Part::Throughput);
        let endless = rate.end.eq_ignore_ascii_case("inf");
        if includes && usd == Usd::default() && !endless && is_number(rate.end) {
            self.leave_out::<()>(&format!("included in the price of {}", volume_type.name()));
            return Ok(());
        }
        if usd <= Usd::default() {
            return Err(refuse(format!("costs ${usd}, which is no price")));
        }
        if !endless || !(includes && is_number(rate.begin) || is_zero(rate.begin)) {
            let (begin, end) = (printable(rate.begin), printable(rate.end));
            return Err(refuse(format!("costs ${usd} from {begin} to {end}, a tier this version does not know")));
        }
        let usd = in_our_unit(product.item.part, rate.unit, usd).map_err(refuse)?;
        let sourced = SourcedPrice { usd, sku: printable(rate.sku), at: rate.at };
        let prices = self.prices.entry((product.region.clone(), product.item)).or_default();
        if product.for_postgres {
            return prices
                .postgres
                .as_ref()
                .map_or(Ok(()), |first| same(product, first, &sourced))
                .map(|()| prices.postgres = Some(sourced));
        }
        match prices.general.as_ref().map(|first| same(product, first, &sourced)) {
            None => prices.general = Some(sourced),
            Some(Ok(())) => {}
            Some(Err(conflict)) => prices.general_conflict = Some(conflict),
        }
        Ok(())
    }

    /// One price for each item, or the reason why there is none.
    pub fn finish(&mut self) -> Result<Vec<Row>, OfferError> {
        let mut rows = Vec::with_capacity(self.prices.len());
        for ((region, item), prices) in &self.prices {
            let sourced = match (&prices.postgres, &prices.general_conflict) {
                (Some(postgres), _) => postgres,
                (None, Some(conflict)) => return Err(conflict.clone()),
                (None, None) => match &prices.general {
                    Some(general) => general,
                    None => continue,
                },
            };
            rows.push(Row { region: region.clone(), item: *item, usd: sourced.usd });
        }
        if rows.is_empty() {
            let reasons: Vec<String> = self.left_out.iter().map(|(why, count)| format!("{count} {why}")).collect();
            let reasons = if reasons.is_empty() { String::new() } else { format!(" ({})", reasons.join("; ")) };
            return Err(OfferError::NoPrices(reasons));
        }
        Ok(rows)
    }

    /// Number of storage prices that were left out, by reason.
    pub fn left_out(&self) -> BTreeMap<String, u64> {
        self.left_out.clone()
    }

    /// The error, with the number of products and prices read before it.
    pub fn read_error(&self, error: OfferError) -> ReadError {
        ReadError { error, products: self.products, prices: self.prices.len() }
    }
}

fn same(product: &Product, first: &SourcedPrice, second: &SourcedPrice) -> Result<(), OfferError> {
    if first.usd == second.usd {
        return Ok(());
    }
    Err(OfferError::Conflict {
        at: second.at,
        sku: second.sku.clone(),
        what: product.item.to_string(),
        region: product.region.clone(),
        usd: second.usd.to_string(),
        other_sku: first.sku.clone(),
        other_at: first.at,
        other_usd: first.usd.to_string(),
    })
}

fn bad_price(at: Position, sku: &str, usage: &str, what: String) -> OfferError {
    OfferError::Price { at, sku: printable(sku), usage: printable(usage), what }
}

/// Text from a file, fit for a message: 60 characters at most, and no control characters.
fn printable(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(60).collect()
}

fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok_and(f64::is_finite)
}

fn is_zero(text: &str) -> bool {
    text.parse::<f64>() == Ok(0.0)
}
