use super::super::error::DriverError;
use super::super::follower::{Follower, read};
use super::super::{Driver, samples};
use super::*;

fn whole(text: &str) -> Report {
    read(Driver::Pgbench, text, false).unwrap()
}

fn refused(text: &str) -> String {
    read(Driver::Pgbench, text, false).unwrap_err().to_string()
}

/// Events of a text, line by line.
pub(super) fn events(driver: Driver, text: &str) -> Vec<Event> {
    let mut follower = Follower::new(driver);
    text.lines().filter_map(|line| follower.line(line, Some(1.0)).unwrap()).collect()
}

#[test]
fn the_summary_is_the_result() {
    let report = whole(samples::PGBENCH);
    let figures = &report.figures;
    assert_eq!(report.version.as_deref(), Some("18.6"));
    assert_eq!((figures.tps, figures.latency_ms, figures.latency_stddev_ms), (Some(1001.4), Some(3.978), Some(4.131)));
    assert_eq!((figures.clients, figures.seconds), (Some(4), Some(10.0)));
    assert_eq!((figures.transactions, figures.failed), (Some(10_002), Some(2)));
    assert_eq!(report.series.len(), 2);
    assert_eq!(report.series[1].failed, Some(2.0));
}

#[test]
fn figures_of_scripts_and_statements_are_not_those_of_the_run() {
    let figures = whole(samples::PGBENCH_SCRIPTS).figures;
    assert_eq!((figures.tps, figures.latency_ms, figures.transactions), (Some(800.0), Some(1.25), Some(99)));
    assert_eq!((figures.seconds, figures.failed), (None, None));
}

#[test]
fn it_loads_from_the_vacuum_to_the_summary() {
    let events = events(Driver::Pgbench, samples::PGBENCH);
    let [Event::LoadBegins, Event::Progress(first), Event::Progress(_), Event::MeasuringEnds] = &events[..] else {
        panic!("{events:?}")
    };
    assert_eq!((first.elapsed_s, first.tps, first.latency_ms), (Some(5.0), Some(988.6), Some(4.003)));
}

#[test]
fn every_form_of_progress() {
    for (rest, at, failed) in [
        (
            "5.0 s, 988.6 tps, lat 4.003 ms stddev 4.967, 3 failed, lag 0.779 ms, 0 skipped",
            (Some(5.0), None),
            Some(3.0),
        ),
        ("5.0 s, 988.6 tps, lat 4.003 ms stddev 4.967, 0 failed, 7 retried, 8 retries", (Some(5.0), None), Some(0.0)),
        ("1763712000.123 s, 988.6 tps, lat 4.003 ms stddev 4.967", (None, Some(1_763_712_000.123)), None),
    ] {
        let progress = progress(rest).unwrap();
        assert_eq!((progress.elapsed_s, progress.epoch_s), at, "{rest}");
        assert_eq!((progress.latency_ms, progress.failed), (Some(4.003), failed), "{rest}");
    }
    // No transaction, no latency.
    for rest in ["5.0 s, 0.0 tps, lat 0.000 ms stddev 0.000, 0 failed", "5.0 s, 0.0 tps, lat NaN ms stddev NaN"] {
        assert_eq!(progress(rest).unwrap().latency_ms, None, "{rest}");
    }
}

#[test]
fn what_is_refused() {
    let line = "progress: 5.0 s, many tps, lat 4.003 ms stddev 4.967";
    let expected = format!("line 1: expected progress: … s, … tps, lat … ms stddev …, not \"{line}\"");
    assert_eq!(refused(line), expected);
    let cut = samples::PGBENCH.split("latency stddev").next().unwrap();
    assert_eq!(refused(cut), "it ends with line 14, before the line tps = … of pgbench's summary");
    assert_eq!(refused("hello\nworld\n"), "no output of pgbench found");
    assert_eq!(refused(samples::TPROC_C), "no output of pgbench found");
    assert_eq!(refused(""), "no output of pgbench found");
    assert!(matches!(refused_kind("tps = fast"), DriverError::Malformed { line: 1, .. }));
}

fn refused_kind(text: &str) -> DriverError {
    read(Driver::Pgbench, text, false).unwrap_err()
}

#[test]
fn what_has_no_summary_is_taken_as_far_as_it_goes_if_asked_for() {
    let cut: String = samples::PGBENCH.lines().take(4).map(|line| format!("{line}\n")).collect();
    let report = read(Driver::Pgbench, &cut, true).unwrap();
    // (988.6 × 5 + 1011.4 × 5) / 10
    assert!((report.figures.tps.unwrap() - 1000.0).abs() < 1e-9);
    assert_eq!(report.figures.seconds, Some(10.0));
    let nothing = read(Driver::Pgbench, "starting vacuum...end.\n", true).unwrap_err();
    assert!(matches!(nothing, DriverError::Truncated { line: 1, .. }), "{nothing}");
}

#[test]
fn what_pgbench_calls_an_error_is_a_failure() {
    let text = "pgbench: error: client 3 script 0 aborted in command 4 query 0: ERROR:  deadlock detected\n";
    let events = events(Driver::Pgbench, text);
    let [Event::Failed(failure)] = &events[..] else { panic!("{events:?}") };
    assert_eq!(failure.user, None);
    assert!(failure.message.starts_with("client 3 script 0 aborted"));
}
