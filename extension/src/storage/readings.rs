//! Table ebs.run_reading.

use ebs_comparison::export::RunReading;
use ebs_workload::reading::Reading;

use super::json_text::to_json;
use super::runs::Run;
use crate::errors::Error;
use crate::sql::{JsonColumn, execute, first_row, select_rows};

const READING: JsonColumn = JsonColumn {
    subject: "The reading",
    name: "reading of a run",
    hint: "Table ebs.run_reading was changed by hand, or written by a later version.",
};

/// Stores the reading at this time of the open run, microseconds since 1970.
pub fn store_reading(at_us: i64, reading: &Reading) -> Result<(), Error> {
    execute(
        "INSERT INTO ebs.run_reading (run_id, moment, reading)
         SELECT run_id, greatest(started_at, timestamptz 'epoch' + $1 * interval '1 microsecond'), $2::pg_catalog.jsonb
         FROM ebs.run WHERE ended_at IS NULL
         ON CONFLICT (run_id, moment) DO UPDATE SET reading = EXCLUDED.reading",
        &[at_us.into(), to_json(reading, "The reading")?.into()],
    )
}

/// Stores a reading of an imported run.
pub(super) fn import_reading(run_id: i64, reading: &RunReading) -> Result<(), Error> {
    execute(
        "INSERT INTO ebs.run_reading (run_id, moment, reading)
         VALUES ($1, timestamptz 'epoch' + $2 * interval '1 microsecond', $3::pg_catalog.jsonb)",
        &[run_id.into(), reading.moment_us.into(), to_json(&reading.reading, "The reading")?.into()],
    )
}

/// The reading at the beginning of a run's measured part; `None` where none was taken.
pub fn reading_before(run: &Run) -> Result<Option<Reading>, Error> {
    read_one(run.run_id, "moment <= wanted ORDER BY moment DESC", run.from_us)
}

/// The reading at its end; `None` where none was taken, and for a run that is open.
pub fn reading_after(run: &Run) -> Result<Option<Reading>, Error> {
    let Some(to_us) = run.to_us else { return Ok(None) };
    read_one(run.run_id, "moment >= wanted ORDER BY moment", to_us)
}

fn read_one(run_id: i64, condition: &str, at_us: i64) -> Result<Option<Reading>, Error> {
    let query = format!(
        "SELECT reading::pg_catalog.text FROM ebs.run_reading, (SELECT timestamptz 'epoch' + $2 * interval '1 microsecond' AS wanted) at
         WHERE run_id = $1 AND {condition} LIMIT 1"
    );
    Ok(first_row(&query, &[run_id.into(), at_us.into()], |row| READING.read(row, 1))?.flatten())
}

/// Reads all readings of a run, earliest first.
pub(super) fn read_readings(run_id: i64) -> Result<Vec<RunReading>, Error> {
    let query = "SELECT (extract(epoch FROM moment) * 1000000)::bigint, reading::pg_catalog.text
                 FROM ebs.run_reading WHERE run_id = $1 ORDER BY moment";
    let readings: Vec<Option<_>> = select_rows(query, &[run_id.into()], |row| {
        let moment_us = row.get(1)?.unwrap_or(0);
        Ok(READING.read(row, 2)?.map(|reading| RunReading { moment_us, reading }))
    })?;
    Ok(readings.into_iter().flatten().collect())
}
