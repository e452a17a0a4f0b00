//! ebs_prices, ebs_import_prices, ebs_prices_reset: unit prices, and how users refresh them.

use ebs_advice::advice::Settings;
use ebs_aws::catalogue::{self, Platform};
use ebs_aws::offer::{BadDocument, Imported, read_document};
use pgrx::datum::Date;
use pgrx::prelude::*;
use pgrx::{AnyElement, AnyNumeric, JsonB};

use super::price::date;
use crate::errors::{Error, SqlResult, notice};
use crate::functions::documents;
use crate::{ffi, storage};

type Row = (
    name!(volume_type, &'static str),
    name!(part, &'static str),
    name!(unit, &'static str),
    name!(usd, AnyNumeric),
    name!(status, &'static str),
    name!(basis, String),
    name!(published, Date),
);

#[pg_extern(sql = false)]
fn ebs_prices(region: Option<&str>, platform: Option<&str>) -> SqlResult<TableIterator<'static, Row>> {
    let platform: Platform = platform.unwrap_or(&Settings::default().platform).parse().map_err(Error::from)?;
    let prices = storage::prices_of_region(region.unwrap_or(&Settings::default().region))?;
    let mut rows: Vec<Row> = Vec::new();
    for (item, price) in prices.sold_on(platform) {
        rows.push((
            item.volume_type.name(),
            item.part.name(),
            item.part.unit(),
            exact(&(price.usd * platform.copies()).to_string())?,
            price.status.name(),
            price.basis.clone(),
            date(&price.as_of)?,
        ));
    }
    Ok(TableIterator::new(rows))
}

/// With all its decimals: a bill rounds, a price does not.
fn exact(usd: &str) -> Result<AnyNumeric, Error> {
    AnyNumeric::try_from(usd).map_err(|_| {
        Error::new(PgSqlErrorCode::ERRCODE_INTERNAL_ERROR, format!("\"{usd}\" is no numeric"), "Report this.")
    })
}

#[pg_extern(sql = false)]
fn ebs_import_prices(prices: Option<AnyElement>) -> SqlResult<i64> {
    ffi::require_writable(c"ebs_import_prices()");
    let Some(JsonB(document)) = documents::imported(prices, "the price list")? else {
        let hint = "SELECT ebs_prices_reset(); goes back to the built-in prices.";
        let code = PgSqlErrorCode::ERRCODE_NULL_VALUE_NOT_ALLOWED;
        return Err(Error::new(code, "prices must not be null", hint).into());
    };
    let prices = read_document(&document).map_err(refused)?;
    let taken = storage::import_prices(&prices)?;
    tell_of_old(&prices);
    Ok(i64::try_from(taken).unwrap_or(i64::MAX))
}

fn refused(error: BadDocument) -> Error {
    let code = match &error {
        BadDocument::Shape { .. } => PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE,
        BadDocument::TooMuch => PgSqlErrorCode::ERRCODE_PROGRAM_LIMIT_EXCEEDED,
        BadDocument::UnknownItem { .. } => PgSqlErrorCode::ERRCODE_UNDEFINED_OBJECT,
    };
    Error::new(code, error.to_string(), error.hint()).with_detail("No price was imported.")
}

/// An old file is no error, and nobody should wonder why it changed nothing.
fn tell_of_old(prices: &[Imported]) {
    let older = |(region, item, price): &&Imported| {
        let known = catalogue::prices(region).ok().and_then(|prices| prices.items.get(item));
        known.is_some_and(|known| known.as_of > price.as_of)
    };
    let old = prices.iter().filter(older).count();
    if old > 0 {
        let all = prices.len();
        notice(format!(
            "{old} of {all} prices are not used: this version has later ones, of {}",
            catalogue::PRICES_AS_OF
        ));
    }
}

#[pg_extern(sql = false)]
fn ebs_prices_reset() -> SqlResult<i64> {
    ffi::require_writable(c"ebs_prices_reset()");
    Ok(i64::try_from(storage::reset_prices()?).unwrap_or(i64::MAX))
}
