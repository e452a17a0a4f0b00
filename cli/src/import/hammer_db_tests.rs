use std::fs;
use std::path::Path;

use super::*;

/// Tables as HammerDB creates them, with a schema build and a job with a result.
fn database(path: &Path) -> Connection {
    let database = Connection::open(path).unwrap();
    database
        .execute_batch(
            "CREATE TABLE JOBOUTPUT(jobid TEXT, vu INTEGER, output TEXT);
             CREATE TABLE JOBTIMING(jobid TEXT, vu INTEGER, procname TEXT, calls INTEGER, min_ms REAL, avg_ms REAL,
                 max_ms REAL, total_ms REAL, p99_ms REAL, p95_ms REAL, p50_ms REAL, sd REAL, ratio_pct REAL,
                 summary INTEGER, elapsed_ms REAL);
             INSERT INTO JOBOUTPUT VALUES ('BUILD', 1, 'TPCC SCHEMA COMPLETE'), ('RUN', 1, 'Beginning rampup time of 1 minutes'),
                 ('RUN', 2, 'FINISHED SUCCESS'), ('RUN', 1, '3 Active Virtual Users configured'),
                 ('RUN', 1, 'TEST RESULT : System achieved 20753 NOPM from 48102 PostgreSQL TPM');
             INSERT INTO JOBTIMING (jobid, vu, procname, calls, avg_ms, p50_ms, p99_ms, summary) VALUES
                 ('RUN', 2, 'NEWORD', 100, 2.0, 1.5, 7.5, 0), ('RUN', 3, 'NEWORD', 300, 4.0, 3.5, 8.5, 0),
                 ('RUN', 2, 'NEWORD', 800, 9.0, 2.5, 8.0, 1), ('RUN', 2, 'PAYMENT', 50, 1.0, NULL, 3.5, 0),
                 ('RUN', 2, 'SLEV', 5, 1.0, 0.5, 2.0, 0), ('RUN', 3, 'SLEV', 5, 2.0, 1.5, 3.0, 0);",
        )
        .unwrap();
    database
}

#[test]
fn the_only_job_with_a_result() {
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("hammer.DB");
    drop(database(&path));
    let report = read(path.to_str().unwrap(), None, false).unwrap();
    let figures = &report.figures;
    assert_eq!((figures.nopm, figures.tpm, figures.clients), (Some(20_753.0), Some(48_102.0), Some(3)));
    let [new_order, payment, stock_level] = &report.procedures[..] else { panic!("{:?}", report.procedures) };
    // (100 × 2 + 300 × 4) / 400, without the row of the summary, which alone has percentiles of both users.
    assert_eq!((new_order.calls, new_order.mean_ms), (Some(400), Some(3.5)));
    assert_eq!(new_order.percentiles, [Percentile { percent: 50.0, ms: 2.5 }, Percentile { percent: 99.0, ms: 8.0 }]);
    // Percentiles of two users cannot be merged.
    assert_eq!((stock_level.calls, stock_level.percentiles.len()), (Some(10), 0));
    assert_eq!(report.job, Some(Job { id: "RUN".to_owned(), began: None, ended: None }));
    assert_eq!(payment.percentiles, [Percentile { percent: 99.0, ms: 3.5 }]);
}

/// A job of 2 minutes that began at 10:00:00, of which the last count is of 10:03:10: in any time zone 190 s later. Without counts its
/// two minutes are left.
#[test]
fn a_job_has_its_times() {
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("hammer.DB");
    database(&path)
        .execute_batch(
            "CREATE TABLE JOBMAIN(jobid TEXT, timestamp DATETIME); INSERT INTO JOBMAIN VALUES ('RUN', '2026-01-15 10:00:00');
             CREATE TABLE JOBTCOUNT(jobid TEXT, counter INTEGER, metric TEXT, timestamp DATETIME);
             INSERT INTO JOBTCOUNT VALUES ('RUN', 1, 'tpm', '2026-01-15 10:03:10'), ('RUN', 2, 'tpm', '2026-01-15 10:01:00'),
                 ('OTHER', 3, 'tpm', '2026-01-15 11:00:00');
             INSERT INTO JOBOUTPUT VALUES ('RUN', 1, 'Taking start Transaction Count.'),
                 ('RUN', 1, 'Timing test period of 2 in minutes'), ('RUN', 1, 'Taking end Transaction Count.');",
        )
        .unwrap();
    let job = || read(path.to_str().unwrap(), None, false).unwrap().job.unwrap();
    let local = Connection::open(&path).unwrap();
    let utc = |time: &str| -> String {
        local.query_row("SELECT strftime('%Y-%m-%dT%H:%M:%SZ', ?1, 'utc')", [time], |row| row.get(0)).unwrap()
    };
    let expected =
        |ended: &str| Job { id: "RUN".to_owned(), began: Some(utc("2026-01-15 10:00:00")), ended: Some(utc(ended)) };
    assert_eq!(job(), expected("2026-01-15 10:03:10"));
    local.execute_batch("DELETE FROM JOBTCOUNT").unwrap();
    assert_eq!(job(), expected("2026-01-15 10:02:00"));
}

