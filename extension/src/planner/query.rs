//! Queries that the planner's questions take, in a way that works on a standby.

use pgrx::datum::DatumWithOid;
use pgrx::prelude::*;
use pgrx::{IntoDatum, spi};

use crate::errors::Error;

/// The first value of a query that writes nothing. Not `Spi::get_one`, which takes a transaction id: there is none to be had
/// on a standby.
pub fn first_value<T: FromDatum + IntoDatum>(query: &str, arguments: &[DatumWithOid]) -> Result<Option<T>, spi::Error> {
    Spi::connect(|client| match client.select(query, Some(1), arguments)?.next() {
        Some(row) => row.get::<T>(1),
        None => Ok(None),
    })
}

/// The schema of an extension, as SQL takes it; `None` if this database does not have it.
pub fn schema_of(extension: &str) -> Result<Option<String>, Error> {
    let query = "SELECT pg_catalog.quote_ident(n.nspname) FROM pg_catalog.pg_extension e
                 JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = $1";
    Ok(first_value::<String>(query, &[extension.into()])?)
}

/// Sets a parameter until the subtransaction ends.
pub fn set_parameter(name: &str, value: &str) -> Result<(), String> {
    first_value::<String>("SELECT pg_catalog.set_config($1, $2, true)", &[name.into(), value.into()])
        .map(|_| ())
        .map_err(|error| error.to_string())
}
