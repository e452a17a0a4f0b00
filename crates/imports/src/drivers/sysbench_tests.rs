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
    let p95 = Some(Percentile { percent: 95.0, ms: 11.65 });
    assert_eq!((busy.elapsed_s, busy.tps, busy.latency_ms, busy.percentile), (Some(5.0), Some(702.0), None, p95));
    assert_eq!((busy.failed, idle.tps, idle.percentile), (Some(0.2), Some(0.0), None));
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
    let p95 = Some(Percentile { percent: 95.0, ms: 0.243 });
    assert_eq!((report.series[0].tps, report.series[0].latency_ms, report.series[0].percentile), (None, None, p95));
}

#[test]
fn what_is_refused() {
    let refused = |text: &str| read(Driver::Sysbench, text, false).unwrap_err();
    let cut = samples::SYSBENCH.split("Threads fairness").next().unwrap();
    assert!(matches!(refused(cut), DriverError::Truncated { line: 36, .. }), "{:?}", refused(cut));
    let broken = cut.replace("[ 5s ]", "[ 5x ]");
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

/// Progress has the percentile of --percentile alone: 95 % of transactions took at most so long, and the mean is not known.
#[test]
fn without_a_summary_the_mean_latency_is_unknown() {
    let upto = samples::SYSBENCH.split("SQL statistics").next().unwrap();
    let report = read(Driver::Sysbench, upto, true).unwrap();
    assert_eq!(
        (report.figures.tps, report.figures.latency_ms, report.figures.seconds),
        (Some(351.0), None, Some(10.0))
    );
    let mut whole = read(Driver::Sysbench, samples::SYSBENCH, false).unwrap();
    assert!(whole.leave_out_before(5.0));
    assert_eq!((whole.figures.tps, whole.figures.latency_ms), (Some(0.0), None));
    // --percentile=0 switches it off: 0.00 is no latency.
    let off = samples::SYSBENCH.replace("95%): 11.65", "0%): 0.00");
    assert_eq!(read(Driver::Sysbench, &off, false).unwrap().series[0].percentile, None);
    let p99 = samples::SYSBENCH.replace("95%): 11.65", "99%): 20.10");
    let p99 = read(Driver::Sysbench, &p99, false).unwrap().series[0].percentile;
    assert_eq!(p99, Some(Percentile { percent: 99.0, ms: 20.1 }));
}

/// sysbench.report_default of a script's hook prints `err/s 0.20`; the other hooks print CSV or JSON; and a script prints anything.
#[test]
fn progress_of_a_hook_costs_no_summary() {
    let whole = read(Driver::Sysbench, samples::SYSBENCH, false).unwrap();
    let hook = samples::SYSBENCH.replace("err/s: ", "err/s ");
    assert_eq!(read(Driver::Sysbench, &hook, false).unwrap(), whole);
    let queue = samples::SYSBENCH.replace("[ 10s ] thds", "[ 5s ] queue length: 3, concurrency: 4\n[ 10s ] thds");
    assert_eq!(read(Driver::Sysbench, &queue, false).unwrap(), whole);
    for other in [
        "5,4,702.00,14053.04,9839.23,2808.41,1405.40,11.65,0.20,0.00",
        "[ 5x ] thds: 4 tps: ?",
        "WARNING: slow",
        "mine: 7",
    ] {
        let text = samples::SYSBENCH.lines().map(|line| if line.starts_with("[ ") { other } else { line });
        let text: String = text.map(|line| format!("{line}\n")).collect();
        let report = read(Driver::Sysbench, &text, false).unwrap();
        assert_eq!((&report.figures, report.series.len()), (&whole.figures, 0), "{other}");
    }
    // A figure in another form is unknown, not the interval.
    let dash = read(Driver::Sysbench, &samples::SYSBENCH.replace("tps: 702.00", "tps: -"), false).unwrap();
    assert_eq!((dash.figures, dash.series[0].tps, dash.series.len()), (whole.figures, None, 2));
}

#[test]
fn of_two_runs_neither_is_taken_for_the_other() {
    let line_of = |text: &str| read(Driver::Sysbench, text, true).unwrap_err();
    let (one, lines) = (samples::SYSBENCH, samples::SYSBENCH.lines().count());
    let second = |line| DriverError::SecondRun { line };
    assert_eq!(line_of(&format!("{one}{one}")), second(lines + 1));
    // Without the banner; a run that was cut off before; progress behind a summary; two summaries.
    let (_, bare) = one.split_once("\n\n").unwrap();
    assert_eq!(line_of(&format!("{one}{bare}")), second(lines + 1));
    let cut = one.split("SQL statistics").next().unwrap();
    assert_eq!(line_of(&format!("{cut}{one}")), second(cut.lines().count() + 1));
    let progress: String = one.lines().filter(|line| line.starts_with("[ ")).map(|line| format!("{line}\n")).collect();
    assert_eq!(line_of(&format!("{one}{progress}")), second(lines + 1));
    assert_eq!(line_of(&format!("{progress}{progress}")), second(3));
    let summary = &one[one.find("SQL statistics").unwrap()..];
    assert_eq!(line_of(&format!("{summary}{summary}")), second(summary.lines().count() + 1));
    let fileio = samples::SYSBENCH_FILEIO;
    assert_eq!(line_of(&format!("{fileio}{fileio}")), second(fileio.lines().count() + 1));
}

#[test]
fn other_commands_of_sysbench_around_a_run_are_no_second_one() {
    let whole = read(Driver::Sysbench, samples::SYSBENCH, false).unwrap();
    let banner = "sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)\n\n";
    let all =
        format!("{banner}Creating table 'sbtest1'...\n{}{banner}Dropping table 'sbtest1'...\n", samples::SYSBENCH);
    assert_eq!(read(Driver::Sysbench, &all, false).unwrap(), whole);
}

/// --report-checkpoints prints a summary of each part; the last one is of the rest.
#[test]
fn a_checkpoint_s_summary_is_not_the_result() {
    let summary = &samples::SYSBENCH[samples::SYSBENCH.find("SQL statistics").unwrap()..];
    let checkpoint =
        format!("[ 5s ] Checkpoint report:\n{}", summary.replace("702.45", "900.00").replace("5.69", "1.00"));
    let text = samples::SYSBENCH.replace("[ 10s ]", &format!("{checkpoint}[ 10s ]"));
    let report = read(Driver::Sysbench, &text, false).unwrap();
    assert_eq!(report, read(Driver::Sysbench, samples::SYSBENCH, false).unwrap());
    let cut = text.rsplit_once("SQL statistics").unwrap().0;
    assert!(matches!(read(Driver::Sysbench, cut, false), Err(DriverError::Truncated { .. })));
}

#[test]
fn of_no_event_there_is_no_latency() {
    let idle = samples::SYSBENCH
        .replace("7028   (702.45", "0      (0.00")
        .replace("events:              7028", "events:              0");
    let idle = idle.replace("5.69", "0.00").replace("45.01", "0.00").replace(":                       11.65", ": 0.00");
    let figures = read(Driver::Sysbench, &idle, false).unwrap().figures;
    assert_eq!((figures.tps, figures.latency_ms, figures.latency_max_ms), (Some(0.0), None, None));
    assert_eq!((figures.transactions, figures.percentiles), (Some(0), vec![]));
}

/// 1.1 has the operations in IOPS, no total time, and nothing behind the latencies.
#[test]
fn fileio_of_1_1_ends_with_the_sum_of_latencies() {
    let begin = samples::SYSBENCH_FILEIO.split("File operations").next().unwrap();
    let text = format!(
        "{begin}Throughput:\n         read:  IOPS=2286.13 35.72 MiB/s (37.46 MB/s)\n         write: IOPS=1524.08 23.81 MiB/s (24.97 MB/s)\n         \
         fsync: IOPS=4881.15\n\nLatency (ms):\n         min: 0.00\n         avg: 0.46\n         max: 20.05\n         \
         95th percentile: 1.89\n         sum: 159853.66\n"
    );
    let figures = read(Driver::Sysbench, &text, false).unwrap().figures;
    assert_eq!((figures.tps, figures.latency_ms, figures.latency_max_ms), (None, Some(0.46), Some(20.05)));
    assert_eq!((figures.seconds, figures.percentiles), (None, vec![Percentile { percent: 95.0, ms: 1.89 }]));
    let cut = text.split("         sum").next().unwrap();
    assert!(matches!(read(Driver::Sysbench, cut, false), Err(DriverError::Truncated { .. })));
}

#[test]
fn a_summary_of_0_5_has_the_same_figures() {
    let text = "sysbench 0.5:  multi-threaded system evaluation benchmark\n\nThreads started!\n\nOLTP test statistics:\n    \
                transactions:                        7028   (702.45 per sec.)\n    \
                ignored errors:                      1      (0.10 per sec.)\n\nGeneral statistics:\n    \
                total time:                          10.0042s\n    response time:\n         \
                min:                                  2.58ms\n         avg:                                  5.69ms\n         \
                max:                                 45.01ms\n         approx.  95 percentile:              11.65ms\n\n\
                Threads fairness:\n";
    let (old, new) =
        (read(Driver::Sysbench, text, false).unwrap(), read(Driver::Sysbench, samples::SYSBENCH, false).unwrap());
    assert_eq!(old.figures, super::super::report::Figures { clients: None, ..new.figures });
}

#[test]
fn a_test_of_the_processor_is_no_load() {
    let text = samples::SYSBENCH.replace("Threads started!", "Prime numbers limit: 10000\nThreads started!");
    assert!(matches!(read(Driver::Sysbench, &text, false), Err(DriverError::Malformed { .. })));
}
