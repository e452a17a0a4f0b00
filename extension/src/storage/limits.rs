//! Limits of storage, checked before anything is written. Counted under the lock of changes alone: without it two that add at once would
//! each count without the other.

use std::ffi::CStr;

use ebs_base::storage_limits;
use ebs_comparison::export::MAX_ROWS;

use super::change_lock::lock_changes;
use crate::errors::Error;
use crate::{ffi, settings};

/// Bytes of runs beside the samples taken here, and of the imported configuration: notes, results, readings and imports, as they are stored. A row without any of
/// them takes some 200 bytes with its index.
const STORED_BYTES: &CStr = c"
    SELECT ((SELECT 200 * count(*) + coalesce(sum(coalesce(pg_column_size(note), 0) + coalesce(pg_column_size(environment), 0)
            + coalesce(pg_column_size(index_findings), 0) + coalesce(pg_column_size(declared), 0) + coalesce(pg_column_size(tags), 0)), 0)
            FROM ebs.run)
        + (SELECT 200 * count(*) + coalesce(sum(pg_column_size(facts)), 0) FROM ebs.configuration)
        + (SELECT 200 * count(*) FROM ebs.run_mark)
        + (SELECT 200 * count(*) + coalesce(sum(coalesce(pg_column_size(details), 0)), 0) FROM ebs.run_result)
        + (SELECT 200 * count(*) + coalesce(sum(pg_column_size(fio)), 0) FROM ebs.run_fio)
        + (SELECT 200 * count(*) + coalesce(sum(pg_column_size(reading)), 0) FROM ebs.run_reading)
        + (SELECT 200 * count(*) + coalesce(sum(pg_column_size(samples)), 0) FROM ebs.sample_block WHERE run_id IS NOT NULL))::bigint";

ebs_base::named! {
    /// Tables of rows that belong to a run.
    pub enum RunRows {
        /// Phases.
        Marks = "marks",
        /// Results of load drivers.
        Results = "results",
        /// Reports of fio.
        Fio = "reports of fio",
    }
}

impl RunRows {
    fn count_query(self) -> &'static CStr {
        match self {
            RunRows::Marks => c"SELECT count(*) FROM ebs.run_mark WHERE run_id = $1",
            RunRows::Results => c"SELECT count(*) FROM ebs.run_result WHERE run_id = $1",
            RunRows::Fio => c"SELECT count(*) FROM ebs.run_fio WHERE run_id = $1",
        }
    }
}

/// Refuses one run more than ebs_advisor.max_runs.
pub fn check_run_count() -> Result<(), Error> {
    let runs = read_number(c"SELECT count(*) FROM ebs.run", &[])?;
    Ok(storage_limits::check_run_count(runs, settings::max_runs())?)
}

/// Refuses more storage of runs than ebs_advisor.run_storage_limit.
pub fn check_run_storage() -> Result<(), Error> {
    Ok(storage_limits::check_run_storage(read_number(STORED_BYTES, &[])?, settings::run_storage_limit())?)
}

/// Refuses one row more of a run than fits a document of ebs_run_export.
pub fn check_run_rows(run_id: i64, rows: RunRows) -> Result<(), Error> {
    let count = read_number(rows.count_query(), &[run_id])?;
    Ok(storage_limits::check_run_rows(count, MAX_ROWS, rows.name())?)
}

/// Refuses one declaration more than are kept.
pub fn check_declarations() -> Result<(), Error> {
    let rows = read_number(
        c"SELECT greatest((SELECT count(*) FROM ebs.volume_declared), (SELECT count(*) FROM ebs.instance_declared))",
        &[],
    )?;
    Ok(storage_limits::check_declarations(rows)?)
}

/// Refuses the prices that were just stored if they are more than there can be.
pub fn check_prices() -> Result<(), Error> {
    Ok(storage_limits::check_prices(read_number(c"SELECT count(*) FROM ebs.price", &[])?)?)
}

/// Refuses the configuration that was just stored if there are more rows than are kept.
pub fn check_configuration() -> Result<(), Error> {
    Ok(storage_limits::check_configuration(read_number(c"SELECT count(*) FROM ebs.configuration", &[])?)?)
}

/// Refuses the answers that were just stored if they are more, or take more, than is kept.
pub fn check_fleet_answers() -> Result<(), Error> {
    let rows = read_number(c"SELECT count(*) FROM ebs.fleet_answer", &[])?;
    let bytes = read_number(c"SELECT coalesce(sum(pg_column_size(answer)), 0)::bigint FROM ebs.fleet_answer", &[])?;
    Ok(storage_limits::check_fleet_answers(rows, bytes, settings::run_storage_limit())?)
}

/// Reads a number under the lock of changes: what others have committed and this transaction has added.
fn read_number(query: &CStr, arguments: &[i64]) -> Result<i64, Error> {
    lock_changes()?;
    Ok(ffi::latest_number(query, arguments).unwrap_or(0))
}
