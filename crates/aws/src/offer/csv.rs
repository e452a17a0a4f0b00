//! Offer files in CSV: five lines of metadata, a line of column names in no stable order, one line a price.

use std::io::BufRead;

use super::error::OfferError;
use super::gather::{Attributes, Gathered, Rate};
use super::head::{Head, parse_platform};
use super::records::Records;

/// Most lines before the column names; AWS's files have five.
const METADATA_LIMIT: usize = 20;

/// Positions of the columns that are read.
struct Columns {
    all: usize,
    sku: usize,
    term_type: usize,
    unit: usize,
    price: usize,
    currency: usize,
    begin: usize,
    end: usize,
    location_type: usize,
    region: usize,
    usage: usize,
    /// RDS only.
    engine: Option<usize>,
    /// RDS only.
    deployment: Option<usize>,
}

/// Reads a file, whose prices go to `gathered`.
pub(super) fn read(source: impl BufRead, gathered: &mut Gathered) -> Result<Head, OfferError> {
    let mut records = Records::new(source);
    let head = metadata(&mut records)?;
    let columns = Columns::find(&records)?;
    while records.advance()? {
        if records.len() != columns.all {
            let (has, wants) = (records.len(), columns.all);
            return Err(records.broken(format!("it has {has} columns, and the column names are {wants}")));
        }
        row(&records, &columns, gathered)?;
    }
    Ok(head)
}

/// Reads up to the column names.
fn metadata(records: &mut Records<impl BufRead>) -> Result<Head, OfferError> {
    let mut head = Head::default();
    for _ in 0..METADATA_LIMIT {
        if !records.advance()? {
            return Err(records.broken("the file ends before its column names"));
        }
        let value = || records.field(1).map(|text| Some(text.to_owned()));
        match normal(records.field(0)?).as_str() {
            "sku" => return Ok(head),
            "offercode" => {
                head.code = value()?;
                // Another service's file may be hundreds of MB long.
                parse_platform(head.code.as_deref().unwrap_or_default())?;
            }
            "version" => head.version = value()?,
            "publicationdate" => head.published = value()?,
            _ => {}
        }
    }
    Err(OfferError::NotAnOffer(format!("none of its first {METADATA_LIMIT} lines begins with SKU")))
}

/// Column names differ in case and spaces: usageType, Usage Type.
fn normal(name: &str) -> String {
    name.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect()
}

impl Columns {
    fn find(records: &Records<impl BufRead>) -> Result<Columns, OfferError> {
        let names = (0..records.len()).map(|column| records.field(column).map(normal));
        let names: Vec<String> = names.collect::<Result<_, _>>()?;
        let optional = |name: &str| names.iter().position(|known| *known == normal(name));
        let column = |name: &str| {
            if names.iter().filter(|known| **known == normal(name)).count() > 1 {
                return Err(records.broken(format!("there are two columns \"{name}\"")));
            }
            optional(name).ok_or_else(|| records.broken(format!("there is no column \"{name}\"")))
        };
        Ok(Columns {
            all: names.len(),
            sku: column("SKU")?,
            term_type: column("TermType")?,
            unit: column("Unit")?,
            price: column("PricePerUnit")?,
            currency: column("Currency")?,
            begin: column("StartingRange")?,
            end: column("EndingRange")?,
            location_type: column("Location Type")?,
            region: column("Region Code")?,
            usage: column("usageType")?,
            engine: optional("Database Engine"),
            deployment: optional("Deployment Option"),
        })
    }
}

fn row(records: &Records<impl BufRead>, columns: &Columns, gathered: &mut Gathered) -> Result<(), OfferError> {
    let optional = |column: Option<usize>| column.map_or(Ok(""), |column| records.field(column));
    let (at, sku) = (records.at(), records.field(columns.sku)?);
    let product = gathered.product(&Attributes {
        at,
        sku,
        usage: records.field(columns.usage)?,
        location_type: records.field(columns.location_type)?,
        region: records.field(columns.region)?,
        engine: optional(columns.engine)?,
        deployment: optional(columns.deployment)?,
    })?;
    let Some(product) = product else { return Ok(()) };
    if records.field(columns.term_type)? != "OnDemand" {
        gathered.leave_out::<()>("not on demand");
        return Ok(());
    }
    gathered.price(
        &product,
        &Rate {
            at,
            sku,
            unit: records.field(columns.unit)?,
            begin: records.field(columns.begin)?,
            end: records.field(columns.end)?,
            currency: records.field(columns.currency)?,
            price: records.field(columns.price)?,
        },
    )
}
