//! Sets of runs: by a label, or by a pattern that several match.

use ebs_comparison::compare::Reported;
use pgrx::{JsonB, PgSqlErrorCode};

use super::labels::matching;
use super::read::{first, json};
use super::runs::{Run, find_ended};
use crate::errors::Error;

/// A run of a set, with what is kept of it beside its samples.
pub struct Member {
    /// The run.
    pub run: Run,
    /// End of its measured part, microseconds since 1970.
    pub to_us: i64,
    /// The server it ran on, as the column environment has it.
    pub environment: Option<JsonB>,
    /// What the user noted.
    pub note: Option<JsonB>,
    /// What the load driver reported last.
    pub reported: Reported,
}

/// Runs that are compared at once, a side.
const MOST: usize = 200;

/// The runs that a label or a pattern names, in the order in which they began; never none.
pub fn set(pattern: &str) -> Result<Vec<Member>, Error> {
    let labels = matching(pattern)?;
    match labels.len() {
        n if n > MOST => Err(Error::new(
            PgSqlErrorCode::ERRCODE_PROGRAM_LIMIT_EXCEEDED,
            format!("{n} runs match \"{}\", more than {MOST}", pattern.trim()),
            "Name fewer: a longer pattern, or one label.",
        )),
        _ => labels.iter().map(|label| member(label)).collect(),
    }
}

fn member(label: &str) -> Result<Member, Error> {
    let (run, to_us) = find_ended(label)?;
    // What was imported later, such as timings, says nothing of the command.
    let query = "SELECT r.environment::pg_catalog.text, r.note::pg_catalog.text, x.tps, x.latency_ms, x.nopm, x.tpm, c.command, c.ended
                 FROM ebs.run r
                 LEFT JOIN LATERAL (SELECT tps, latency_ms, nopm, tpm FROM ebs.run_result x
                                    WHERE x.run_id = r.run_id ORDER BY recorded_at DESC LIMIT 1) x ON true
                 LEFT JOIN LATERAL (SELECT details ->> 'ended' AS ended,
                                           (SELECT string_agg(word, ' ' ORDER BY n)
                                            FROM jsonb_array_elements_text(details -> 'command') WITH ORDINALITY words (word, n)) AS command
                                    FROM ebs.run_result x
                                    WHERE x.run_id = r.run_id AND jsonb_typeof(details -> 'command') = 'array'
                                    ORDER BY recorded_at DESC LIMIT 1) c ON true
                 WHERE r.run_id = $1";
    let found = first(query, &[run.run_id.into()], |row| {
        let reported = Reported {
            tps: row.get(3)?,
            latency_ms: row.get(4)?,
            nopm: row.get(5)?,
            tpm: row.get(6)?,
            command: row.get(7)?,
            ended: row.get(8)?,
        };
        let [environment, note] = [json(row, 1)?, json(row, 2)?].map(|document| document.map(JsonB));
        Ok::<_, Error>((environment, note, reported))
    })?;
    let (environment, note, reported) = found.unwrap_or_default();
    Ok(Member { run, to_us, environment, note, reported })
}
