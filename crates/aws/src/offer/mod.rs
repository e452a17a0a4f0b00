//! AWS's offer files: the price lists that anybody may download, and the storage prices in them.
//!
//! A file is read once, front to back, whatever its size: what is kept is the storage's products and prices. It is taken
//! whole or refused, with the line or byte where it broke. The layout is AWS's
//! (<https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/reading-service-price-list-file-for-services.html>),
//! in JSON or CSV, of one region or of all.

mod csv;
mod document;
mod error;
mod gather;
mod input;
mod json;
mod records;
mod unit;
mod usage;
mod whole;

#[cfg(test)]
mod offer_tests;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod truncation_tests;

use std::collections::BTreeMap;
use std::io::BufRead;

pub use document::{BadDocument, Imported, MAX_PRICES, read_document, write_document};
pub use error::{At, OfferError, Refused};

use crate::catalogue::{Item, Platform};
use ebs_base::units::Usd;
use gather::Gathered;

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

/// One price: US dollars a month for a GiB, an IOPS or a MiB/s.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// AWS region.
    pub region: String,
    /// Of what.
    pub item: Item,
    /// How much.
    pub usd: Usd,
}

/// Whether prices may be missing from a CSV.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// No: it must have every price that this version knows to be listed for its regions. A CSV has no end mark, so nothing
    /// else tells that its last lines were lost.
    Whole,
    /// Yes: it was cut on purpose.
    Part,
}

/// What of an offer file is not a price.
#[derive(Clone, Debug, Default)]
struct Head {
    code: Option<String>,
    version: Option<String>,
    published: Option<String>,
}

/// Reads an offer file. Refused are files that are cut off or malformed, that hold a storage price this version cannot read
/// without guessing, or none at all.
pub fn read(source: impl BufRead, extent: Extent) -> Result<Offer, Refused> {
    let mut gathered = Gathered::default();
    read_into(source, extent, &mut gathered).map_err(|error| gathered.refused(error))
}

fn read_into(mut source: impl BufRead, extent: Extent, gathered: &mut Gathered) -> Result<Offer, OfferError> {
    let skipped = input::skip_blanks(&mut source)?;
    let first = input::peek(&mut source).map_err(|error| OfferError::unreadable(At::Byte(skipped), &error))?;
    let (head, extent) = match first {
        Some(b'{') => (json::read(source, skipped, gathered)?, Extent::Part),
        Some(b'"' | b'F') => (csv::read(source, gathered)?, extent),
        Some(_) => return Err(OfferError::NotAnOffer("it is neither JSON nor CSV".to_owned())),
        None => return Err(OfferError::NotAnOffer("it is empty".to_owned())),
    };
    let offer = head.into_offer(gathered)?;
    if extent == Extent::Whole {
        whole::check(&offer.rows)?;
    }
    Ok(offer)
}

impl Head {
    fn into_offer(self, gathered: &mut Gathered) -> Result<Offer, OfferError> {
        let missing = |what: &str| OfferError::NotAnOffer(format!("it has no {what}"));
        let code = self.code.ok_or_else(|| missing("offer code"))?;
        let platform = platform(&code)?;
        let version = self.version.filter(|text| is_version(text)).ok_or_else(|| missing("version"))?;
        let published = self.published.as_deref().and_then(day).ok_or_else(|| missing("publication date"))?;
        let rows = gathered.finish()?;
        if let Some(row) = rows.iter().find(|row| row.item.platform != platform) {
            let other = row.item.platform.name();
            return Err(OfferError::NotAnOffer(format!("it is of {code} and has prices of platform {other}")));
        }
        Ok(Offer { code, version, published, rows, left_out: gathered.left_out() })
    }
}

/// The platform that an offer code is of.
fn platform(code: &str) -> Result<Platform, OfferError> {
    match code {
        "AmazonEC2" => Ok(Platform::Ec2),
        "AmazonRDS" => Ok(Platform::Rds),
        other => {
            let shown: String = other.chars().take(40).collect();
            Err(OfferError::NotAnOffer(format!("its offer code is \"{shown}\", not AmazonEC2 or AmazonRDS")))
        }
    }
}

/// Whether a text can be an edition: it goes into a basis, and from there into SQL and onto screens.
fn is_version(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
}

/// The day of a time in ISO 8601: `2026-10-15` of `2026-10-15T19:13:16Z`.
fn day(time: &str) -> Option<String> {
    let (day, rest) = time.split_at_checked(10)?;
    let mut parts =
        day.split('-').map(|part| part.bytes().all(|b| b.is_ascii_digit()).then(|| part.parse::<u32>().ok())?);
    let (year, month, date) = (parts.next()??, parts.next()??, parts.next()??);
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let shaped = parts.next().is_none() && (2000..=9999).contains(&year) && (1..=12).contains(&month);
    (shaped && (1..=days).contains(&date) && (rest.is_empty() || rest.starts_with('T'))).then(|| day.to_owned())
}

/// Whether a text has the shape of a region's code: `us-east-1`, `us-gov-west-1`, `eusc-de-east-1`. Zones' codes do not.
fn is_region(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let Some((number, words)) = parts.split_last() else { return false };
    let letters = |word: &&str| (2..=12).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_lowercase());
    (1..=2).contains(&number.len())
        && number.bytes().all(|byte| byte.is_ascii_digit())
        && (2..=3).contains(&words.len())
        && words.iter().all(letters)
}
