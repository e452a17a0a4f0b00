//! AWS's offer files: the public price lists, and the storage prices in them.
//!
//! A file is read once, front to back, whatever its size: what is kept is the storage's products and prices. It is taken
//! whole or refused, with the line or byte where it broke. The layout is AWS's
//! (<https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/reading-service-price-list-file-for-services.html>),
//! in JSON or CSV, of one region or of all.

mod csv;
mod document;
mod error;
mod gather;
mod head;
mod input;
mod json;
mod records;
mod row;
mod unit;
mod usage;
mod whole;

use std::collections::BTreeMap;
use std::io::BufRead;

pub use document::{DocumentError, ImportedPrice, MAX_PRICES, read_document, write_document};
pub use error::{OfferError, Position, ReadError};
pub use row::Row;

use gather::Gathered;
use head::{Head, is_version, parse_day, parse_platform};

/// Item that a usage type, with or without the prefix of a region, is the price of; `None` where no price is kept by it.
pub fn item_of_usage_type(usage_type: &str) -> Option<crate::catalogue::Item> {
    match usage::usage(usage_type) {
        usage::Usage::Of(item) => Some(item),
        _ => None,
    }
}

/// The storage prices of an offer file.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// `AmazonEC2` or `AmazonRDS`.
    pub code: String,
    /// AWS's number of this edition, `20261015191316`.
    pub version: String,
    /// Day of its publication, `2026-10-15`.
    pub published: String,
    /// Prices, by region and item.
    pub rows: Vec<Row>,
    /// Storage prices that were left out: why, and how many.
    pub left_out: BTreeMap<String, u64>,
}

/// Completeness that a CSV must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completeness {
    /// Every price that this version knows to be listed for its regions: a CSV has no end mark, so nothing else shows that its
    /// last lines were lost.
    Full,
    /// Any part of the prices: the file was cut on purpose.
    Partial,
}

/// Reads an offer file. Refused are files that are cut off or malformed, that hold a storage price this version cannot read
/// without guessing, or none at all.
pub fn read(source: impl BufRead, completeness: Completeness) -> Result<Offer, ReadError> {
    let mut gathered = Gathered::default();
    read_into(source, completeness, &mut gathered).map_err(|error| gathered.read_error(error))
}

fn read_into(
    mut source: impl BufRead,
    completeness: Completeness,
    gathered: &mut Gathered,
) -> Result<Offer, OfferError> {
    let skipped = input::skip_blanks(&mut source)?;
    let first = input::peek(&mut source).map_err(|error| OfferError::unreadable(Position::Byte(skipped), &error))?;
    let (head, completeness) = match first {
        Some(b'{') => (json::read(source, skipped, gathered)?, Completeness::Partial),
        Some(b'"' | b'F') => (csv::read(source, gathered)?, completeness),
        Some(_) => return Err(OfferError::NotAnOffer("it is neither JSON nor CSV".to_owned())),
        None => return Err(OfferError::NotAnOffer("it is empty".to_owned())),
    };
    let offer = head.into_offer(gathered)?;
    if completeness == Completeness::Full {
        whole::check(&offer.rows)?;
    }
    Ok(offer)
}

impl Head {
    fn into_offer(self, gathered: &mut Gathered) -> Result<Offer, OfferError> {
        let missing = |what: &str| OfferError::NotAnOffer(format!("it has no {what}"));
        let code = self.code.ok_or_else(|| missing("offer code"))?;
        let platform = parse_platform(&code)?;
        let version = self.version.filter(|text| is_version(text)).ok_or_else(|| missing("version"))?;
        let published = self.published.as_deref().and_then(parse_day).ok_or_else(|| missing("publication date"))?;
        let rows = gathered.finish()?;
        if let Some(row) = rows.iter().find(|row| row.item.platform != platform) {
            let other = row.item.platform.name();
            return Err(OfferError::NotAnOffer(format!("it is of {code} and has prices of platform {other}")));
        }
        Ok(Offer { code, version, published, rows, left_out: gathered.left_out() })
    }
}

#[cfg(test)]
mod offer_tests;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod truncation_tests;
