use super::super::error::DriverError;
use super::super::follower::{Follower, read};
use super::super::{Driver, samples};
use super::*;

#[test]
fn oltp_from_start_to_summary() {
    let mut follower = Follower::new(Driver::Sysbench);
    let events: Vec<Event> = samples::SYSBENCH.lines().filter_map(|line| follower.line(line, None).unwrap()).collect();
    let [Event::LoadBegins, Event::Progress(busy), Event::Progress(idle), Event::MeasuringEnds] = &events[..] else {
        panic!("{events:?}")
    };
    assert_eq!((busy.elapsed_s, busy.tps, busy.latency_ms), (Some(5.0), Some(702.0), Some(11.65)));
    assert_eq!((busy.failed, idle.tps, idle.latency_ms), (Some(0.2), Some(0.0), None));
    follower.complete().unwrap();
    let report = follower.into_report();
    let figures = &report.figures;
    assert_eq!((figures.tps, figures.latency_ms, figures.latency_max_ms), (Some(702.45), Some(5.69), Some(45.01)));
    assert_eq!((figures.clients, figures.seconds), (Some(4), Some(10.0042)));
    assert_eq!((figures.transactions, figures.failed), (Some(7028), Some(1)));
    assert_eq!(figures.percentiles, [Percentile { percent: 95.0, ms: 11.65 }]);
    assert_eq!(report.version.as_deref(), Some("1.0.20"));
}

#[test]
fn fileio_has_latencies_and_no_transactions() {
    let report = read(Driver::Sysbench, samples::SYSBENCH_FILEIO, false).unwrap();
    assert_eq!(
        (report.figures.tps, report.figures.latency_ms, report.figures.seconds),
        (None, Some(0.09), Some(5.0001))
    );
    assert_eq!((report.series[0].tps, report.series[0].latency_ms), (None, Some(0.243)));
}

#[test]
fn what_is_refused() {
    let refused = |text: &str| read(Driver::Sysbench, text, false).unwrap_err();
    let cut = samples::SYSBENCH.split("Threads fairness").next().unwrap();
    assert!(matches!(refused(cut), DriverError::Truncated { line: 36, .. }), "{:?}", refused(cut));
    let broken = samples::SYSBENCH.replace("tps: 702.00", "tps: -");
    assert!(matches!(refused(&broken), DriverError::Malformed { line: 13, .. }), "{:?}", refused(&broken));
    let broken = samples::SYSBENCH.replace("7028   (", "many   (");
    assert!(matches!(refused(&broken), DriverError::Malformed { line: 21, .. }), "{:?}", refused(&broken));
    assert_eq!(refused(samples::PGBENCH), DriverError::Foreign("output of sysbench"));
}

#[test]
fn what_is_fatal_is_a_failure() {
    let mut follower = Follower::new(Driver::Sysbench);
    let event = follower.line("FATAL: Connection to database failed: no such host", None).unwrap();
    let Some(Event::Failed(failure)) = event else { panic!("{event:?}") };
    assert_eq!(failure.message, "Connection to database failed: no such host");
}
