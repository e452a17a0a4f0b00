//! Export of runs and import on other servers: everything that belongs to one, out of all tables and into them.

use ebs_comparison::export::{MAX_PACKED_BYTES, Mark, Run, RunDocumentError, RunResult, Samples, declared};
use ebs_samples::evidence::codec::plain_length;
use pgrx::spi::SpiHeapTupleData;
use pgrx::{JsonB, PgSqlErrorCode};

use super::blocks::{for_each_row, insert_samples};
use super::declarations::declarations_of_run;
use super::fio::{fio_imports, store_fio};
use super::index_findings::{import_index_findings, read_index_findings};
use super::labels::checked_tags;
use super::limits::check_run_count;
use super::readings::{import_reading, read_readings};
use super::runs::{self, checked_label, checked_phase, find_ended_run, label_taken_error};
use crate::errors::Error;
use crate::interrupts::check_interrupts;
use crate::memory;
use crate::sql::{RUN_DOCUMENT, execute, first_row, fresh_value, select_rows};

/// SQL for a time as microseconds since 1970.
fn us(column: &str) -> String {
    format!("(extract(epoch FROM {column}) * 1000000)::bigint")
}

/// SQL for the time of such an argument.
fn at(argument: usize) -> String {
    format!("timestamptz 'epoch' + ${argument} * interval '1 microsecond'")
}

/// Reads a run with all that belongs to it.
pub fn export_run(label: &str) -> Result<Run, Error> {
    let (run, to_us) = find_ended_run(label)?;
    let declared = declarations_of_run(&run, to_us)?;
    let query = format!(
        "SELECT {}, {}, note::pg_catalog.text, environment::pg_catalog.text, tags FROM ebs.run WHERE run_id = $1",
        us("started_at"),
        us("ended_at")
    );
    let read = |row: &SpiHeapTupleData| {
        Ok::<_, Error>(Run {
            label: run.label.clone(),
            started_us: row.get(1)?.unwrap_or(0),
            ended_us: row.get(2)?.unwrap_or(0),
            note: RUN_DOCUMENT.read(row, 3)?,
            environment: RUN_DOCUMENT.read(row, 4)?,
            tags: row.get(5)?.unwrap_or_default(),
            ..Run::default()
        })
    };
    let exported = first_row(&query, &[run.run_id.into()], read)?.unwrap_or_default();
    let samples = read_samples(&run, exported.started_us, exported.ended_us)?;
    let (marks, results, fio) = (read_marks(run.run_id)?, read_results(run.run_id)?, fio_imports(run.run_id)?);
    let (readings, index_findings) = (read_readings(run.run_id)?, read_index_findings(&run)?);
    Ok(Run { declared, marks, results, fio, readings, index_findings, samples, ..exported })
}

fn read_marks(run_id: i64) -> Result<Vec<Mark>, Error> {
    let query = format!("SELECT phase, {} FROM ebs.run_mark WHERE run_id = $1 ORDER BY marked_at", us("marked_at"));
    let mark = |row: &SpiHeapTupleData| {
        Ok(Mark { phase: row.get(1)?.unwrap_or_default(), marked_us: row.get(2)?.unwrap_or(0) })
    };
    select_rows(&query, &[run_id.into()], mark)
}

fn read_results(run_id: i64) -> Result<Vec<RunResult>, Error> {
    let query = format!(
        "SELECT {}, tps, latency_ms, nopm, tpm, details::pg_catalog.text FROM ebs.run_result WHERE run_id = $1 ORDER BY recorded_at",
        us("recorded_at")
    );
    let result = |row: &SpiHeapTupleData| {
        Ok(RunResult {
            recorded_us: row.get(1)?.unwrap_or(0),
            tps: row.get(2)?,
            latency_ms: row.get(3)?,
            nopm: row.get(4)?,
            tpm: row.get(5)?,
            details: RUN_DOCUMENT.read(row, 6)?,
        })
    };
    select_rows(&query, &[run_id.into()], result)
}

