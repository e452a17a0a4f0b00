//! Asks PostgreSQL's planner: statements from pg_stat_statements, facts of tables, plans with hypothetical indexes.
//!
//! Everything here runs with the rights of whoever asks, and no statement is executed.

mod advice;
mod hypothetical;
mod session;
mod statements;
mod tables;

pub use advice::{Question, advice, indexes};
pub use statements::statements;

use ebs_tuning::indexes::{Finding, Kind};
use pgrx::datum::DatumWithOid;
use pgrx::prelude::*;
use pgrx::{IntoDatum, PgSqlErrorCode, spi};

use crate::errors::Error;
use crate::ffi;

/// The first value of a query that writes nothing. Not `Spi::get_one`, which takes a transaction id: there is none to be had
/// on a standby.
fn ask<T: FromDatum + IntoDatum>(query: &str, arguments: &[DatumWithOid]) -> Result<Option<T>, spi::Error> {
    Spi::connect(|client| match client.select(query, Some(1), arguments)?.next() {
        Some(row) => row.get::<T>(1),
        None => Ok(None),
    })
}

/// The schema of an extension, as SQL takes it; `None` if this database does not have it.
fn schema_of(extension: &str) -> Result<Option<String>, Error> {
    let query = "SELECT pg_catalog.quote_ident(n.nspname) FROM pg_catalog.pg_extension e
                 JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = $1";
    Ok(ask::<String>(query, &[extension.into()])?)
}

/// Whether hypothetical indexes can be tried here.
pub fn can_try() -> Result<bool, Error> {
    Ok(schema_of("hypopg")?.is_some())
}

/// Where this session looks names up, unless it was told otherwise since it began.
pub fn default_search_path() -> Result<String, Error> {
    let query = "SELECT reset_val FROM pg_catalog.pg_settings WHERE name = 'search_path'";
    Ok(ask::<String>(query, &[])?.unwrap_or_default())
}

/// Longest search_path, bytes: more than a hundred names of the longest that there are, 63 bytes.
const MAX_SEARCH_PATH: usize = 10_000;

/// Refuses what PostgreSQL would not take for a search_path, or what is too long for one.
pub fn check_search_path(path: &str) -> Result<(), Error> {
    if path.len() > MAX_SEARCH_PATH {
        let detail = format!("It has {} bytes, and at most {MAX_SEARCH_PATH} are taken.", path.len());
        let hint = "Name the schemas that the statements need.";
        let code = PgSqlErrorCode::ERRCODE_PROGRAM_LIMIT_EXCEEDED;
        return Err(Error::new(code, "search_path is too long", hint).with_detail(detail));
    }
    let tried = ffi::attempt(|| session::set("search_path", path)).and_then(|set| set);
    tried.map_err(|problem| {
        let hint = "As in SET search_path: for example search_path => '\"$user\", public'.";
        Error::new(PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE, problem, hint)
    })
}

/// What to do about an extension that is not there.
fn missing(extension: &str, what_for: &str) -> Result<Finding, Error> {
    let query = "SELECT true FROM pg_catalog.pg_available_extensions WHERE name = $1";
    let reason = match ask::<bool>(query, &[extension.into()])? {
        Some(true) => format!("{extension} is not in this database: CREATE EXTENSION {extension}; {what_for}"),
        _ => format!(
            "{extension} is not installed on this server: install its package, then CREATE EXTENSION {extension}; {what_for}"
        ),
    };
    let finding = Finding::new(Kind::Missing, reason);
    Ok(Finding { command: Some(format!("CREATE EXTENSION {extension}")), ..finding })
}
