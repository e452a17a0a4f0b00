//! ebs_import_fleet, ebs_fleet_forget: answers of ebsctl fleet.

use ebs_fleet_row::answers::{AnswerError, read};
use pgrx::datum::TimestampWithTimeZone;
use pgrx::prelude::*;

use crate::errors::{Error, SqlResult};
use crate::functions::documents;
use crate::functions::values::{from_timestamp, to_bigint};
use crate::interrupts::check_interrupts;
use crate::storage;

#[pg_extern(sql = false)]
fn ebs_import_fleet(answers: Option<&str>, advised_at: Option<TimestampWithTimeZone>) -> SqlResult<i64> {
    storage::require_writable(c"ebs_import_fleet()");
    let advised_us = read_time("advised_at", advised_at)?;
    let text = documents::check_fleet_answers(answers)?;
    let found = read(text, &check_interrupts).map_err(import_error)?;
    storage::store_fleet_answers(&found, advised_us)?;
    Ok(to_bigint(found.len()))
}

#[pg_extern(sql = false)]
fn ebs_fleet_forget(before: Option<TimestampWithTimeZone>) -> SqlResult<i64> {
    storage::begin_change(c"ebs_fleet_forget()")?;
    Ok(to_bigint(storage::forget_fleet_answers(read_time("before", before)?)?))
}

fn read_time(name: &str, time: Option<TimestampWithTimeZone>) -> Result<i64, Error> {
    let invalid = || Error::invalid_parameter(format!("{name} is no time since 1970"), "Give a time, such as now().");
    time.and_then(from_timestamp).ok_or_else(invalid)
}

fn import_error(error: AnswerError) -> Error {
    let code = match &error {
        AnswerError::TooMany | AnswerError::TooLong(_) => PgSqlErrorCode::ERRCODE_PROGRAM_LIMIT_EXCEEDED,
        AnswerError::Duplicate(_) => PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE,
        _ => PgSqlErrorCode::ERRCODE_INVALID_TEXT_REPRESENTATION,
    };
    Error::new(code, error.to_string(), error.hint()).with_detail("Nothing was imported.")
}
