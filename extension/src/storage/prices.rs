//! Table ebs.price.

use ebs_answer::price_region;
use ebs_aws::catalogue::{self, Item, Price, Prices, Status, Zone};
use ebs_aws::offer::ImportedPrice;
use pgrx::prelude::*;
use pgrx::spi::SpiHeapTupleData;

use super::change_lock::lock_changes;
use super::limits::check_prices;
use crate::errors::Error;
use crate::sql::{execute_counted, first_text, select_rows};

/// Reads the prices by which volumes of a region or a zone are ordered: its own, or else those that stand in for them.
pub fn prices_of_place(place: &str) -> Result<Prices, Error> {
    ebs_answer::prices_of_place(place, prices_of_region)
}

/// Reads the prices that are shown of a region or a zone: none of a zone, and of a region of which no price list can be imported; another
/// region without prices is refused.
pub fn prices_to_show(place: &str) -> Result<Prices, Error> {
    let has_none = Zone::parse(place).is_some() || catalogue::describe_without_price_list(place).is_some();
    if has_none { prices_of_place(place) } else { prices_of_region(place) }
}

/// Reads the prices of a region: of each item the later publication, built in or imported.
pub fn prices_of_region(region: &str) -> Result<Prices, Error> {
    Ok(ebs_answer::prices_of_region(region, read_imported(price_region(region))?)?)
}

fn read_imported(region: String) -> Result<Vec<(Item, Price)>, Error> {
    // Not by a cast: that is DateStyle's.
    let query = "SELECT platform, volume_type, part, usd::text, basis, to_char(published, 'YYYY-MM-DD')
                 FROM ebs.price WHERE region = $1";
    select_rows(query, &[region.into()], read_price)
}

fn read_price(row: &SpiHeapTupleData) -> Result<(Item, Price), Error> {
    let text = |column: usize| -> Result<String, Error> { Ok(row.get::<String>(column)?.unwrap_or_default()) };
    let item = Item { platform: text(1)?.parse()?, volume_type: text(2)?.parse()?, part: text(3)?.parse()? };
    let usd = text(4)?.parse().map_err(|error| {
        let hint = "Table ebs.price was changed by hand: SELECT ebs_prices_reset(); empties it.";
        Error::new(PgSqlErrorCode::ERRCODE_DATA_CORRUPTED, format!("price of {item}: {error}"), hint)
    })?;
    Ok((item, Price { usd, status: Status::Imported, basis: text(5)?, as_of: text(6)? }))
}

/// Stores prices, and returns their number, without those that are older than the stored ones.
pub fn import_prices(prices: &[ImportedPrice]) -> Result<usize, Error> {
    const INSERT: &str = "
        INSERT INTO ebs.price AS stored (region, platform, volume_type, part, usd, basis, published)
        SELECT r, p, v, t, u::numeric, b, d::date
        FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
             AS new (r, p, v, t, u, b, d)
        ON CONFLICT (region, platform, volume_type, part) DO UPDATE
            SET usd = excluded.usd, basis = excluded.basis, published = excluded.published,
                imported_at = excluded.imported_at, imported_by = excluded.imported_by
            WHERE stored.published <= excluded.published";
    let column = |text: fn(&ImportedPrice) -> String| prices.iter().map(text).collect::<Vec<String>>();
    let columns = [
        column(|(region, ..)| region.clone()),
        column(|(_, item, _)| item.platform.name().to_owned()),
        column(|(_, item, _)| item.volume_type.name().to_owned()),
        column(|(_, item, _)| item.part.name().to_owned()),
        column(|(.., price)| price.usd.to_string()),
        column(|(.., price)| price.basis.clone()),
        column(|(.., price)| price.as_of.clone()),
    ];
    let columns = columns.map(Into::into);
    lock_changes()?;
    let stored = execute_counted(INSERT, &columns)?;
    check_prices()?;
    Ok(stored)
}

/// Removes all imported prices, and returns their number.
pub fn reset_prices() -> Result<usize, Error> {
    execute_counted("DELETE FROM ebs.price", &[])
}

/// Number and date of the imported prices, as text: `13 prices imported, the latest of 2026-11-15`; empty where there are none.
pub fn describe_imported_prices() -> Result<String, Error> {
    first_text(
        "SELECT CASE WHEN count(*) > 0
                THEN format('%s prices imported, the latest of %s', count(*), to_char(max(published), 'YYYY-MM-DD')) END
         FROM ebs.price",
        &[],
    )
}
