//! ebs_import_fio: a report of fio, stored with a run.

use ebs_answer::ImportedRun;
use ebs_base::units::SECOND_US;
use ebs_comparison::export::EnvironmentDocument;
use ebs_imports::drivers::fio::{self, FioError};
use ebs_imports::format::arguments::{LABEL, REPORT};
use pgrx::prelude::*;

use crate::errors::{Error, SqlResult};
use crate::ffi::CalledFunction;
use crate::functions::documents;
use crate::functions::values::to_bigint;
use crate::interrupts::check_interrupts;
use crate::storage;

#[pg_extern(sql = false)]
fn ebs_import_fio(call: CalledFunction) -> SqlResult<i64> {
    let (label, report) = (call.text(LABEL.name), call.text(REPORT.name));
    storage::require_writable(c"ebs_import_fio()");
    storage::check_label(label)?;
    let fio = fio::read(documents::check_report(report)?, &check_interrupts).map_err(|error| import_error(&error))?;
    storage::lock_changes()?;
    let run_id = match storage::run_number(label.unwrap_or_default())? {
        Some(run_id) => run_id,
        None => begin_run(label, &fio)?,
    };
    storage::check_run_storage()?;
    storage::store_fio(run_id, None, &fio)?;
    Ok(to_bigint(fio.jobs.len()))
}

/// Stores a run as long as fio's longest job, without samples.
fn begin_run(label: Option<&str>, fio: &fio::Fio) -> Result<i64, Error> {
    let elapsed_us = fio.elapsed_s.unwrap_or(0).saturating_mul(SECOND_US);
    let from_us = fio.ended_us.saturating_sub(to_bigint(elapsed_us)).max(0);
    let source = fio.version.replacen('-', " ", 1);
    let environment = Some(EnvironmentDocument::imported(&source, &[]).to_json());
    let run = ImportedRun { environment, blocks: Vec::new(), from_us, to_us: fio.ended_us };
    storage::begin_run(label, None, Some(&run))
}

fn import_error(error: &FioError) -> Error {
    let hint = match error {
        FioError::SecondRun { .. } => "Split the report there, and import each as a run of its own.",
        _ => fio::FORMAT.shape,
    };
    let code = match error {
        FioError::TooMuch { .. } => PgSqlErrorCode::ERRCODE_PROGRAM_LIMIT_EXCEEDED,
        _ => PgSqlErrorCode::ERRCODE_INVALID_TEXT_REPRESENTATION,
    };
    Error::new(code, error.to_string(), hint).with_detail("Nothing was imported.")
}
