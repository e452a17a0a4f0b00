//! Runs made of evidence from elsewhere: the part that all importers share.

use ebs_answer::ImportedRun;
use ebs_base::names::non_empty;
use ebs_imports::monitoring::{ErrorClass, ImportError, check_device};
use pgrx::PgSqlErrorCode;

use crate::errors::Error;
use crate::functions::values::to_bigint;
use crate::storage;

/// Checks the label and the devices that an import names, before anything is read.
pub fn check_names(label: Option<&str>, devices: &[Option<&str>], shape: &str) -> Result<(), Error> {
    storage::check_label(label)?;
    let mut named = devices.iter().filter_map(|device| non_empty(*device));
    named.try_for_each(check_device).map_err(|error| import_error(error, shape))
}

/// Stores a run that was read, and returns the number of its intervals.
pub fn store_run(label: Option<&str>, run: Result<ImportedRun, ImportError>, shape: &str) -> Result<i64, Error> {
    let run = run.map_err(|error| import_error(error, shape))?;
    let run_id = storage::begin_run(label, None, Some(&run))?;
    let intervals = to_bigint(run.intervals());
    run.blocks.into_iter().try_for_each(|block| storage::import_block(block, run_id))?;
    Ok(intervals)
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
