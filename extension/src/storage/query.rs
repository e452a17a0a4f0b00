//! Queries of one row, in a way that works on a standby.

use ebs_base::input;
use pgrx::datum::DatumWithOid;
use pgrx::prelude::*;
use pgrx::spi;
use serde::de::DeserializeOwned;

use crate::errors::Error;
use crate::interrupts::check_interrupts;
use crate::memory;

/// Returns the first row of a query that writes nothing, as `read` reads it; `None` without rows. Uses neither SPI's `update` nor
/// `Spi::get_one` and its like: they take a transaction id, and there is none to be had on a standby.
pub fn first_row<T, E>(
    query: &str,
    arguments: &[DatumWithOid],
    read: impl FnOnce(&spi::SpiHeapTupleData) -> Result<T, E>,
) -> Result<Option<T>, Error>
where
    Error: From<E>,
{
    memory::prepare();
    Spi::connect(|client| match client.select(query, Some(1), arguments)?.next() {
        Some(row) => Ok(Some(read(&row)?)),
        None => Ok(None),
    })
}

/// Reads a jsonb column that the query gives as text, in pieces. As jsonb pgrx would read it in one piece, however large the
/// result.
pub fn json_column<T: DeserializeOwned>(row: &spi::SpiHeapTupleData, column: usize) -> Result<Option<T>, Error> {
    memory::require_piece("The document of a run")?;
    let read = |text| input::json(text, &check_interrupts).map_err(|error| damaged_document(&error));
    row.get::<&str>(column)?.map(read).transpose()
}

fn damaged_document(error: &serde_json::Error) -> Error {
    let hint = "A table in schema ebs was changed by hand, or written by a later version.";
    Error::new(PgSqlErrorCode::ERRCODE_DATA_CORRUPTED, format!("document of a run cannot be read: {error}"), hint)
}

/// The text in the first column of the first row; empty where there is none.
pub fn first_text(query: &str, arguments: &[DatumWithOid]) -> Result<String, Error> {
    Ok(first_row(query, arguments, |row| row.get::<String>(1))?.flatten().unwrap_or_default())
}
