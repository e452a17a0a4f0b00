//! Tables ebs.run, ebs.run_mark and ebs.run_result.

use std::ops::Deref;

use ebs_answer::{Driver, ImportedRun, RunHeader};
use ebs_base::labels::{LABEL_LIMIT, bounded_label, printable_label, quoted_label};
use ebs_base::units::SECOND_US;
use pgrx::prelude::*;
use pgrx::{JsonB, PgSqlErrorCode};

use super::environment::read_environment;
use super::jobs::check_job;
use super::limits::{RunRows, check_run_count, check_run_rows, check_run_storage};
use crate::errors::Error;
use crate::sql::{RUN_DOCUMENT, execute, first_row, first_value, fresh_value};

/// A run.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// Its number.
    pub run_id: i64,
    /// Its header.
    pub header: RunHeader,
}

impl Deref for Run {
    type Target = RunHeader;

    fn deref(&self) -> &RunHeader {
        &self.header
    }
}

fn state_error(message: String, hint: &str) -> Error {
    Error::new(PgSqlErrorCode::ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE, message, hint)
}

/// Begins a run now. One run at a time: two would measure each other.
pub fn begin_run(label: Option<&str>, note: Option<JsonB>, imported: Option<&ImportedRun>) -> Result<i64, Error> {
    let label = checked_label(label)?;
    check_run_count()?;
    check_run_storage()?;
    if let Some(run_id) = insert_run(label, note, imported)? {
        return Ok(run_id);
    }
    // Nothing was inserted: the label is taken, or another run is open. Checked after the fact, so that two sessions that begin
    // at the same time cannot both succeed.
    match open_label()? {
        Some(open) if open != label => Err(still_open_error(&open)),
        _ => Err(label_taken_error(label)),
    }
}

fn insert_run(label: &str, note: Option<JsonB>, imported: Option<&ImportedRun>) -> Result<Option<i64>, Error> {
    const INSERT: &str = "
        INSERT INTO ebs.run (label, note, environment, imported, started_at, ended_at)
        VALUES ($1, $2, $3, $4,
                coalesce(timestamptz 'epoch' + $5 * interval '1 microsecond', pg_catalog.clock_timestamp()),
                timestamptz 'epoch' + $6 * interval '1 microsecond')
        ON CONFLICT DO NOTHING RETURNING run_id";
    let environment = match imported {
        Some(origin) => origin.environment.clone().map(JsonB),
        None => Some(read_environment()?),
    };
    let is_imported = imported.is_some();
    let (from_us, to_us) = imported.map(|origin| (origin.from_us, origin.to_us)).unzip();
    let row = [label.into(), note.into(), environment.into(), is_imported.into(), from_us.into(), to_us.into()];
    fresh_value(INSERT, &row)
}

pub(super) fn label_taken_error(label: &str) -> Error {
    let drop = pgrx::spi::quote_literal(label);
    let hint = format!("Choose another label, or drop the old run: SELECT ebs_run_drop({drop});");
    Error::new(PgSqlErrorCode::ERRCODE_DUPLICATE_OBJECT, format!("run \"{label}\" already exists"), hint)
}

/// Checks the label of a run to begin, before other work is done for it.
pub fn check_label(label: Option<&str>) -> Result<(), Error> {
    checked_label(label).map(drop)
}

/// The label of a run to begin, checked.
pub(super) fn checked_label(label: Option<&str>) -> Result<&str, Error> {
    printable_name(label, "a run needs a label", "SELECT ebs_run_begin('pgbench-gp3');")
}

/// Another label for a run, checked.
pub(super) fn checked_new_label(label: Option<&str>) -> Result<&str, Error> {
    printable_name(label, "a run needs a label", "SELECT ebs_run_rename('my-run', 'pgbench-gp3');")
}

/// The name of a phase, checked.
pub(super) fn checked_phase(phase: Option<&str>) -> Result<&str, Error> {
    printable_name(phase, "a mark needs a phase", "SELECT ebs_run_mark('measure');")
}

fn printable_name<'a>(text: Option<&'a str>, need: &str, example: &str) -> Result<&'a str, Error> {
    printable_label(text.unwrap_or_default()).ok_or_else(|| {
        let message = format!("{need} of 1 to {LABEL_LIMIT} printable characters");
        Error::invalid_parameter(message, format!("For example: {example}"))
    })
}

fn open_label() -> Result<Option<String>, Error> {
    let query = "SELECT label FROM ebs.run WHERE ended_at IS NULL ORDER BY run_id DESC";
    first_value(query, &[])
}

/// The label of the open run; refuses where none is open.
fn open_run() -> Result<String, Error> {
    open_label()?.ok_or_else(|| state_error("no run is open".to_owned(), "Begin one: SELECT ebs_run_begin('my-run');"))
}

