//! Jobs of load drivers: results that name the job they are of.

use ebs_base::labels::quoted_label;
use pgrx::PgSqlErrorCode;
use serde_json::Value;

use crate::errors::Error;
use crate::sql::{first_row, first_value};

/// Largest difference between the clocks of driver and server, seconds; HammerDB keeps whole seconds.
const CLOCK_TOLERANCE_S: f64 = 5.0;

/// Refuses a result whose job is that of another result, or ran at another time than the run. Details without `job` are not checked.
/// An imported result never bars one of a run that was sampled here: its document may name any job.
pub(super) fn check_job(run_id: i64, label: &str, details: &Value) -> Result<(), Error> {
    let text = |name: &str| details.get(name).and_then(Value::as_str);
    let Some(job) = text("job") else { return Ok(()) };
    let recorded = "SELECT r.label FROM ebs.run_result x JOIN ebs.run r USING (run_id), ebs.run own
                    WHERE x.details ->> 'job' = $1 AND own.run_id = $2 AND (own.imported OR NOT r.imported) LIMIT 1";
    if let Some(other) = first_value::<String>(recorded, &[job.into(), run_id.into()])? {
        let message = format!("job \"{}\" is already a result of run \"{other}\"", quoted_label(job));
        let hint = "A job is imported once, all of its files together: ebsctl import --label RUN FILE FILE.";
        return Err(Error::new(PgSqlErrorCode::ERRCODE_UNIQUE_VIOLATION, message, hint));
    }
    match conflicting_times(run_id, text("job_began"), text("job_ended"))? {
        None => Ok(()),
        Some(times) => {
            let message = format!("job \"{}\" did not run within run \"{label}\"", quoted_label(job));
            let hint =
                "Name the run that was open during the job: SELECT label, started_at, ended_at FROM ebs.runs_detail;";
            Err(Error::invalid_parameter(message, hint).with_detail(times))
        }
    }
}

/// Describes the times of a job that do not lie within the run; `None` if they do, or are not known. Text that is no time is not known.
fn conflicting_times(run_id: i64, began: Option<&str>, ended: Option<&str>) -> Result<Option<String>, Error> {
    const QUERY: &str = "
        SELECT 'The job ran from ' || coalesce(job.began::text, 'an unknown time') || ' to ' || coalesce(job.ended::text, 'an unknown time')
               || ', the run from ' || r.started_at || ' to ' || coalesce(r.ended_at::text, 'now') || '.'
        FROM ebs.run r,
             (SELECT CASE WHEN pg_catalog.pg_input_is_valid($2, 'timestamptz') THEN $2::timestamptz END AS began,
                     CASE WHEN pg_catalog.pg_input_is_valid($3, 'timestamptz') THEN $3::timestamptz END AS ended) job,
             LATERAL (SELECT r.started_at - $4 * interval '1 s' AS from_at,
                             coalesce(r.ended_at, pg_catalog.clock_timestamp()) + $4 * interval '1 s' AS to_at) run
        WHERE r.run_id = $1 AND (job.began NOT BETWEEN run.from_at AND run.to_at OR job.ended NOT BETWEEN run.from_at AND run.to_at)";
    let arguments = [run_id.into(), began.into(), ended.into(), CLOCK_TOLERANCE_S.into()];
    first_row(QUERY, &arguments, |row| Ok::<_, Error>(row.get::<String>(1)?)).map(Option::flatten)
}
