//! Limits of storage: a role that may begin runs and import must not be able to fill the disk. Checked before anything is written.

use ebs_comparison::export::MAX_ROWS;
use pgrx::PgSqlErrorCode;
use pgrx::datum::DatumWithOid;

use crate::errors::Error;
use crate::settings;
use crate::sql::fresh_value;

/// Most declarations, of volumes and of instances each: they are a history, of which the latest counts.
const MAX_DECLARATIONS: i64 = 10_000;
/// Most imported prices: all parts of all regions that AWS has are some 1,500.
const MAX_PRICES: i64 = 20_000;

/// Bytes of runs beside the samples taken here: notes, results, readings and imports, as they are stored. A row without any of
/// them takes some 200 bytes with its index.
const STORED_BYTES: &str = "
    SELECT ((SELECT 200 * count(*) + coalesce(sum(coalesce(pg_column_size(note), 0) + coalesce(pg_column_size(environment), 0)), 0) FROM ebs.run)
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
    let (runs, most) = (read_number("SELECT count(*) FROM ebs.run", &[])?, settings::max_runs());
    if runs < most {
        return Ok(());
    }
    let detail = format!("There are {runs}, and ebs_advisor.max_runs is {most}.");
    Err(limit_exceeded("there are too many runs", detail, DROP_RUNS))
}

/// Refuses more storage of runs than ebs_advisor.run_storage_limit. The value about to be stored is not counted: it has a limit of
/// its own.
pub fn check_run_storage() -> Result<(), Error> {
    let (kept, most) = (read_number(STORED_BYTES, &[])?, settings::run_storage_limit());
    if kept < most {
        return Ok(());
    }
    let detail = format!(
        "They keep {} MiB of imported samples, readings, results and notes, and ebs_advisor.run_storage_limit is {} MiB.",
        kept >> 20,
        most >> 20
    );
    Err(limit_exceeded("runs keep too much", detail, DROP_RUNS))
}

const DROP_RUNS: &str =
    "Drop runs that are no longer needed, as in SELECT ebs_run_drop('my-run'); or ask for a higher setting.";

/// Refuses one row more of a run than fits a document of ebs_run_export.
pub fn check_run_rows(run_id: i64, rows: RunRows) -> Result<(), Error> {
    let count = read_number(rows.count_query(), &[run_id.into()])?;
    if usize::try_from(count).unwrap_or(usize::MAX) < MAX_ROWS {
        return Ok(());
    }
    let detail = format!("A run has at most {MAX_ROWS}.");
    Err(limit_exceeded(&format!("the run has too many {}", rows.name()), detail, "Begin another run."))
}

/// Refuses declarations without end: each is a row.
pub fn check_declarations() -> Result<(), Error> {
    let rows = read_number(
        "SELECT greatest((SELECT count(*) FROM ebs.volume_declared), (SELECT count(*) FROM ebs.instance_declared))",
        &[],
    )?;
    if rows < MAX_DECLARATIONS {
        return Ok(());
    }
    let detail = format!("At most {MAX_DECLARATIONS} are kept, and each time is one.");
    let hint =
        "As the owner of the tables: DELETE FROM ebs.volume_declared WHERE declared_at < now() - interval '1 year';";
    Err(limit_exceeded("there are too many declarations", detail, hint))
}

/// Refuses more prices than there can be.
pub fn check_prices() -> Result<(), Error> {
    let prices = read_number("SELECT count(*) FROM ebs.price", &[])?;
    if prices <= MAX_PRICES {
        return Ok(());
    }
    let detail = format!("There would be {prices}, and at most {MAX_PRICES} are kept. No price was imported.");
    Err(limit_exceeded(
        "there are too many imported prices",
        detail,
        "SELECT ebs_prices_reset(); removes those that were imported.",
    ))
}

/// Refuses a note that grew too long.
pub fn check_note(bytes: i64, max_bytes: usize) -> Result<(), Error> {
    if usize::try_from(bytes).unwrap_or(usize::MAX) <= max_bytes {
        return Ok(());
    }
    let detail = format!("It would have {bytes} bytes, and at most {max_bytes} are kept.");
    Err(limit_exceeded("the note is too large", detail, "Keep what is long in a file, and its name in the note."))
}

fn limit_exceeded(message: &str, detail: String, hint: &str) -> Error {
    Error::new(PgSqlErrorCode::ERRCODE_PROGRAM_LIMIT_EXCEEDED, message, hint).with_detail(detail)
}

/// Reads a number: a statement that adds rows a thousand times sees those that it has added.
fn read_number(query: &str, arguments: &[DatumWithOid]) -> Result<i64, Error> {
    Ok(fresh_value(query, arguments)?.unwrap_or(0))
}