/// Sets the beginning of a run to this time, that of its first sample.
pub fn set_run_start(run_id: i64, at_us: i64) -> Result<(), Error> {
    execute(
        "UPDATE ebs.run SET started_at = timestamptz 'epoch' + $2 * interval '1 microsecond' WHERE run_id = $1",
        &[run_id.into(), at_us.into()],
    )
}

/// Refuses to continue where no run is open.
pub fn require_open_run() -> Result<(), Error> {
    open_run().map(|_| ())
}

/// True if a run is open. If not, none can begin before this transaction ends. Fails at once while another transaction holds the lock of
/// changes: it may have begun a run, which is not visible before it is committed.
pub fn has_open_run_or_lock() -> Result<bool, Error> {
    if open_label()?.is_some() {
        return Ok(true);
    }
    Spi::run("LOCK TABLE ebs.run IN SHARE MODE NOWAIT")?;
    // A run that was committed after this transaction took its snapshot, and before the lock.
    let query = "SELECT EXISTS (SELECT FROM ebs.run WHERE ended_at IS NULL)";
    Ok(fresh_value(query, &[])? != Some(false))
}

/// Marks the beginning of a phase of the open run.
pub fn mark_run(phase: Option<&str>, at_us: i64) -> Result<(), Error> {
    let phase = checked_phase(phase)?;
    let label = open_run()?;
    check_run_rows(find_run(&label)?.run_id, RunRows::Marks)?;
    check_run_storage()?;
    execute(
        // Marks that one sample answers are a microsecond apart.
        "INSERT INTO ebs.run_mark (run_id, phase, marked_at)
         SELECT r.run_id, $2, s.at + interval '1 microsecond' * (
             SELECT count(*) FROM ebs.run_mark m
             WHERE m.run_id = r.run_id AND m.marked_at >= s.at AND m.marked_at < s.at + interval '1 millisecond')
         FROM ebs.run r,
              LATERAL (SELECT greatest(r.started_at, timestamptz 'epoch' + $3 * interval '1 microsecond') AS at) s
         WHERE r.label = $1",
        &[label.into(), phase.into(), at_us.into()],
    )
}

/// Ends the open run at this time, that of its last sample, and returns its label. A clock that was set back meanwhile leaves a run
/// of length 0 rather than a negative one.
pub fn end_run(at_us: i64) -> Result<String, Error> {
    let label = open_run()?;
    execute(
        "UPDATE ebs.run SET ended_at = greatest(started_at, timestamptz 'epoch' + $2 * interval '1 microsecond')
         WHERE label = $1",
        &[label.as_str().into(), at_us.into()],
    )?;
    Ok(label)
}

/// Removes a run, its marks, results and imported samples. Samples taken here age by themselves.
pub fn drop_run(label: Option<&str>) -> Result<(), Error> {
    let run = find_run(label.unwrap_or_default())?;
    execute("DELETE FROM ebs.run WHERE run_id = $1", &[run.run_id.into()])
}

/// Stores the results that the driver of a run reported.
pub fn record_result(label: Option<&str>, figures: [Option<f64>; 4], details: Option<JsonB>) -> Result<(), Error> {
    let run = find_run(label.unwrap_or_default())?;
    let [tps, latency_ms, nopm, tpm] = figures;
    if figures.iter().flatten().any(|figure| !figure.is_finite() || *figure < 0.0) {
        let hint = "tps, latency_ms, nopm and tpm are finite and not negative.";
        let message = "a result is out of range";
        return Err(Error::new(PgSqlErrorCode::ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE, message, hint));
    }
    if figures.iter().all(Option::is_none) && details.is_none() {
        let hint = "For example: SELECT ebs_run_result('my-run', tps => 1234.5);";
        let message = "a result needs at least one figure";
        return Err(Error::invalid_parameter(message, hint));
    }
    if let Some(details) = &details {
        check_job(run.run_id, &run.label, &details.0)?;
    }
    check_run_rows(run.run_id, RunRows::Results)?;
    check_run_storage()?;
    execute(
        "INSERT INTO ebs.run_result (run_id, tps, latency_ms, nopm, tpm, details) VALUES ($1, $2, $3, $4, $5, $6)",
        &[run.run_id.into(), tps.into(), latency_ms.into(), nopm.into(), tpm.into(), details.into()],
    )
}

/// Label of the run that was imported last; `None` without one.
pub fn latest_imported_run() -> Result<Option<String>, Error> {
    first_value("SELECT label FROM ebs.run WHERE imported ORDER BY run_id DESC LIMIT 1", &[])
}

