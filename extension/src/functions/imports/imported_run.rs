//! Runs made of evidence from elsewhere: the part that all importers share.

use ebs_base::input::is_short;
use ebs_comparison::export::EnvironmentDocument;
use ebs_imports::monitoring::{ErrorClass, ImportError, MonitoringData, block};
use ebs_samples::evidence::{Block, DeviceChecks};
use pgrx::PgSqlErrorCode;

use crate::errors::Error;
use crate::functions::values::to_bigint;
use crate::interrupts::check_interrupts;
use crate::storage;

/// Longest name of a device: the kernel's are at most 31 bytes.
const DEVICE_LIMIT: usize = 63;

/// Checks the label and the devices that an import names, before anything is read.
pub fn check_names(label: Option<&str>, devices: &[Option<&str>]) -> Result<(), Error> {
    storage::check_label(label)?;
    devices.iter().filter_map(|device| non_empty(*device)).try_for_each(check_name)
}

/// An argument that is not left out.
pub fn non_empty(device: Option<&str>) -> Option<&str> {
    device.map(str::trim).filter(|name| !name.is_empty())
}

fn check_name(device: &str) -> Result<(), Error> {
    if !is_short(device, DEVICE_LIMIT) || device.chars().any(char::is_control) {
        let message = format!("a device needs a name of at most {DEVICE_LIMIT} printable characters");
        return Err(Error::invalid_parameter(message, "For example nvme1n1."));
    }
    Ok(())
}

/// Stores a run of these devices of an import, and returns the number of its intervals.
pub fn store_devices(
    label: Option<&str>,
    imported: Result<MonitoringData, ImportError>,
    (device, wal_device): (Option<&str>, Option<&str>),
    shape: &str,
) -> Result<i64, Error> {
    let refuse = |error| import_error(error, shape);
    let imported = imported.map_err(refuse)?;
    let (source, mut doubts) = (imported.source, imported.limitations.clone());
    let (data, wal) = imported.select(non_empty(device), non_empty(wal_device)).map_err(refuse)?;
    for series in [Some(&data), wal.as_ref()].into_iter().flatten() {
        check_name(&series.device)?;
    }
    let block = block(&data, wal.as_ref(), &check_interrupts).map_err(refuse)?;
    let mut checks = Vec::new();
    for series in [Some(data), wal].into_iter().flatten() {
        doubts.extend(series.limitations);
        checks.extend((!series.checks.is_empty()).then_some(series.checks));
    }
    store_checked_block(label, block, (Some(source), &doubts, &checks), shape)
}

/// Stores a run of one block, and returns the number of its intervals.
pub fn store_block(
    label: Option<&str>,
    block: Block,
    (source, doubts): (Option<&str>, &[String]),
    shape: &str,
) -> Result<i64, Error> {
    store_checked_block(label, block, (source, doubts, &[]), shape)
}

/// Stores a run of one block with the checks that the source kept of its devices, and returns the number of its intervals.
fn store_checked_block(
    label: Option<&str>,
    block: Block,
    (source, doubts, checks): (Option<&str>, &[String], &[DeviceChecks]),
    shape: &str,
) -> Result<i64, Error> {
    let (Some(from_us), Some(to_us)) = (block.started_us(), block.ended_us()) else {
        return Err(import_error(ImportError::TooFew(0), shape));
    };
    let environment = source.map(|source| EnvironmentDocument::imported(source, doubts).with_checks(checks));
    let source = storage::ImportSource { from_us, to_us, environment };
    let run_id = storage::begin_run(label, None, Some(&source))?;
    let samples = block.samples.len();
    storage::import_block(block, run_id)?;
    Ok(to_bigint(samples))
}

/// Error of an import; `shape` is the hint on the accepted form.
pub fn import_error(error: ImportError, shape: &str) -> Error {
    let value = error.detail().map_or_else(String::new, |detail| format!("{detail} "));
    input_error(&error, shape).with_detail(format!("{value}Nothing was imported."))
}

/// Error of an input that nothing is stored of.
pub fn input_error(error: &ImportError, shape: &str) -> Error {
    let code = match error.class() {
        ErrorClass::Input => PgSqlErrorCode::ERRCODE_INVALID_TEXT_REPRESENTATION,
        ErrorClass::Time => PgSqlErrorCode::ERRCODE_INVALID_DATETIME_FORMAT,
        ErrorClass::Limit => PgSqlErrorCode::ERRCODE_PROGRAM_LIMIT_EXCEEDED,
        ErrorClass::Argument => PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE,
        ErrorClass::UnknownName => PgSqlErrorCode::ERRCODE_UNDEFINED_OBJECT,
    };
    let hint = error.hint().unwrap_or_else(|| shape.to_owned());
    Error::new(code, error.to_string(), hint)
}
