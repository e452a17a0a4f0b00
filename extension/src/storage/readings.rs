//! Table ebs.run_reading.

use ebs_base::input;
use ebs_comparison::export::RunReading;
use ebs_workload::reading::Reading;
use pgrx::prelude::*;
use pgrx::spi::SpiHeapTupleData;

use super::read::first;
use super::runs::Run;
use super::written::text;
use crate::errors::Error;
use crate::interrupts::check_interrupts;
use crate::memory;

/// Keeps what was read at this moment of the open run, microseconds since 1970.
pub fn keep_reading(at_us: i64, reading: &Reading) -> Result<(), Error> {
    Spi::run_with_args(
        "INSERT INTO ebs.run_reading (run_id, moment, reading)
         SELECT run_id, greatest(started_at, timestamptz 'epoch' + $1 * interval '1 microsecond'), $2::pg_catalog.jsonb
         FROM ebs.run WHERE ended_at IS NULL
         ON CONFLICT (run_id, moment) DO UPDATE SET reading = EXCLUDED.reading",
        &[at_us.into(), text(reading, "The reading")?.into()],
    )?;
    Ok(())
}

/// Keeps what was read elsewhere with a run that is imported.
pub(super) fn import_reading(run_id: i64, reading: &RunReading) -> Result<(), Error> {
    Spi::run_with_args(
        "INSERT INTO ebs.run_reading (run_id, moment, reading)
         VALUES ($1, timestamptz 'epoch' + $2 * interval '1 microsecond', $3::pg_catalog.jsonb)",
        &[run_id.into(), reading.moment_us.into(), text(&reading.reading, "The reading")?.into()],
    )?;
    Ok(())
}

/// What was read where the measured part of a run begins; `None` where nothing was.
pub fn reading_before(run: &Run) -> Result<Option<Reading>, Error> {
    one(run.run_id, "moment <= asked ORDER BY moment DESC", run.from_us)
}

/// What was read where it ends; `None` where nothing was, and for a run that is open.
pub fn reading_after(run: &Run) -> Result<Option<Reading>, Error> {
    let Some(to_us) = run.to_us else { return Ok(None) };
    one(run.run_id, "moment >= asked ORDER BY moment", to_us)
}

fn one(run_id: i64, which: &str, at_us: i64) -> Result<Option<Reading>, Error> {
    let query = format!(
        "SELECT reading::pg_catalog.text FROM ebs.run_reading, (SELECT timestamptz 'epoch' + $2 * interval '1 microsecond' AS asked) at
         WHERE run_id = $1 AND {which} LIMIT 1"
    );
    Ok(first(&query, &[run_id.into(), at_us.into()], |row| reading(row, 1))?.flatten())
}

/// All that was read with a run, earliest first.
pub(super) fn readings(run_id: i64) -> Result<Vec<RunReading>, Error> {
    let query = "SELECT (extract(epoch FROM moment) * 1000000)::bigint, reading::pg_catalog.text
                 FROM ebs.run_reading WHERE run_id = $1 ORDER BY moment";
    Spi::connect(|client| {
        let rows = client.select(query, None, &[run_id.into()])?;
        let mut found = Vec::new();
        for row in rows {
            check_interrupts();
            let moment_us = row.get(1)?.unwrap_or(0);
            found.extend(reading(&row, 2)?.map(|reading| RunReading { moment_us, reading }));
        }
        Ok(found)
    })
}

/// The reading in a column of text, read in pieces.
fn reading(row: &SpiHeapTupleData, column: usize) -> Result<Option<Reading>, Error> {
    memory::require_piece("The reading")?;
    let read = |text| input::json(text, &check_interrupts).map_err(|error| changed(&error));
    row.get::<&str>(column)?.map(read).transpose()
}

fn changed(error: &serde_json::Error) -> Error {
    let hint = "Table ebs.run_reading was changed by hand, or written by a later version.";
    Error::new(PgSqlErrorCode::ERRCODE_DATA_CORRUPTED, format!("reading of a run cannot be read: {error}"), hint)
}
