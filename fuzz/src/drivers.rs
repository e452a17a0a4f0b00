//! Output and files of load drivers. Every figure of accepted input can be stored: it is finite and not negative.

use ebs_imports::drivers::{self, Driver, DriverError, Follower, Kind, Percentile, PgbenchLogs, Report, fio};

use crate::figures::{check_figure, check_figures};

/// Texts of the tests of ebs_imports.
#[path = "../../crates/imports/src/drivers/samples.rs"]
#[allow(dead_code, missing_docs)]
mod samples;

/// The texts of these kinds.
pub fn samples_of_kinds(wanted: &[Kind]) -> Vec<Vec<u8>> {
    let of = samples::KINDS.iter().filter(|(_, kind)| wanted.contains(kind));
    of.map(|(text, _)| text.as_bytes().to_vec()).collect()
}

/// The kind of a file, by its beginning.
pub fn recognise(data: &[u8]) {
    let kind = drivers::recognise(data);
    assert!(kind.is_none_or(|kind| Kind::ALL.contains(&kind)));
}

/// pgbench's output.
pub fn pgbench(data: &[u8]) {
    output(Driver::Pgbench, data);
}

/// HammerDB's output.
pub fn hammerdb(data: &[u8]) {
    output(Driver::Hammerdb, data);
}

/// sysbench's output.
pub fn sysbench(data: &[u8]) {
    output(Driver::Sysbench, data);
}

/// go-tpc's output.
pub fn gotpc(data: &[u8]) {
    output(Driver::Gotpc, data);
}

/// Files of `pgbench --log`.
pub fn pgbench_log(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut logs = PgbenchLogs::default();
    let lines = text.lines().try_for_each(|line| logs.line(line));
    let read = lines.and_then(|()| logs.end_of_file(text.ends_with('\n'))).and_then(|()| logs.finish());
    check_result(read);
}

/// Output of HammerDB's `jobs`.
pub fn hammerdb_jobs(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    check_result(drivers::jobs(text, None));
}

/// fio's JSON. An accepted document can be stored and read back unchanged.
pub fn fio(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
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

/// Reads an output as a whole and line by line, past lines with errors.
fn output(driver: Driver, data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    check_result(drivers::read(driver, text, true));
    let mut follower = Follower::new(driver);
    text.lines().for_each(|line| drop(follower.line(line, Some(1.0))));
    let _ = follower.complete();
    let mut report = follower.into_report();
    check_report(&report);
    if report.leave_out_before(2.0) {
        check_report(&report);
    }
}

fn check_result(read: Result<Report, DriverError>) {
    match read {
        Ok(report) => check_report(&report),
        Err(error) => drop((error.to_string(), error.hint())),
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
