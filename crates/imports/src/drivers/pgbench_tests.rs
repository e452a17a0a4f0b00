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

#[test]
fn of_two_runs_neither_is_taken_for_the_other() {
    let refused = |text: &str| read(Driver::Pgbench, text, true).unwrap_err();
    let (one, lines) = (samples::PGBENCH, samples::PGBENCH.lines().count());
    let second = |line| DriverError::SecondRun { line };
    let summary = &one[one.find("transaction type").unwrap()..];
    let progress: String =
        one.lines().filter(|line| line.starts_with("progress")).map(|line| format!("{line}\n")).collect();
    assert_eq!(refused(&format!("{one}{one}")), second(lines + 1));
    assert_eq!(
        refused(&format!("{summary}{}", summary.replace("clients: 4", "clients: 64"))),
        second(summary.lines().count() + 1)
    );
    // The second run has no summary; the first was cut off; neither has one.
    assert_eq!(refused(&format!("{one}{progress}")), second(lines + 1));
    assert_eq!(refused(&format!("{progress}{one}")), second(5));
    assert_eq!(refused(&format!("{progress}{progress}")), second(3));
    let epoch = |from: u64| {
        format!(
            "progress: {from}.0 s, 988.6 tps, lat 4.003 ms stddev 4.967\nprogress: {}.0 s, 1.0 tps, lat 4.003 ms stddev 4.967\n",
            from + 5
        )
    };
    assert_eq!(
        refused(&format!("{}{summary}{}", epoch(1_763_712_000), epoch(1_763_713_000))),
        second(2 + summary.lines().count() + 1)
    );
    assert_eq!(
        refused(&format!("starting vacuum...end.\n{summary}starting vacuum...end.\n")),
        second(summary.lines().count() + 2)
    );
}

/// The last lines of other runs, as `tail -3` or `grep` keeps them behind a whole one.
#[test]
fn a_second_summary_may_have_lost_its_beginning() {
    let (one, lines) = (samples::PGBENCH, samples::PGBENCH.lines().count());
    for rest in [
        "latency average = 31.490 ms\ninitial connection time = 5.9 ms\ntps = 317.56 (without initial connection time)\n",
        "number of clients: 64\ntps = 317.56 (without initial connection time)\n",
        "tps = 317.56 (without initial connection time)\n",
    ] {
        let error = read(Driver::Pgbench, &format!("{one}{rest}"), true).unwrap_err();
        assert_eq!(error, DriverError::SecondRun { line: lines + 1 }, "{rest}");
    }
    let old = "tps = 1002.9 (including connections establishing)\ntps = 1003.3 (excluding connections establishing)\n";
    let old = format!("{}{old}", one.split("tps = ").next().unwrap());
    assert_eq!(whole(&old).figures.tps, Some(1003.3));
}

#[test]
fn progress_behind_a_summary_is_of_its_run() {
    let summary = &samples::PGBENCH[samples::PGBENCH.find("transaction type").unwrap()..];
    let lines = summary.lines().count();
    let with = |progress: [(f64, f64); 2]| {
        let progress = progress.map(|(s, tps)| format!("progress: {s:.1} s, {tps:.1} tps, lat 4.0 ms stddev 0.3\n"));
        read(Driver::Pgbench, &format!("{summary}{}", progress.concat()), false)
    };
    assert_eq!(with([(5.0, 1000.0), (10.0, 1003.0)]).unwrap().series.len(), 2);
    assert_eq!(with([(5.0, 1000.0), (11.5, 800.0)]).unwrap().series.len(), 2);
    // 10 s and 10,002 transactions are those of the summary.
    assert_eq!(with([(5.0, 1000.0), (300.0, 10.0)]).unwrap_err(), DriverError::SecondRun { line: lines + 2 });
    assert_eq!(with([(5.0, 3000.0), (10.0, 3000.0)]).unwrap_err(), DriverError::SecondRun { line: lines + 1 });
}

/// Standard error before or behind standard output, a late line of a pipe, several scripts, an initialization, a version.
#[test]
fn one_run_in_any_order_is_one_run() {
    let one = whole(samples::PGBENCH);
    let is_error = |line: &&str| line.starts_with("progress") || line.starts_with("starting");
    let (errors, output): (Vec<&str>, Vec<&str>) = samples::PGBENCH.lines().partition(is_error);
    for lines in [[&output[..], &errors[..]].concat(), [&errors[..], &output[..]].concat()] {
        assert_eq!(whole(&lines.join("\n")), one, "{lines:?}");
    }
    let late = [&errors[..2], &output[..], &errors[2..]].concat().join("\n");
    assert_eq!(whole(&late), one);
    let init = "dropping old tables...\ncreating tables...\ngenerating data (client-side)...\nvacuuming...\ncreating primary keys...\n\
                done in 0.25 s (drop tables 0.00 s, create tables 0.01 s)\n";
    assert_eq!(whole(&format!("{init}pgbench (PostgreSQL) 18.6 (Debian 18.6-1.pgdg12+1)\n{}", samples::PGBENCH)), one);
}

/// A run that did nothing: pgbench prints 0.000 or NaN, or ends before its last lines.
#[test]
fn of_no_transaction_there_is_no_latency() {
    let idle =
        samples::PGBENCH.replace("processed: 10002", "processed: 0").replace("average = 3.978", "average = 0.000");
    let figures = whole(&idle.replace("stddev = 4.131", "stddev = -nan")).figures;
    assert_eq!((figures.latency_ms, figures.latency_stddev_ms, figures.transactions), (None, None, Some(0)));
    let ended = idle.split("latency").next().unwrap().to_owned() + "number of transactions actually processed: 0\n";
    let ended: String =
        ended.lines().filter(|line| !line.starts_with("progress")).map(|line| format!("{line}\n")).collect();
    for partial in [false, true] {
        assert_eq!(read(Driver::Pgbench, &ended, partial).unwrap_err(), DriverError::NoTransactions);
    }
}

#[test]
fn what_is_not_understood_costs_no_summary() {
    let one = whole(samples::PGBENCH);
    for other in
        ["progress: 5.0 s, many tps", "progress: soon", "WARNING:  there is no transaction in progress", "tpstool = 7"]
    {
        let text = samples::PGBENCH.lines().map(|line| if line.starts_with("progress: 5.0") { other } else { line });
        let report = whole(&text.collect::<Vec<_>>().join("\n"));
        assert_eq!((&report.figures, report.series.len()), (&one.figures, 1), "{other}");
    }
    let failures = samples::PGBENCH.replace("latency average = ", "latency average (including failures) = ");
    assert_eq!(whole(&failures).figures.latency_ms, Some(3.978));
}
