//! Sets of runs: the run of a label, or those that match a pattern.

use ebs_comparison::compare::DriverReport;
use pgrx::{JsonB, PgSqlErrorCode};

use super::labels::matching_labels;
use super::runs::{Run, find_ended_run};
use crate::errors::Error;
use crate::sql::{RUN_DOCUMENT, first_row};

/// A run of a set, with its record beside the samples.
pub struct RunRecord {
    /// The run.
    pub run: Run,
    /// End of its measured part, microseconds since 1970.
    pub to_us: i64,
    /// The server it ran on, as in the column environment.
    pub environment: Option<JsonB>,
    /// The user's note.
    pub note: Option<JsonB>,
    /// The latest report of the load driver.
    pub reported: DriverReport,
}

/// Most runs that are compared at once, a side.
const MAX_RUNS: usize = 200;

/// Finds the runs of a label or a pattern, in the order in which they began; never none.
pub fn find_run_set(pattern: &str) -> Result<Vec<RunRecord>, Error> {
    let labels = matching_labels(pattern)?;
    match labels.len() {
        n if n > MAX_RUNS => Err(Error::new(
            PgSqlErrorCode::ERRCODE_PROGRAM_LIMIT_EXCEEDED,
            format!("{n} runs match \"{}\", more than {MAX_RUNS}", pattern.trim()),
            "Name fewer: a longer pattern, or one label.",
        )),
        _ => labels.iter().map(|label| find_run_record(label)).collect(),
    }
}

/// Finds the run of a label.
pub fn find_run_record(label: &str) -> Result<RunRecord, Error> {
    let (run, to_us) = find_ended_run(label)?;
    // Results that were imported later, such as timings, have no command.
    let query = "SELECT r.environment::pg_catalog.text, r.note::pg_catalog.text, x.tps, x.latency_ms, x.nopm, x.tpm, c.command, c.ended, x.clients
                 FROM ebs.run r
                 LEFT JOIN LATERAL (SELECT tps, latency_ms, nopm, tpm, details ->> 'clients' AS clients FROM ebs.run_result x
                                    WHERE x.run_id = r.run_id ORDER BY recorded_at DESC LIMIT 1) x ON true
                 LEFT JOIN LATERAL (SELECT details ->> 'ended' AS ended,
                                           (SELECT string_agg(word, ' ' ORDER BY n)
                                            FROM jsonb_array_elements_text(details -> 'command') WITH ORDINALITY words (word, n)) AS command
                                    FROM ebs.run_result x
                                    WHERE x.run_id = r.run_id AND jsonb_typeof(details -> 'command') = 'array'
                                    ORDER BY recorded_at DESC LIMIT 1) c ON true
                 WHERE r.run_id = $1";
    let record = first_row(query, &[run.run_id.into()], |row| {
        let reported = DriverReport {
            tps: row.get(3)?,
            latency_ms: row.get(4)?,
            nopm: row.get(5)?,
            tpm: row.get(6)?,
            command: row.get(7)?,
            ended: row.get(8)?,
            // Whatever a result says: no number is none.
            clients: row
                .get::<String>(9)?
                .and_then(|clients| clients.parse().ok())
                .filter(|clients: &f64| clients.is_finite()),
        };
        let [environment, note] =
            [RUN_DOCUMENT.read(row, 1)?, RUN_DOCUMENT.read(row, 2)?].map(|document| document.map(JsonB));
        Ok::<_, Error>((environment, note, reported))
    })?;
    let (environment, note, reported) = record.unwrap_or_default();
    Ok(RunRecord { run, to_us, environment, note, reported })
}
