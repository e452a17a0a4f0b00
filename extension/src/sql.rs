//! Queries of one row.

use ebs_base::input;
use pgrx::datum::DatumWithOid;
use pgrx::prelude::*;
use pgrx::{IntoDatum, spi};
use serde::de::DeserializeOwned;

use crate::errors::Error;
use crate::interrupts::check_interrupts;
use crate::memory;

/// Returns the first row of a query that writes nothing, as `read` reads it; `None` without rows. Uses neither SPI's `update` nor
/// `Spi::get_one` and its like: they take a transaction id, which a standby does not assign.
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

/// Reads a column of bigint as a count; 0 for NULL and for a negative number.
pub fn count_column(row: &spi::SpiHeapTupleData, column: usize) -> Result<u64, spi::Error> {
    Ok(row.get::<i64>(column)?.and_then(|count| u64::try_from(count).ok()).unwrap_or(0))
}

/// A jsonb column, as errors name what is in it.
pub struct JsonColumn {
    /// `The reading`, which takes memory.
    pub subject: &'static str,
    /// `reading of a run`, which cannot be read.
    pub name: &'static str,
    /// Reason that it cannot be read.
    pub hint: &'static str,
}

/// A document of a run: its note, its environment, details of a result.
pub const RUN_DOCUMENT: JsonColumn = JsonColumn {
    subject: "The document of a run",
    name: "document of a run",
    hint: "A table in schema ebs was changed by hand, or written by a later version.",
};

impl JsonColumn {
    /// Reads the column, which the query gives as text, in pieces. As jsonb pgrx would read it in one piece, however large the
    /// result.
    pub fn read<T: DeserializeOwned>(&self, row: &spi::SpiHeapTupleData, column: usize) -> Result<Option<T>, Error> {
        memory::require_piece(self.subject)?;
        let read = |text| input::json(text, &check_interrupts).map_err(|error| self.damaged(&error));
        row.get::<&str>(column)?.map(read).transpose()
    }

    fn damaged(&self, error: &serde_json::Error) -> Error {
        let message = format!("{} cannot be read: {error}", self.name);
        Error::new(PgSqlErrorCode::ERRCODE_DATA_CORRUPTED, message, self.hint)
    }
}

/// Returns the first value of a query that writes nothing; `None` without rows and for NULL.
pub fn first_value<T: FromDatum + IntoDatum>(query: &str, arguments: &[DatumWithOid]) -> Result<Option<T>, Error> {
    Ok(first_row(query, arguments, |row| row.get::<T>(1))?.flatten())
}

/// Returns the text that is the first value of a query; empty where there is none.
pub fn first_text(query: &str, arguments: &[DatumWithOid]) -> Result<String, Error> {
    Ok(first_value(query, arguments)?.unwrap_or_default())
}

/// Returns the first value of a query that writes, or that is to see what was written since the calling statement began. Not on a
/// standby.
pub fn fresh_value<T: FromDatum + IntoDatum>(query: &str, arguments: &[DatumWithOid]) -> Result<Option<T>, Error> {
    Spi::connect_mut(|client| match client.update(query, Some(1), arguments)?.next() {
        Some(row) => Ok(row.get(1)?),
        None => Ok(None),
    })
}

/// Runs a statement that writes.
pub fn execute(statement: &str, arguments: &[DatumWithOid]) -> Result<(), Error> {
    Ok(Spi::run_with_args(statement, arguments)?)
}

/// Runs a statement that writes, and returns the number of rows that it wrote.
pub fn execute_counted(statement: &str, arguments: &[DatumWithOid]) -> Result<usize, Error> {
    Spi::connect_mut(|client| Ok(client.update(statement, None, arguments)?.len()))
}

/// Returns the rows of a query that writes nothing, as `read` reads each; it can be cancelled before each row.
pub fn select_rows<T, C: FromIterator<T>>(
    query: &str,
    arguments: &[DatumWithOid],
    mut read: impl FnMut(&spi::SpiHeapTupleData) -> Result<T, Error>,
) -> Result<C, Error> {
    Spi::connect(|client| {
        let read_row = |row| {
            check_interrupts();
            read(&row)
        };
        client.select(query, None, arguments)?.map(read_row).collect()
    })
}