/// Finds the run with this label.
pub fn find_run(label: &str) -> Result<Run, Error> {
    let label = bounded_label(label).ok_or_else(|| unknown_run_error(label))?;
    let micros = |moment: &str| format!("(extract(epoch FROM {moment}) * {SECOND_US})::bigint");
    let query = format!(
        "SELECT r.run_id, r.label, {}, {}, r.imported, r.environment ->> 'server_version',
                r.environment ->> 'imported_from',
                ARRAY(SELECT pg_catalog.jsonb_array_elements_text(r.environment -> 'doubts')),
                measure.marked_at IS NOT NULL, r.environment::pg_catalog.text
         FROM ebs.run r
         LEFT JOIN LATERAL (SELECT marked_at FROM ebs.run_mark m
                            WHERE m.run_id = r.run_id AND m.phase = 'measure' ORDER BY marked_at DESC LIMIT 1) measure ON true
         LEFT JOIN LATERAL (SELECT min(marked_at) AS marked_at FROM ebs.run_mark m
                            WHERE m.run_id = r.run_id AND m.marked_at > measure.marked_at) after ON true
         WHERE r.label = $1",
        micros("coalesce(measure.marked_at, r.started_at)"),
        micros("coalesce(after.marked_at, r.ended_at)"),
    );
    let read = |row: &pgrx::spi::SpiHeapTupleData| {
        Ok::<_, Error>(Run {
            run_id: row.get(1)?.unwrap_or(0),
            header: RunHeader {
                label: row.get(2)?.unwrap_or_default(),
                from_us: row.get(3)?.unwrap_or(0),
                to_us: row.get(4)?,
                imported: row.get(5)?.unwrap_or(false),
                server_version: row.get(6)?,
                source: row.get(7)?,
                doubts: row.get(8)?.unwrap_or_default(),
                marked: row.get(9)?.unwrap_or(false),
                environment: RUN_DOCUMENT.read(row, 10)?,
            },
        })
    };
    first_row(&query, &[label.into()], read)?.map_or_else(|| Err(unknown_run_error(label)), Ok)
}

/// Load driver of a run: the command of its last result that has one, or else the note's `driver`, split at spaces, and the transactions of
/// its last result.
pub fn load_driver(run_id: i64) -> Result<Driver, Error> {
    let query = "SELECT coalesce(
                     (SELECT ARRAY(SELECT pg_catalog.jsonb_array_elements_text(x.details -> 'command') LIMIT 1000)
                      FROM ebs.run_result x
                      WHERE x.run_id = r.run_id AND pg_catalog.jsonb_typeof(x.details -> 'command') = 'array'
                      ORDER BY x.recorded_at DESC LIMIT 1),
                     pg_catalog.string_to_array(pg_catalog.left(r.note ->> 'driver', 4000), ' ')),
                   (SELECT tps FROM ebs.run_result x WHERE x.run_id = r.run_id ORDER BY recorded_at DESC LIMIT 1)
                 FROM ebs.run r WHERE r.run_id = $1";
    let driver = first_row(query, &[run_id.into()], |row| {
        let command = row.get::<Vec<Option<String>>>(1)?.unwrap_or_default();
        Ok::<_, Error>(Driver { command: command.into_iter().flatten().collect(), tps: row.get(2)? })
    })?;
    Ok(driver.unwrap_or_default())
}

/// Finds the run with this label, and the end of its measured part, microseconds since 1970; refuses one that is still open.
pub(super) fn find_ended_run(label: &str) -> Result<(Run, i64), Error> {
    let run = find_run(label)?;
    match run.to_us {
        Some(to_us) => Ok((run, to_us)),
        None => Err(still_open_error(&run.label).with_detail("What is measured has not ended.")),
    }
}

fn still_open_error(label: &str) -> Error {
    state_error(format!("run \"{label}\" is still open"), "End it first: SELECT ebs_run_end();")
}

fn unknown_run_error(label: &str) -> Error {
    let message = match label {
        "" => "no run is named".to_owned(),
        _ => format!("run \"{}\" does not exist", quoted_label(label)),
    };
    Error::new(PgSqlErrorCode::ERRCODE_UNDEFINED_OBJECT, message, latest_runs_hint())
}

/// A hint that names the latest runs.
pub(super) fn latest_runs_hint() -> String {
    let query = "SELECT string_agg(label, ', ') FROM (SELECT label FROM ebs.run ORDER BY run_id DESC LIMIT 5) latest";
    match first_value::<String>(query, &[]) {
        Ok(Some(labels)) => format!("The latest runs are {labels}."),
        _ => "There is no run yet: SELECT ebs_run_begin('my-run');".to_owned(),
    }
}
