//! Evidence from elsewhere: what every importer shares, and ebs_import_samples.

use ebs_base::input::is_short;
use ebs_imports::imported::samples::{Row, series};
use ebs_imports::imported::{ImportError, Imported, Mistake, block};
use ebs_samples::evidence::Block;
use pgrx::prelude::*;
use pgrx::{AnyElement, JsonB};
use serde_json::Value;

use crate::errors::{Error, SqlResult};
use crate::functions::documents;
use crate::interrupts::check_interrupts;
use crate::{ffi, memory, storage};

const SHAPE: &str = "Samples are a JSON array of objects {\"ts\", \"reads\", \"writes\", \"read_bytes\", \"write_bytes\", \
                     \"read_ms\", \"write_ms\"}: ends of intervals in time order, counts per interval; the two times may be left out.";

/// Longest name of a device: the kernel's are at most 31 bytes.
const DEVICE_LIMIT: usize = 63;

/// Members of one object of an array: eight have a meaning.
const MEMBER_LIMIT: usize = 64;

/// Objects that PostgreSQL reads at once: a few milliseconds.
const BATCH: usize = 1_000;

/// Moments that samples can have, in microseconds since 1970 and NULL otherwise: what PostgreSQL takes for a time but
/// no clock shows (`infinity`, the year 294276) has no place in a bigint of microseconds.
pub fn microseconds(column: &str) -> String {
    format!(
        "CASE WHEN {column} >= '1970-01-01 00:00:00+00' AND {column} < '10000-01-01 00:00:00+00'
              THEN (extract(epoch FROM {column}) * 1000000)::bigint END"
    )
}

#[pg_extern(sql = false)]
fn ebs_import_samples(label: Option<&str>, device: Option<&str>, samples: Option<AnyElement>) -> SqlResult<i64> {
    ffi::require_writable(c"ebs_import_samples()");
    check_names(label, &[device])?;
    let rows = rows(samples)?;
    let device = named(device).unwrap_or("imported");
    let series = series(device, &rows, &check_interrupts).map_err(|error| refused(error, SHAPE))?;
    drop(rows);
    let block = block(&series, None, &check_interrupts).map_err(|error| refused(error, SHAPE))?;
    drop(series);
    Ok(keep(label, block, None, &[])?)
}

/// Makes a run of what was read, with these devices of it; the number of its intervals.
pub fn keep_chosen(
    label: Option<&str>,
    imported: Result<Imported, ImportError>,
    (device, wal_device): (Option<&str>, Option<&str>),
    shape: &str,
) -> Result<i64, Error> {
    let refuse = |error| refused(error, shape);
    let imported = imported.map_err(refuse)?;
    let (source, doubts) = (imported.source, imported.doubts.clone());
    let (data, wal) = imported.chosen(named(device), named(wal_device)).map_err(refuse)?;
    for series in [Some(&data), wal.as_ref()].into_iter().flatten() {
        check_name(&series.device)?;
    }
    let block = block(&data, wal.as_ref(), &check_interrupts).map_err(refuse)?;
    drop((data, wal));
    keep(label, block, Some(source), &doubts)
}

fn keep(label: Option<&str>, block: Block, source: Option<&str>, doubts: &[String]) -> Result<i64, Error> {
    let (Some(from_us), Some(to_us)) = (block.started_us(), block.ended_us()) else {
        return Err(refused(ImportError::TooFew(0), SHAPE));
    };
    let run_id = storage::begin_run(label, None, Some(&storage::ImportSource { from_us, to_us, source, doubts }))?;
    let ticks = block.ticks.len();
    storage::import_block(block, run_id)?;
    Ok(i64::try_from(ticks).unwrap_or(i64::MAX))
}

