//! HammerDB's hammer.DB: jobs in a database of SQLite. Its tables are made in jobs-1.0.tm
//! (<https://github.com/TPC-Council/HammerDB/tree/master/modules>).

use ebs_imports::driver::{Driver, DriverError, Percentile, Procedure, Report, read as read_output};
use rusqlite::{Connection, OpenFlags, Row};

use super::files::Wanted;
use crate::error::Error;

/// The report of the job that is wanted, or of the only one with a result.
pub fn read(file: &str, wanted: &Wanted) -> Result<Report, Error> {
    let failed = |error: rusqlite::Error| Error::Database { file: file.to_owned(), problem: problem(&error) };
    let refused = |error| Error::Driver { file: file.to_owned(), error };
    // Without SQLITE_OPEN_URI a name is a name; read-only it makes no file and no journal.
    let database = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(failed)?;
    let jobs = jobs(&database).map_err(failed)?;
    let job = match wanted.job {
        Some(job) if jobs.iter().any(|name| name == job) => job.to_owned(),
        Some(job) => return Err(refused(DriverError::NoSuchJob(job.to_owned()))),
        None => only(jobs).map_err(refused)?,
    };
    let text = output(&database, &job).map_err(failed)?;
    let mut report = read_output(Driver::Hammerdb, &text, wanted.partial).map_err(refused)?;
    report.procedures = procedures(&database, &job).map_err(failed)?;
    Ok(report)
}

/// Builds are jobs, too: those that have a result count.
fn jobs(database: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = database.prepare(
        "SELECT DISTINCT jobid FROM JOBOUTPUT
         WHERE output LIKE '%TEST RESULT%' OR output LIKE '%query set(s) in%' ORDER BY jobid",
    )?;
    statement.query_map([], |row| row.get(0))?.collect()
}

fn only(mut jobs: Vec<String>) -> Result<String, DriverError> {
    match jobs.len() {
        0 => Err(DriverError::Foreign("job with a result")),
        1 => Ok(jobs.remove(0)),
        _ => Err(DriverError::SeveralJobs(jobs)),
    }
}

/// What its virtual users printed, as it was printed.
fn output(database: &Connection, job: &str) -> rusqlite::Result<String> {
    let mut statement = database.prepare("SELECT vu, output FROM JOBOUTPUT WHERE jobid = ?1 ORDER BY rowid")?;
    let line = |row: &Row| {
        let (user, output): (i64, String) = (row.get(0)?, row.get(1)?);
        Ok(output.lines().map(|line| format!("Vuser {user}:{line}\n")).collect::<String>())
    };
    // Streams of TPROC-H have all ended in a job that was kept.
    let lines: rusqlite::Result<String> = statement.query_map([job], line)?.collect();
    Ok(lines? + "ALL VIRTUAL USERS COMPLETE\n")
}

/// Procedures: calls and mean as each virtual user timed them, the mean weighted by calls; percentiles from HammerDB's summary of
/// all users, whose calls are twice those of the users in 4.12 and 5.0, or from the only user.
fn procedures(database: &Connection, job: &str) -> rusqlite::Result<Vec<Procedure>> {
    let exists = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'JOBTIMING'";
    if database.query_row(exists, [], |row| row.get::<_, i64>(0))? == 0 {
        return Ok(Vec::new());
    }
    let mut statement = database.prepare(
        "SELECT procname, sum(calls), sum(avg_ms * calls) / sum(calls), coalesce(all_users.p50_ms, only.p50_ms),
                coalesce(all_users.p95_ms, only.p95_ms), coalesce(all_users.p99_ms, only.p99_ms)
         FROM (SELECT procname, calls, avg_ms FROM JOBTIMING WHERE jobid = ?1 AND summary = 0 AND calls > 0)
         LEFT JOIN (SELECT procname, p50_ms, p95_ms, p99_ms FROM JOBTIMING WHERE jobid = ?1 AND summary <> 0
                    GROUP BY procname) AS all_users USING (procname)
         LEFT JOIN (SELECT procname, p50_ms, p95_ms, p99_ms FROM JOBTIMING WHERE jobid = ?1 AND summary = 0 AND calls > 0
                    GROUP BY procname HAVING count(*) = 1) AS only USING (procname)
         GROUP BY procname ORDER BY procname",
    )?;
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
                .filter_map(|of| percentile(of).transpose())
                .collect::<rusqlite::Result<_>>()?,
        })
    };
    statement.query_map([job], procedure)?.collect()
}

/// SQLite's words, in one line.
fn problem(error: &rusqlite::Error) -> String {
    format!("it cannot be read as a database of HammerDB: {}", error.to_string().replace('\n', " "))
}

#[cfg(test)]
#[path = "hammer_db_tests.rs"]
mod tests;
