//! Table ebs.run_fio.

use ebs_base::names;
use ebs_comparison::export::FioImport;
use ebs_imports::drivers::fio::Fio;

use super::json_text::to_json;
use super::limits::{RunRows, check_run_rows};
use crate::errors::Error;
use crate::sql::{JsonColumn, execute, fresh_value, select_rows};

const REPORT: JsonColumn = JsonColumn {
    subject: "The report",
    name: "report of fio",
    hint: "Table ebs.run_fio was changed by hand: import fio's report again.",
};

/// The number of the run with this label, if there is one.
pub fn run_number(label: &str) -> Result<Option<i64>, Error> {
    let Some(label) = names::bounded(label) else { return Ok(None) };
    let query = "SELECT run_id FROM ebs.run WHERE label = $1";
    // A statement that imports twice sees the run of its first import.
    fresh_value(query, &[label.into()])
}

/// Stores a report of fio with a run, recorded at this time, microseconds since 1970, or now.
pub fn store_fio(run_id: i64, recorded_us: Option<i64>, fio: &Fio) -> Result<(), Error> {
    check_run_rows(run_id, RunRows::Fio)?;
    let document = to_json(fio, "The report")?;
    execute(
        "INSERT INTO ebs.run_fio (run_id, recorded_at, fio)
         VALUES ($1, coalesce(timestamptz 'epoch' + $2 * interval '1 microsecond', pg_catalog.clock_timestamp()), $3::pg_catalog.jsonb)",
        &[run_id.into(), recorded_us.into(), document.into()],
    )
}

/// Reads fio's reports of this run, earliest first.
pub fn fio_imports(run_id: i64) -> Result<Vec<FioImport>, Error> {
    let query = "SELECT (extract(epoch FROM recorded_at) * 1000000)::bigint, fio::pg_catalog.text
                 FROM ebs.run_fio WHERE run_id = $1 ORDER BY recorded_at";
    let imports: Vec<Option<_>> = select_rows(query, &[run_id.into()], |row| {
        let recorded_us = row.get(1)?.unwrap_or(0);
        Ok(REPORT.read(row, 2)?.map(|fio| FioImport { recorded_us, fio }))
    })?;
    Ok(imports.into_iter().flatten().collect())
}