/// What cannot be imported, with what could be.
pub fn refused(error: ImportError, shape: &str) -> Error {
    let code = match error.mistake() {
        Mistake::Input => PgSqlErrorCode::ERRCODE_INVALID_TEXT_REPRESENTATION,
        Mistake::Limit => PgSqlErrorCode::ERRCODE_PROGRAM_LIMIT_EXCEEDED,
        Mistake::Argument => PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE,
        Mistake::UnknownName => PgSqlErrorCode::ERRCODE_UNDEFINED_OBJECT,
    };
    let hint = error.hint().unwrap_or_else(|| shape.to_owned());
    Error::new(code, error.to_string(), hint).with_detail("Nothing was imported.")
}

/// An argument that is not left out.
fn named(device: Option<&str>) -> Option<&str> {
    device.map(str::trim).filter(|name| !name.is_empty())
}

/// Checks the label and the devices that an import names, before anything is read.
pub fn check_names(label: Option<&str>, devices: &[Option<&str>]) -> Result<(), Error> {
    storage::check_label(label)?;
    devices.iter().filter_map(|device| named(*device)).try_for_each(check_name)
}

fn check_name(device: &str) -> Result<(), Error> {
    if !is_short(device, DEVICE_LIMIT) || device.chars().any(char::is_control) {
        let message = format!("a device needs a name of at most {DEVICE_LIMIT} printable characters");
        return Err(Error::new(PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE, message, "For example nvme1n1."));
    }
    Ok(())
}

/// Reads an array of objects; NULL, or anything else, is refused. `read` gets them as arrays of a thousand, with a pause before
/// each: PostgreSQL, which reads their times and numbers, does not look for a cancel within one array, and the whole array takes
/// ten times its text.
pub fn in_batches(
    array: Option<AnyElement>,
    (what, document): (&str, &str),
    shape: &str,
    mut read: impl FnMut(JsonB) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut batch = Vec::new();
    documents::each(
        array,
        document,
        || no_array(what, shape),
        |object| {
            check_object(&object, what, shape)?;
            batch.push(object);
            if batch.len() == BATCH { hand_over(&mut batch, &mut read) } else { Ok(()) }
        },
    )?;
    hand_over(&mut batch, &mut read)
}

fn hand_over(batch: &mut Vec<Value>, read: &mut impl FnMut(JsonB) -> Result<(), Error>) -> Result<(), Error> {
    if batch.is_empty() {
        return Ok(());
    }
    check_interrupts();
    // As text on its way to PostgreSQL, in a buffer that grows, and once more.
    memory::require(4 * storage::json_length(batch), "The array")?;
    read(JsonB(Value::Array(std::mem::take(batch))))
}

fn no_array(what: &str, shape: &str) -> Error {
    let message = format!("{what} must be a JSON array of objects");
    Error::new(PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE, message, shape).with_detail("Nothing was imported.")
}

fn check_object(object: &Value, what: &str, shape: &str) -> Result<(), Error> {
    let members = object.as_object().ok_or_else(|| no_array(what, shape))?.len();
    if members <= MEMBER_LIMIT {
        return Ok(());
    }
    let detail = format!("At most {MEMBER_LIMIT} are taken.");
    Err(documents::too_much(format!("{what} have an object with too many members"), detail, shape))
}

/// The rows as PostgreSQL reads their times and numbers, so that a malformed one is its own well-known error.
fn rows(samples: Option<AnyElement>) -> Result<Vec<Row>, Error> {
    let query = format!(
        "SELECT {}, reads, writes, read_bytes, write_bytes, read_ms, write_ms
         FROM ROWS FROM (pg_catalog.jsonb_to_recordset($1) AS (ts timestamptz, reads float8, writes float8,
             read_bytes float8, write_bytes float8, read_ms float8, write_ms float8)) WITH ORDINALITY
         ORDER BY ordinality",
        microseconds("ts")
    );
    let mut rows = Vec::new();
    in_batches(samples, ("samples", "the array of samples"), SHAPE, |batch| {
        Spi::connect(|client| {
            for row in client.select(&query, None, &[batch.into()])? {
                let mut counts = [None; 6];
                for (count, column) in counts.iter_mut().zip(2..) {
                    *count = row.get(column)?;
                }
                rows.push(Row { at_us: row.get(1)?, counts });
            }
            Ok(())
        })
    })?;
    Ok(rows)
}
