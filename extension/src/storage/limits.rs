//! Limits of storage, checked before anything is written.

use ebs_base::storage_limits;
use ebs_comparison::export::MAX_ROWS;
use pgrx::datum::DatumWithOid;

use crate::errors::Error;
use crate::settings;
use crate::sql::fresh_value;

/// Bytes of runs beside the samples taken here, and of the imported configuration: notes, results, readings and imports, as they are stored. A row without any of
/// them takes some 200 bytes with its index.
const STORED_BYTES: &str = "
    SELECT ((SELECT 200 * count(*) + coalesce(sum(coalesce(pg_column_size(note), 0) + coalesce(pg_column_size(environment), 0)
            + coalesce(pg_column_size(index_findings), 0)), 0) FROM ebs.run)
        + (SELECT 200 * count(*) + coalesce(sum(pg_column_size(facts)), 0) FROM ebs.configuration)
        + (SELECT 200 * count(*) FROM ebs.run_mark)
        + (SELECT 200 * count(*) + coalesce(sum(coalesce(pg_column_size(details), 0)), 0) FROM ebs.run_result)
        + (SELECT 200 * count(*) + coalesce(sum(pg_column_size(fio)), 0) FROM ebs.run_fio)
        + (SELECT 200 * count(*) + coalesce(sum(pg_column_size(reading)), 0) FROM ebs.run_reading)
        + (SELECT 200 * count(*) + coalesce(sum(pg_column_size(samples)), 0) FROM ebs.sample_block WHERE run_id IS NOT NULL))::bigint";

/// Tables of rows that belong to a run.
#[derive(Clone, Copy)]
pub enum RunRows {
    /// Phases.
    Marks,
    /// Results of load drivers.
    Results,
    /// Reports of fio.
    Fio,
}

impl RunRows {
    fn count_query(self) -> &'static str {
        match self {
            RunRows::Marks => "SELECT count(*) FROM ebs.run_mark WHERE run_id = $1",
            RunRows::Results => "SELECT count(*) FROM ebs.run_result WHERE run_id = $1",
            RunRows::Fio => "SELECT count(*) FROM ebs.run_fio WHERE run_id = $1",
        }
    }

    fn name(self) -> &'static str {
        match self {
            RunRows::Marks => "marks",
            RunRows::Results => "results",
            RunRows::Fio => "reports of fio",
        }
    }
}

/// Refuses one run more than ebs_advisor.max_runs.
pub fn check_run_count() -> Result<(), Error> {
    let runs = read_number("SELECT count(*) FROM ebs.run", &[])?;
    Ok(storage_limits::check_run_count(runs, settings::max_runs())?)
}

/// Refuses more storage of runs than ebs_advisor.run_storage_limit.
pub fn check_run_storage() -> Result<(), Error> {
    Ok(storage_limits::check_run_storage(read_number(STORED_BYTES, &[])?, settings::run_storage_limit())?)
}

/// Refuses one row more of a run than fits a document of ebs_run_export.
pub fn check_run_rows(run_id: i64, rows: RunRows) -> Result<(), Error> {
    let count = read_number(rows.count_query(), &[run_id.into()])?;
    Ok(storage_limits::check_run_rows(count, MAX_ROWS, rows.name())?)
}

/// Refuses one declaration more than are kept.
pub fn check_declarations() -> Result<(), Error> {
    let rows = read_number(
        "SELECT greatest((SELECT count(*) FROM ebs.volume_declared), (SELECT count(*) FROM ebs.instance_declared))",
        &[],
    )?;
    Ok(storage_limits::check_declarations(rows)?)
}

/// Refuses the prices that were just stored if they are more than there can be.
pub fn check_prices() -> Result<(), Error> {
    Ok(storage_limits::check_prices(read_number("SELECT count(*) FROM ebs.price", &[])?)?)
}

/// Refuses the configuration that was just stored if there are more rows than are kept.
pub fn check_configuration() -> Result<(), Error> {
    Ok(storage_limits::check_configuration(read_number("SELECT count(*) FROM ebs.configuration", &[])?)?)
}

/// Refuses the answers that were just stored if they are more, or take more, than is kept.
pub fn check_fleet_answers() -> Result<(), Error> {
    let rows = read_number("SELECT count(*) FROM ebs.fleet_answer", &[])?;
    let bytes = read_number("SELECT coalesce(sum(pg_column_size(answer)), 0)::bigint FROM ebs.fleet_answer", &[])?;
    Ok(storage_limits::check_fleet_answers(rows, bytes, settings::run_storage_limit())?)
}

/// Reads a number: a statement that adds rows a thousand times sees those that it has added.
fn read_number(query: &str, arguments: &[DatumWithOid]) -> Result<i64, Error> {
    Ok(fresh_value(query, arguments)?.unwrap_or(0))
}
