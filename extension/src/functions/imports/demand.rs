//! Imports of demand: files of formats that give the demand of a server's devices, each as a run. The name of the SQL function says which
//! format it is.

use std::ffi::CString;

use ebs_answer::ImportedRun;
use ebs_base::argument::Argument;
use ebs_base::names::truncated;
use ebs_imports::format::arguments::{
    DEVICE, INTERVAL_S, LABEL, PERIOD_S, SINCE_BOOT, STARTED_AT, TIME_ZONE, WAL_DEVICE,
};
use ebs_imports::format::{DemandReader, Format, Reader, SqlFunction};
use ebs_imports::formats::{formats, read_demand};
use ebs_imports::monitoring::{Calendar, ImportError, ImportOptions, MonitoringData};
use pgrx::PgSqlErrorCode;
use pgrx::prelude::*;

use super::imported_run::{check_names, import_error, store_run};
use crate::errors::{Error, SqlResult};
use crate::ffi::CalledFunction;
use crate::functions::documents;
use crate::functions::values::from_timestamp;
use crate::interrupts::check_interrupts;
use crate::sql::first_text;
use crate::storage;

/// Longest time zone that is copied, characters: longer than any that is known.
const MAX_TIME_ZONE: usize = 200;

#[pg_extern(sql = false)]
fn ebs_import_demand(call: CalledFunction) -> SqlResult<i64> {
    let (format, reader, function) = find_format(&call)?;
    storage::require_writable(&CString::new(format!("{}()", function.name)).unwrap_or_default());
    let (label, devices) = (call.text(LABEL.name), (call.text(DEVICE.name), call.text(WAL_DEVICE.name)));
    check_names(label, &[devices.0, devices.1], format.shape)?;
    let options = import_options(&call, format, &function)?;
    let imported = read(&call, format, reader, function.document, &options)?;
    let run = imported.and_then(|imported| ImportedRun::from_monitoring(imported, devices, &check_interrupts));
    Ok(store_run(label, run, format.shape)?)
}

/// Finds the format whose SQL function is called; another function that somebody has given this symbol is refused.
fn find_format(call: &CalledFunction) -> Result<(&'static Format, DemandReader, SqlFunction), Error> {
    let found = formats().find_map(|format| match (format.reader, format.sql) {
        (Reader::Demand(reader), Some(function)) if function.name == call.name() => Some((format, reader, function)),
        _ => None,
    });
    found.ok_or_else(|| {
        let message = format!("function {} imports no format", call.name());
        let hint = "Call the functions that CREATE EXTENSION has made.";
        Error::new(PgSqlErrorCode::ERRCODE_UNDEFINED_FUNCTION, message, hint)
    })
}

/// Reads the document that the function was called with.
fn read(
    call: &CalledFunction,
    format: &Format,
    reader: DemandReader,
    document: &Argument,
    options: &ImportOptions,
) -> Result<Result<MonitoringData, ImportError>, Error> {
    Ok(match reader {
        DemandReader::Text(_) => {
            read_demand(format, documents::check_report(call.text(document.name))?, options, &check_interrupts)
        }
        DemandReader::Json(read) => {
            let answer = documents::read_import(call.json(document.name), document.meaning)?;
            read(&answer.map_or(serde_json::Value::Null, |answer| answer.0), options, &check_interrupts)
        }
    })
}

/// Facts that the document lacks, as far as the function has arguments for them.
fn import_options(call: &CalledFunction, format: &Format, function: &SqlFunction) -> Result<ImportOptions, Error> {
    let refuse = |error| import_error(error, format.shape);
    // A document whose times all have a zone is read whatever the session's.
    let calendar = if function.arguments.contains(&&TIME_ZONE) {
        calendar(call.text(TIME_ZONE.name), format)?
    } else {
        Calendar::new("UTC", false).map_err(refuse)?
    };
    let options = ImportOptions {
        since_boot: call.is_on(&SINCE_BOOT),
        period_s: call.integer(PERIOD_S.name),
        ..ImportOptions::new(calendar)
    };
    let Some((began, interval_s)) = call.time(STARTED_AT.name).zip(call.number(INTERVAL_S.name)) else {
        return Ok(options);
    };
    let no_time = || ImportError::Argument("started_at must be a finite time from 1970 on".to_owned());
    let began_us = from_timestamp(began).ok_or_else(no_time).map_err(refuse)?;
    options.with_times(began_us, interval_s).map_err(refuse)
}

/// The calendar of a report: times without a zone are of this one, or the session's; DateStyle decides which of 11/12/26 is the
/// day.
fn calendar(time_zone: Option<&str>, format: &Format) -> Result<Calendar, Error> {
    let setting = |name: &str| first_text("SELECT pg_catalog.current_setting($1)", &[name.into()]);
    let time_zone = time_zone.map_or_else(|| setting("TimeZone"), |zone| Ok(truncated(zone, MAX_TIME_ZONE)))?;
    let day_first = setting("DateStyle")?.contains("DMY");
    Calendar::new(&time_zone, day_first).map_err(|error| import_error(error, format.shape))
}
