//! Reading a row in a way that works on a standby.

use pgrx::datum::DatumWithOid;
use pgrx::prelude::*;
use pgrx::spi;

use crate::errors::Failure;

/// What `read` makes of the first row of a query that writes nothing; `None` without rows. Neither SPI's `update` nor
/// `Spi::get_one` and its neighbours: they take a transaction id, and there is none to be had on a standby.
pub fn first<T>(
    query: &str,
    arguments: &[DatumWithOid],
    read: impl FnOnce(&spi::SpiHeapTupleData) -> Result<T, spi::Error>,
) -> Result<Option<T>, Failure> {
    Spi::connect(|client| match client.select(query, Some(1), arguments)?.next() {
        Some(row) => Ok(Some(read(&row)?)),
        None => Ok(None),
    })
}

/// The text in the first column of that row; empty where there is none.
pub fn first_text(query: &str, arguments: &[DatumWithOid]) -> Result<String, Failure> {
    Ok(first(query, arguments, |row| row.get::<String>(1))?.flatten().unwrap_or_default())
}
