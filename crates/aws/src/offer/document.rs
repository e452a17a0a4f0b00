//! The document that carries prices from an offer file into the database.

use serde::Serialize;
use serde_json::{Map, Value};

use super::Offer;
use super::head::{is_version, parse_day, parse_platform};
use super::row::{Row, is_region};
use crate::catalogue::{Item, Price, Status};
use ebs_base::object;
use ebs_base::units::Usd;

/// An imported price, and its region.
pub type ImportedPrice = (String, Item, Price);

/// Prices of one document: all parts of all regions that AWS has are some 1,500.
pub const MAX_PRICES: usize = 20_000;

/// Hint that shows the shape of a document.
const SHAPE: &str = "Prices are {\"offer\": \"AmazonEC2\", \"version\": \"20261015191316\", \"published\": \"2026-10-15\", \
                     \"prices\": [{\"region\": \"us-east-1\", \"volume_type\": \"gp3\", \"part\": \"storage\", \"usd\": \"0.08\"}]}, \
                     or an array of such; \"ebsctl prices --dry-run FILE\" makes them from AWS's offer files.";

/// Reason for which a document is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DocumentError {
    /// The document does not have the required shape.
    #[error("{place} {what}")]
    Shape {
        /// Position: `offer 1` or `price 3 of offer 1`.
        place: String,
        /// The problem, to follow the position in a sentence.
        what: String,
    },
    /// More prices than there can be.
    #[error("the document has more than {MAX_PRICES} prices")]
    TooMuch,
    /// A name that the catalogue does not have.
    #[error("{place} is of an unknown item: {what}")]
    UnknownItem {
        /// Position.
        place: String,
        /// The unknown name.
        what: String,
    },
}

impl DocumentError {
    /// Hint: the documents that are accepted.
    pub fn hint(&self) -> &'static str {
        match self {
            DocumentError::TooMuch => {
                "Import the offers one by one; what \"ebsctl prices --dry-run FILE\" makes of one has some 500 prices."
            }
            _ => SHAPE,
        }
    }
}

/// Storage prices from AWS's offer files, as ebs_import_prices reads them: of one file, or an array of several.
#[derive(Serialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) enum Document<'a> {
    /// Prices of one offer file.
    One(OfferDocument<'a>),
    /// Prices of several.
    Several(Vec<OfferDocument<'a>>),
}

object! {
    /// Storage prices of one offer file.
    // Keys in alphabetical order, as documents have had them from the beginning.
    pub(super) struct OfferDocument<'a>(offer: &'a Offer) {
        /// `AmazonEC2` or `AmazonRDS`.
        offer: &'a str = &offer.code,
        /// Prices, at most 20,000 in the whole document and each once.
        prices: Vec<PriceDocument<'a>> = offer.rows.iter().map(PriceDocument::from).collect(),
        /// Date of publication, `2026-10-15`.
        published: &'a str = &offer.published,
        /// AWS's number of this edition, `20261015191316`: at most 64 letters, digits, dots and dashes.
        version: &'a str = &offer.version,
    }
}

object! {
    /// A price.
    // Keys in alphabetical order, too.
    pub(super) struct PriceDocument<'a>(row: &'a Row) {
        /// `storage`, `iops`, `iops above 32000`, `iops above 64000` or `throughput`.
        part: &'static str = row.item.part.name(),
        /// AWS region, `us-east-1`.
        region: &'a str = &row.region,
        /// US dollars a month for a GiB, an I/O operation a second or a MiB/s, exactly: a decimal number of at most 15 decimals as
        /// text. ebs_import_prices takes a number, too.
        usd: String = row.usd.to_string(),
        /// Volume type, by AWS's name for it.
        volume_type: &'static str = row.item.volume_type.name(),
    }
}

/// The document of these offers: one object, or an array of several.
pub fn write_document(offers: &[Offer]) -> String {
    let document = match offers {
        [offer] => Document::One(offer.into()),
        offers => Document::Several(offers.iter().map(OfferDocument::from).collect()),
    };
    // Text and numbers alone, none of which is refused.
    serde_json::to_string(&document).unwrap_or_default()
}