/// Reads the blocks that touch the run, as they are stored, and those that the sampler has not written, where its last flush failed. As
/// many as fit a document.
fn read_samples(run: &runs::Run, from_us: i64, to_us: i64) -> Result<Vec<Samples>, Error> {
    let (mut read, mut bytes) = (Vec::new(), 0);
    let pending = for_each_row(Some(run), from_us, to_us, |row, unreadable| {
        let samples = unreadable.read(row, || {
            let (layout, samples) = (row.get(1)?.unwrap_or(0), row.get::<&[u8]>(2)?.unwrap_or_default());
            bytes += samples.len();
            if bytes > MAX_PACKED_BYTES {
                return Err(document_error(&RunDocumentError::TooLarge));
            }
            memory::require(samples.len() + plain_length(samples), "The samples")?;
            Ok(Samples::from_stored(layout, samples.to_vec(), &check_interrupts)?)
        })?;
        let samples = samples.flatten();
        let times = samples.as_ref().map(|samples| (samples.started_us, samples.ended_us));
        read.extend(samples);
        Ok(times)
    })?;
    for block in pending {
        let times = block.started_us().zip(block.ended_us());
        if times.is_some_and(|(started_us, ended_us)| ended_us >= from_us && started_us <= to_us) {
            read.extend(Samples::from_block(block, &check_interrupts)?);
        }
    }
    Ok(read)
}

/// Error of a document that is refused.
pub fn document_error(error: &RunDocumentError) -> Error {
    let code = match error {
        RunDocumentError::Malformed { .. } => PgSqlErrorCode::ERRCODE_INVALID_TEXT_REPRESENTATION,
        RunDocumentError::Foreign | RunDocumentError::Shape { .. } => PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE,
        RunDocumentError::Version(_) | RunDocumentError::Layout { .. } => PgSqlErrorCode::ERRCODE_FEATURE_NOT_SUPPORTED,
        RunDocumentError::Damaged { .. } => PgSqlErrorCode::ERRCODE_DATA_CORRUPTED,
        RunDocumentError::OutOfMemory => PgSqlErrorCode::ERRCODE_OUT_OF_MEMORY,
        RunDocumentError::TooLarge | RunDocumentError::TooLong { .. } => PgSqlErrorCode::ERRCODE_PROGRAM_LIMIT_EXCEEDED,
    };
    Error::new(code, error.to_string(), error.hint())
}

/// Stores a run that was exported elsewhere.
pub fn import_run(run: &Run) -> Result<(), Error> {
    let label = checked_label(Some(&run.label))?;
    check_run_count()?;
    let insert = format!(
        "INSERT INTO ebs.run (label, note, environment, imported, started_at, ended_at, tags, declared)
         VALUES ($1, $2, $3, true, {}, {}, $6, $7) ON CONFLICT DO NOTHING RETURNING run_id",
        at(4),
        at(5)
    );
    let row = [
        label.into(),
        run.note.clone().map(JsonB).into(),
        run.environment.clone().map(JsonB).into(),
        run.started_us.into(),
        run.ended_us.into(),
        checked_tags(run.tags.clone())?.into(),
        JsonB(declared(&run.declared)).into(),
    ];
    let run_id = fresh_value(&insert, &row)?.ok_or_else(|| label_taken_error(label))?;
    insert_rows(run_id, run)?;
    run.samples.iter().try_for_each(|samples| {
        check_interrupts();
        insert_samples(Some(run_id), samples.clone())
    })
}

/// Inserts everything that belongs to it, but for its samples.
fn insert_rows(run_id: i64, run: &Run) -> Result<(), Error> {
    let insert_mark = format!("INSERT INTO ebs.run_mark (run_id, phase, marked_at) VALUES ($1, $2, {})", at(3));
    for mark in &run.marks {
        check_interrupts();
        let phase = checked_phase(Some(&mark.phase))?;
        execute(&insert_mark, &[run_id.into(), phase.into(), mark.marked_us.into()])?;
    }
    let insert_result = format!(
        "INSERT INTO ebs.run_result (run_id, recorded_at, tps, latency_ms, nopm, tpm, details)
         VALUES ($1, {}, $3, $4, $5, $6, $7)",
        at(2)
    );
    for result in &run.results {
        check_interrupts();
        let RunResult { recorded_us, tps, latency_ms, nopm, tpm, details } = result.clone();
        let details = details.map(JsonB);
        execute(
            &insert_result,
            &[
                run_id.into(),
                recorded_us.into(),
                tps.into(),
                latency_ms.into(),
                nopm.into(),
                tpm.into(),
                details.into(),
            ],
        )?;
    }
    if let Some(findings) = &run.index_findings {
        import_index_findings(run_id, findings)?;
    }
    run.readings.iter().try_for_each(|reading| import_reading(run_id, reading))?;
    run.fio.iter().try_for_each(|import| store_fio(run_id, Some(import.recorded_us), &import.fio))
}
