//! ebs_prices, ebs_import_prices, ebs_prices_reset: unit prices, and their refresh by users.

use ebs_advice::Settings;
use ebs_aws::catalogue::{self, Item, Platform, Price};
use ebs_aws::offer::{DocumentError, ImportedPrice, read_document};
use pgrx::datum::Date;
use pgrx::prelude::*;
use pgrx::{AnyElement, AnyNumeric, JsonB};

use crate::errors::{Error, SqlResult, notice};
use crate::functions::documents;
use crate::functions::sql_row::{Columns, sql_row, table};
use crate::functions::values::{to_bigint, to_date};
use crate::storage;

sql_row! {
    struct UnitPriceRow(item: &Item, price: &Price, usd: AnyNumeric, published: Date) {
        volume_type: &'static str = item.volume_type.name(),
        part: &'static str = item.part.name(),
        unit: &'static str = item.part.unit(),
        usd: AnyNumeric = usd,
        status: &'static str = price.status.name(),
        basis: String = price.basis.clone(),
        published: Date = published,
    }
}

#[pg_extern(sql = false)]
fn ebs_prices(
    region: Option<&str>,
    platform: Option<&str>,
) -> SqlResult<TableIterator<'static, Columns<UnitPriceRow>>> {
    let default = Settings::default();
    let platform: Platform = platform.unwrap_or(&default.platform).parse().map_err(Error::from)?;
    let region = region.unwrap_or(&default.region);
    let prices = storage::prices_to_show(region)?;
    let mut rows = Vec::new();
    for (item, price) in prices.sold_on(platform) {
        let usd = to_exact_numeric(&(price.usd * platform.copies()).to_string())?;
        rows.push(UnitPriceRow::new(item, price, usd, to_date(&price.as_of)?));
    }
    Ok(table(rows))
}

/// Converts a price with all its decimals: a bill is rounded, a price is not.
fn to_exact_numeric(usd: &str) -> Result<AnyNumeric, Error> {
    AnyNumeric::try_from(usd).map_err(|_| {
        Error::new(PgSqlErrorCode::ERRCODE_INTERNAL_ERROR, format!("\"{usd}\" is no numeric"), "Report this.")
    })
}

#[pg_extern(sql = false)]
fn ebs_import_prices(prices: Option<AnyElement>) -> SqlResult<i64> {
    storage::require_writable(c"ebs_import_prices()");
    let Some(JsonB(document)) = documents::read_import(prices, "the price list")? else {
        let hint = "SELECT ebs_prices_reset(); goes back to the built-in prices.";
        let code = PgSqlErrorCode::ERRCODE_NULL_VALUE_NOT_ALLOWED;
        return Err(Error::new(code, "prices must not be null", hint).into());
    };
    let prices = read_document(&document).map_err(document_error)?;
    let stored = storage::import_prices(&prices)?;
    report_outdated(&prices);
    Ok(to_bigint(stored))
}

fn document_error(error: DocumentError) -> Error {
    let code = match &error {
        DocumentError::Shape { .. } => PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE,
        DocumentError::TooMuch => PgSqlErrorCode::ERRCODE_PROGRAM_LIMIT_EXCEEDED,
        DocumentError::UnknownItem { .. } => PgSqlErrorCode::ERRCODE_UNDEFINED_OBJECT,
    };
    Error::new(code, error.to_string(), error.hint()).with_detail("No price was imported.")
}

/// Reports prices that are older than the built-in ones: no error, and no reason to wonder why they changed nothing.
fn report_outdated(prices: &[ImportedPrice]) {
    let is_outdated = |(region, item, price): &&ImportedPrice| {
        let known = catalogue::prices(region).ok().and_then(|prices| prices.items.get(item));
        known.is_some_and(|known| known.as_of > price.as_of)
    };
    let outdated = prices.iter().filter(is_outdated).count();
    if outdated > 0 {
        let all = prices.len();
        notice(format!(
            "{outdated} of {all} prices are not used: this version has later ones, of {}",
            catalogue::PRICES_AS_OF
        ));
    }
}

#[pg_extern(sql = false)]
fn ebs_prices_reset() -> SqlResult<i64> {
    storage::begin_change(c"ebs_prices_reset()")?;
    Ok(to_bigint(storage::reset_prices()?))
}