/// Reads a document; refuses it as a whole or not at all.
pub fn read_document(document: &Value) -> Result<Vec<ImportedPrice>, DocumentError> {
    let offers = document.as_array().map_or(std::slice::from_ref(document), Vec::as_slice);
    let rows = |offer: &Value| offer.get("prices").and_then(Value::as_array).map_or(1, Vec::len);
    if offers.iter().map(rows).fold(0, usize::saturating_add) > MAX_PRICES {
        return Err(DocumentError::TooMuch);
    }
    let mut prices = Vec::new();
    for (offer, number) in offers.iter().zip(1..) {
        let place = format!("offer {number}");
        read_offer(offer, &place, &mut prices)?;
    }
    if prices.is_empty() {
        return Err(bad("the document", "has no prices"));
    }
    let mut seen: Vec<(&str, Item)> = prices.iter().map(|(region, item, _)| (region.as_str(), *item)).collect();
    seen.sort_unstable();
    match seen.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(bad("the document", &format!("has {} in {} twice", pair[0].1, pair[0].0))),
        None => Ok(prices),
    }
}

fn bad(place: &str, what: &str) -> DocumentError {
    DocumentError::Shape { place: place.to_owned(), what: what.to_owned() }
}

fn read_offer(offer: &Value, place: &str, prices: &mut Vec<ImportedPrice>) -> Result<(), DocumentError> {
    let object = offer.as_object().ok_or_else(|| bad(place, "is no object"))?;
    let code = text(object, "offer", place)?;
    let version = text(object, "version", place)?;
    let as_of = text(object, "published", place)?;
    parse_platform(code).map_err(|_| bad(place, "has an \"offer\" that is not AmazonEC2 or AmazonRDS"))?;
    if !is_version(version) {
        return Err(bad(place, "has no \"version\" of at most 64 letters, digits, dots and dashes"));
    }
    if parse_day(as_of).as_deref() != Some(as_of) {
        return Err(bad(place, "has no \"published\" that is a date, as in 2026-10-15"));
    }
    let rows = object.get("prices").and_then(Value::as_array).ok_or_else(|| bad(place, "has no array \"prices\""))?;
    for (row, number) in rows.iter().zip(1..) {
        let place = format!("price {number} of {place}");
        let (region, item, usd) = read_row(row, code, &place)?;
        let basis = format!("{code} {version}");
        prices.push((region, item, Price { usd, status: Status::Imported, basis, as_of: as_of.to_owned() }));
    }
    Ok(())
}

fn read_row(row: &Value, code: &str, place: &str) -> Result<(String, Item, Usd), DocumentError> {
    let object = row.as_object().ok_or_else(|| bad(place, "is no object"))?;
    let region = text(object, "region", place)?;
    if !is_region(region) {
        return Err(bad(place, "has a \"region\" that does not look like us-east-1"));
    }
    let unknown = |what: String| DocumentError::UnknownItem { place: place.to_owned(), what };
    let item = Item {
        platform: parse_platform(code).map_err(|error| unknown(error.to_string()))?,
        volume_type: text(object, "volume_type", place)?.parse().map_err(|error| unknown(format!("{error}")))?,
        part: text(object, "part", place)?.parse().map_err(|error| unknown(format!("{error}")))?,
    };
    if !item.is_sold() {
        return Err(unknown(format!("{item} has no price of its own on {}", item.platform.name())));
    }
    let usd = match object.get("usd") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    let usd: Usd = usd.parse().map_err(|error| bad(place, &format!("has no \"usd\": {error}")))?;
    if usd <= Usd::default() {
        return Err(bad(place, &format!("costs ${usd}, which is no price")));
    }
    Ok((region.to_owned(), item, usd))
}

fn text<'a>(object: &'a Map<String, Value>, key: &str, place: &str) -> Result<&'a str, DocumentError> {
    object.get(key).and_then(Value::as_str).ok_or_else(|| bad(place, &format!("has no text \"{key}\"")))
}
