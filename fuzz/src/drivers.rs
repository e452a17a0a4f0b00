//! Output and files of load drivers. Every figure of accepted input can be stored: it is finite and not negative.

use ebs_imports::drivers::{self, DriverError, Follower, Kind, Percentile, PgbenchLogs, Report, fio};

use crate::figures::{check_figure, check_figures};

/// A file of a driver: its output also line by line, past lines with errors.
pub fn file(kind: Kind, text: &str) {
    match read(kind, text) {
        Ok(report) => check_report(&report),
        Err(error) => drop((error.to_string(), error.hint())),
    }
    let Kind::Output(driver) = kind else { return };
    let mut follower = Follower::new(driver);
    text.lines().for_each(|line| drop(follower.line(line, Some(1.0))));
    let _ = follower.complete();
    let mut report = follower.into_report();
    check_report(&report);
    if report.leave_out_before(2.0) {
        check_report(&report);
    }
}

/// Reads a file of a driver as a whole; a database is none of text.
pub fn read(kind: Kind, text: &str) -> Result<Report, DriverError> {
    match kind {
        Kind::Output(driver) => drivers::read(driver, text, true),
        Kind::HammerdbJobs => drivers::jobs(text, None),
        Kind::PgbenchLog => {
            let mut logs = PgbenchLogs::default();
            text.lines().try_for_each(|line| logs.line(line))?;
            logs.end_of_file(text.ends_with('\n'))?;
            logs.finish()
        }
        Kind::HammerdbDatabase => Err(DriverError::Foreign("text")),
    }
}

/// fio's JSON. An accepted document can be stored and read back unchanged.
pub fn fio(text: &str) {
    let Ok(read) = fio::read(text, &|| ()) else { return };
    let kept = serde_json::to_string(&read).expect("it can be kept");
    let again: fio::Fio = serde_json::from_str(&kept).expect("what is kept can be read");
    assert_eq!(again, read);
    again.check().expect("it is still valid");
    for side in read.jobs.iter().flat_map(|job| [&job.read, &job.write]).flatten() {
        check_figures([("iops", Some(side.iops)), ("bytes", Some(side.bytes_per_s))]);
        check_figures([("lat", side.lat_mean_us), ("clat", side.clat_mean_us)]);
        side.percentiles.iter().for_each(|percentile| check_figure("percentile", percentile.us));
    }
}

fn check_report(report: &Report) {
    let figures = &report.figures;
    check_figures([
        ("tps", figures.tps),
        ("latency", figures.latency_ms),
        ("deviation", figures.latency_stddev_ms),
        ("longest", figures.latency_max_ms),
        ("nopm", figures.nopm),
        ("tpm", figures.tpm),
        ("seconds", figures.seconds),
    ]);
    check_percentiles(&figures.percentiles);
    for progress in drivers::thin(&report.series, 100) {
        check_figures([("elapsed", progress.elapsed_s), ("epoch", progress.epoch_s), ("tps", progress.tps)]);
        check_figures([("tpm", progress.tpm), ("nopm", progress.nopm), ("latency", progress.latency_ms)]);
        check_figures([("failed", progress.failed)]);
    }
    report.queries.iter().for_each(|query| check_figure("query", query.seconds));
    for set in &report.query_sets {
        check_figures([("set", set.seconds), ("mean", set.geometric_mean_s)]);
    }
    for procedure in &report.procedures {
        check_figures([("procedure", procedure.mean_ms)]);
        check_percentiles(&procedure.percentiles);
    }
}

fn check_percentiles(percentiles: &[Percentile]) {
    percentiles.iter().for_each(|percentile| {
        check_figure("percentile", percentile.ms);
        check_figure("percent", percentile.percent);
    });
}
