//! How much is kept: whoever may begin runs and import must not be able to fill the disk. Checked before anything is written.

use ebs_comparison::export::MOST_ROWS;
use pgrx::datum::DatumWithOid;
use pgrx::{PgSqlErrorCode, Spi};

use crate::errors::Error;
use crate::settings;

/// Most rows of what was declared, of volumes and of instances each: history, of which the latest counts.
const MOST_DECLARED: i64 = 10_000;
/// Most imported prices: all parts of all regions that AWS has are some 1,500.
const MOST_PRICES: i64 = 20_000;

/// Bytes that runs keep beside the samples taken here: what they note, report, read and import, as it is stored. A row
/// without any takes some 200 bytes with its index.
const KEPT: &str = "
    SELECT ((SELECT 200 * count(*) + coalesce(sum(coalesce(pg_column_size(note), 0) + coalesce(pg_column_size(environment), 0)), 0) FROM ebs.run)
        + (SELECT 200 * count(*) FROM ebs.run_mark)
        + (SELECT 200 * count(*) + coalesce(sum(coalesce(pg_column_size(details), 0)), 0) FROM ebs.run_result)
        + (SELECT 200 * count(*) + coalesce(sum(pg_column_size(fio)), 0) FROM ebs.run_fio)
        + (SELECT 200 * count(*) + coalesce(sum(pg_column_size(reading)), 0) FROM ebs.run_reading)
        + (SELECT 200 * count(*) + coalesce(sum(pg_column_size(samples)), 0) FROM ebs.sample_block WHERE run_id IS NOT NULL))::bigint";

/// Tables of what belongs to a run, and may be added without end.
#[derive(Clone, Copy)]
pub enum Part {
    /// Phases.
    Marks,
    /// Results of load drivers.
    Results,
    /// Reports of fio.
    Fio,
}

impl Part {
    fn count(self) -> &'static str {
        match self {
            Part::Marks => "SELECT count(*) FROM ebs.run_mark WHERE run_id = $1",
            Part::Results => "SELECT count(*) FROM ebs.run_result WHERE run_id = $1",
            Part::Fio => "SELECT count(*) FROM ebs.run_fio WHERE run_id = $1",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Part::Marks => "marks",
            Part::Results => "results",
            Part::Fio => "reports of fio",
        }
    }
}

/// Refuses one run more than ebs_advisor.max_runs.
pub fn room_for_a_run() -> Result<(), Error> {
    let (runs, most) = (number("SELECT count(*) FROM ebs.run", &[])?, settings::max_runs());
    if runs < most {
        return Ok(());
    }
    let detail = format!("There are {runs}, and ebs_advisor.max_runs is {most}.");
    Err(exceeded("there are too many runs", detail, DROP))
}

/// Refuses to keep more with runs than ebs_advisor.run_storage_limit. What is about to be kept is not counted: it is bounded by
/// itself.
pub fn room() -> Result<(), Error> {
    let (kept, most) = (number(KEPT, &[])?, settings::run_storage_limit());
    if kept < most {
        return Ok(());
    }
    let detail = format!(
        "They keep {} MiB of imported samples, readings, results and notes, and ebs_advisor.run_storage_limit is {} MiB.",
        kept >> 20,
        most >> 20
    );
    Err(exceeded("runs keep too much", detail, DROP))
}

const DROP: &str =
    "Drop runs that are no longer needed, as in SELECT ebs_run_drop('my-run'); or ask for a higher setting.";

/// Refuses one row more of a run than fits a document of ebs_run_export.
pub fn room_in_run(run_id: i64, part: Part) -> Result<(), Error> {
    let rows = number(part.count(), &[run_id.into()])?;
    if usize::try_from(rows).unwrap_or(usize::MAX) < MOST_ROWS {
        return Ok(());
    }
    let detail = format!("A run has at most {MOST_ROWS}.");
    Err(exceeded(&format!("the run has too many {}", part.name()), detail, "Begin another run."))
}

/// Refuses to declare for ever: each time is a row.
pub fn room_to_declare() -> Result<(), Error> {
    let rows = number(
        "SELECT greatest((SELECT count(*) FROM ebs.volume_declared), (SELECT count(*) FROM ebs.instance_declared))",
        &[],
    )?;
    if rows < MOST_DECLARED {
        return Ok(());
    }
    let detail = format!("At most {MOST_DECLARED} are kept, and each time is one.");
    let hint =
        "As the owner of the tables: DELETE FROM ebs.volume_declared WHERE declared_at < now() - interval '1 year';";
    Err(exceeded("there are too many declarations", detail, hint))
}

/// Refuses more prices than there can be.
pub fn check_prices() -> Result<(), Error> {
    let prices = number("SELECT count(*) FROM ebs.price", &[])?;
    if prices <= MOST_PRICES {
        return Ok(());
    }
    let detail = format!("There would be {prices}, and at most {MOST_PRICES} are kept. No price was imported.");
    Err(exceeded(
        "there are too many imported prices",
        detail,
        "SELECT ebs_prices_reset(); removes those that were imported.",
    ))
}

/// Refuses a note that grew too long.
pub fn check_note(bytes: i64, most: usize) -> Result<(), Error> {
    if usize::try_from(bytes).unwrap_or(usize::MAX) <= most {
        return Ok(());
    }
    let detail = format!("It would have {bytes} bytes, and at most {most} are kept.");
    Err(exceeded("the note is too large", detail, "Keep what is long in a file, and its name in the note."))
}

fn exceeded(message: &str, detail: String, hint: &str) -> Error {
    Error::new(PgSqlErrorCode::ERRCODE_PROGRAM_LIMIT_EXCEEDED, message, hint).with_detail(detail)
}

/// Not read-only: a statement that adds a thousand times sees what it has added.
fn number(query: &str, arguments: &[DatumWithOid]) -> Result<i64, Error> {
    Spi::connect_mut(|client| match client.update(query, Some(1), arguments)?.next() {
        Some(row) => Ok(row.get::<i64>(1)?.unwrap_or(0)),
        None => Ok(0),
    })
}