#[test]
fn of_several_jobs_one_has_to_be_selected() {
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("hammer.DB");
    let insert =
        "INSERT INTO JOBOUTPUT VALUES ('OTHER', 1, 'TEST RESULT : System achieved 1 NOPM from 2 PostgreSQL TPM')";
    database(&path).execute_batch(insert).unwrap();
    let file = path.to_str().unwrap();
    let several = read(file, None, false).err().unwrap();
    assert_eq!(several.hint().as_deref(), Some("Name one with --job: OTHER, RUN."));
    let other = read(file, Some("OTHER"), false).unwrap();
    assert_eq!(other.figures.nopm, Some(1.0));
    let none = read(file, Some("BUILD"), false).err().unwrap();
    assert!(none.to_string().ends_with("it has no job \"BUILD\""), "{none}");
}

#[test]
fn a_truncated_or_foreign_file_is_an_error() {
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("hammer.DB");
    drop(database(&path));
    let whole = fs::read(&path).unwrap();
    let file = path.to_str().unwrap().to_owned();
    let error = || read(&file, None, false).err().unwrap();
    fs::write(&path, &whole[..whole.len() - 4_096]).unwrap();
    assert!(error().to_string().contains("it cannot be read as a database of HammerDB"), "{}", error());
    fs::write(&path, b"SQLite format 3\0").unwrap();
    assert!(error().to_string().contains("cannot be read"), "{}", error());
    fs::remove_file(&path).unwrap();
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE other (a)").unwrap();
    assert!(error().to_string().contains("no such table: JOBOUTPUT"), "{}", error());
    fs::remove_file(&path).unwrap();
    assert!(error().to_string().contains("unable to open"), "{}", error());
}

/// The error of a database whose tables are changed by these statements.
fn changed(statements: &str) -> Result<String, String> {
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("hammer.DB");
    database(&path).execute_batch(statements).unwrap();
    let report = read(path.to_str().unwrap(), None, false);
    report.map(|report| format!("{:?}", report.procedures)).map_err(|error| error.to_string())
}

#[test]
fn a_schema_that_computes_is_refused() {
    let view = "DROP TABLE JOBOUTPUT; CREATE VIEW JOBOUTPUT AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) \
                SELECT 'RUN' AS jobid, i AS vu, 'TEST RESULT' AS output FROM n";
    for (statements, problem) in [
        (view, "JOBOUTPUT is no table but of type view"),
        (
            "DROP TABLE JOBTIMING; CREATE VIEW jobtiming AS SELECT hex(zeroblob(400000000)) AS procname",
            "JOBTIMING is no table",
        ),
        ("CREATE VIEW JOBMAIN AS SELECT 'RUN' AS jobid, 1 AS timestamp", "JOBMAIN is no table but of type view"),
        ("CREATE VIRTUAL TABLE JOBTCOUNT USING fts5(jobid, timestamp)", "JOBTCOUNT is no table but of type virtual"),
        (
            "ALTER TABLE JOBOUTPUT ADD COLUMN big TEXT AS (hex(zeroblob(400000000)))",
            "JOBOUTPUT has columns that are computed",
        ),
    ] {
        let error = changed(statements).unwrap_err();
        assert!(error.contains(problem), "{error}");
    }
}

#[test]
fn values_and_outputs_have_bounds() {
    // One value, and a line of many ends whose every line gets its user.
    let long = "INSERT INTO JOBOUTPUT VALUES ('RUN', 1, hex(zeroblob(1000000)))";
    assert!(changed(long).unwrap_err().contains("too big"), "{:?}", changed(long));
    let lines = "INSERT INTO JOBOUTPUT WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 70)
        SELECT 'RUN', 9223372036854775807, replace(hex(zeroblob(80000)), '0', char(10)) FROM n";
    assert!(changed(lines).unwrap_err().ends_with("longer than 64 MiB"), "{:?}", changed(lines));
    let names = "INSERT INTO JOBTIMING (jobid, vu, procname, calls, avg_ms, summary)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000) SELECT 'RUN', 1, 'P' || i, 1, 1.0, 0 FROM n";
    assert_eq!(changed(names).unwrap().matches("Procedure {").count(), MAX_PROCEDURES);
}
