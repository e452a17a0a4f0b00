//! HammerDB's hammer.DB: jobs in an SQLite database. Its tables are created in jobs-1.0.tm
//! (<https://github.com/TPC-Council/HammerDB/tree/master/modules>).

use ebs_imports::drivers::{Driver, DriverError, Job, Percentile, Procedure, Report, read as read_output};
use rusqlite::{Connection, Row};

use super::bounds::MAX_OUTPUT;
use super::sqlite;
use crate::error::Error;

/// Tables that are read; all but the first may be missing.
const TABLES: [&str; 4] = ["JOBOUTPUT", "JOBMAIN", "JOBTCOUNT", "JOBTIMING"];
/// Most jobs of a file, and procedures of a job: TPROC-C has five.
const MAX_JOBS: usize = 10_000;
const MAX_PROCEDURES: usize = 100;
/// Longest identifier of a job, characters; HammerDB's have 24.
const MAX_JOB_ID: usize = 200;

/// Reads this job, or the only one with a result; `partial` accepts output without its end.
pub fn read(file: &str, job: Option<&str>, partial: bool) -> Result<Report, Error> {
    let unreadable = |error| Error::HammerDbDatabase { file: file.to_owned(), problem: describe(&error) };
    let invalid = |error| Error::DriverFile { file: file.to_owned(), error };
    let refused = |problem| Error::HammerDbDatabase { file: file.to_owned(), problem };
    let database = sqlite::open(file).map_err(unreadable)?;
    for table in TABLES {
        sqlite::has_table(&database, table).map_err(unreadable)?.map_err(refused)?;
    }
    let jobs = jobs_with_result(&database).map_err(unreadable)?;
    let job = select_job(jobs, job).map_err(invalid)?;
    let text = output(&database, &job).map_err(unreadable)?;
    let text = text.ok_or_else(|| refused("the output of the job is longer than 64 MiB".to_owned()))?;
    let mut report = read_output(Driver::Hammerdb, &text, partial).map_err(invalid)?;
    report.procedures = procedures(&database, &job).map_err(unreadable)?;
    report.job = Some(times(&database, job, report.figures.seconds).map_err(unreadable)?);
    Ok(report)
}

/// Jobs with a result; a schema build is a job without one.
fn jobs_with_result(database: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = database.prepare(&format!(
        "SELECT DISTINCT jobid FROM JOBOUTPUT WHERE length(jobid) <= {MAX_JOB_ID}
         AND (output LIKE '%TEST RESULT%' OR output LIKE '%query set(s) in%') ORDER BY jobid LIMIT {MAX_JOBS}"
    ))?;
    statement.query_map([], |row| row.get(0))?.collect()
}

fn select_job(mut jobs: Vec<String>, selected: Option<&str>) -> Result<String, DriverError> {
    match (selected, jobs.len()) {
        (Some(job), _) if jobs.iter().any(|name| name == job) => Ok(job.to_owned()),
        (Some(job), _) => Err(DriverError::NoSuchJob(job.to_owned())),
        (None, 0) => Err(DriverError::Foreign("job with a result")),
        (None, 1) => Ok(jobs.remove(0)),
        (None, _) => Err(DriverError::SeveralJobs(jobs)),
    }
}

/// Output of the virtual users, in the form in which hammerdbcli prints it; `None` of one that is longer than a file may be.
fn output(database: &Connection, job: &str) -> rusqlite::Result<Option<String>> {
    let mut statement = database.prepare("SELECT vu, output FROM JOBOUTPUT WHERE jobid = ?1 ORDER BY rowid")?;
    let mut rows = statement.query([job])?;
    let mut text = String::new();
    while let Some(row) = rows.next()? {
        let (user, output): (i64, String) = (row.get(0)?, row.get(1)?);
        for line in output.lines() {
            text.push_str(&format!("Vuser {user}:{line}\n"));
        }
        if text.len() as u64 > MAX_OUTPUT {
            return Ok(None);
        }
    }
    // A job that is in the database has ended, with all streams of TPROC-H.
    Ok(Some(text + "ALL VIRTUAL USERS COMPLETE\n"))
}

/// Times of a job: HammerDB keeps local ones, of the beginning and of each count of transactions. The job lasts at least as long as it
/// measures.
fn times(database: &Connection, job: String, measured_s: Option<f64>) -> rusqlite::Result<Job> {
    let mut row = Job { id: job, began: None, ended: None };
    let time = |table: &str, aggregate: &str, later_s: f64| -> rusqlite::Result<Option<String>> {
        if !database.table_exists(None, table)? {
            return Ok(None);
        }
        let query = format!(
            "SELECT strftime('%Y-%m-%dT%H:%M:%SZ', {aggregate}(timestamp), 'utc', ?2 || ' seconds') FROM {table} WHERE jobid = ?1"
        );
        database.query_row(&query, (&row.id, later_s.to_string()), |row| row.get(0))
    };
    let began = time("JOBMAIN", "min", 0.0)?;
    let ended = [time("JOBTCOUNT", "max", 0.0)?, time("JOBMAIN", "min", measured_s.unwrap_or(0.0))?];
    // Times of one form sort as text.
    (row.began, row.ended) = (began, ended.into_iter().flatten().max());
    Ok(row)
}

/// Calls and mean time of each procedure over all virtual users, the mean weighted by calls; percentiles from HammerDB's
/// summary of all users, whose calls are twice those of the users in 4.12 and 5.0, or from the only user.
fn procedures(database: &Connection, job: &str) -> rusqlite::Result<Vec<Procedure>> {
    if !database.table_exists(None, "JOBTIMING")? {
        return Ok(Vec::new());
    }
    let mut statement = database.prepare(&format!(
        "SELECT procname, sum(calls), sum(avg_ms * calls) / sum(calls), coalesce(all_users.p50_ms, only.p50_ms),
                coalesce(all_users.p95_ms, only.p95_ms), coalesce(all_users.p99_ms, only.p99_ms)
         FROM (SELECT procname, calls, avg_ms FROM JOBTIMING WHERE jobid = ?1 AND summary = 0 AND calls > 0)
         LEFT JOIN (SELECT procname, p50_ms, p95_ms, p99_ms FROM JOBTIMING WHERE jobid = ?1 AND summary <> 0
                    GROUP BY procname) AS all_users USING (procname)
         LEFT JOIN (SELECT procname, p50_ms, p95_ms, p99_ms FROM JOBTIMING WHERE jobid = ?1 AND summary = 0 AND calls > 0
                    GROUP BY procname HAVING count(*) = 1) AS only USING (procname)
         GROUP BY procname ORDER BY procname LIMIT {MAX_PROCEDURES}"
    ))?;
    let procedure = |row: &Row| {
        let percentiles = [(3, 50.0), (4, 95.0), (5, 99.0)];
        let percentile =
            |(column, percent)| Ok(row.get::<_, Option<f64>>(column)?.map(|ms| Percentile { percent, ms }));
        Ok(Procedure {
            name: row.get(0)?,
            calls: u64::try_from(row.get::<_, i64>(1)?).ok(),
            mean_ms: row.get(2)?,
            percentiles: percentiles
                .into_iter()
                .filter_map(|column| percentile(column).transpose())
                .collect::<rusqlite::Result<_>>()?,
        })
    };
    statement.query_map([job], procedure)?.collect()
}

/// SQLite's message, in one line.
fn describe(error: &rusqlite::Error) -> String {
    format!("it cannot be read as a database of HammerDB: {}", error.to_string().replace('\n', " "))
}

#[cfg(test)]
#[path = "hammer_db_tests.rs"]
mod tests;
