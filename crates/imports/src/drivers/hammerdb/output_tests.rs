use super::*;
use crate::drivers::error::DriverError;
use crate::drivers::follower::{Follower, read};
use crate::drivers::{Driver, samples};
use crate::format::Beginning;

fn events(text: &str) -> Vec<Event> {
    let mut follower = Follower::new(Driver::Hammerdb);
    text.lines().filter_map(|line| follower.line(line, Some(7.0)).unwrap()).collect()
}

fn whole(text: &str) -> Report {
    read(Driver::Hammerdb, text, false).unwrap()
}

#[test]
fn tproc_c_from_ramp_up_to_result() {
    let tpm = |tpm| Event::Progress(Progress { elapsed_s: Some(7.0), tpm: Some(tpm), ..Progress::default() });
    let expected = [
        Event::RampUpBegins { seconds: Some(60.0) },
        tpm(0.0),
        tpm(50_310.0),
        Event::MeasuringBegins,
        Event::MeasuringLasts(120.0),
        tpm(51_426.0),
        Event::MeasuringEnds,
    ];
    assert_eq!(events(samples::TPROC_C), expected);
    let report = whole(samples::TPROC_C);
    let figures = &report.figures;
    assert_eq!((figures.nopm, figures.tpm, figures.clients), (Some(20_753.0), Some(48_102.0), Some(3)));
    assert_eq!((report.version.as_deref(), report.failures.len()), (Some("4.12"), 0));
    assert_eq!((figures.tps, figures.latency_ms, figures.seconds), (None, None, Some(120.0)));
}

/// Two minutes are announced; a run that ends before "Taking end Transaction Count" has not measured them.
#[test]
fn an_announced_time_is_not_a_measured_one() {
    let (begun, _) = samples::TPROC_C.split_once("Taking end").unwrap();
    assert!(begun.contains("Timing test period of 2"));
    assert_eq!(read(Driver::Hammerdb, begun, true).unwrap().figures.seconds, None);
    assert_eq!(whole(samples::TPROC_C).figures.seconds, Some(120.0));
}

#[test]
fn of_two_runs_neither_is_taken_for_the_other() {
    let result = "Vuser 1:TEST RESULT : System achieved 20753 NOPM from 48102 PostgreSQL TPM\n";
    let appended = format!("{}{}", samples::TPROC_C, result.replace("20753", "12642"));
    let refused = read(Driver::Hammerdb, &appended, false).unwrap_err();
    assert_eq!(refused, DriverError::SecondRun { line: 23 });
    // What `jobs` shows behind the run is the same again.
    assert_eq!(whole(&format!("{}{result}", samples::TPROC_C)).figures.nopm, Some(20_753.0));
    let lines = samples::TPROC_C.lines().count();
    let refused = |text: &str| read(Driver::Hammerdb, text, true).unwrap_err();
    let second = |line| DriverError::SecondRun { line };
    // The second run begins with its first user, also where the results are the same; the first may have been cut off.
    assert_eq!(refused(&format!("{0}{0}", samples::TPROC_C)), second(lines + 5));
    let cut = samples::TPROC_C.split("Vuser 1:Test complete").next().unwrap();
    assert_eq!(refused(&format!("{cut}{}", samples::TPROC_C)), second(cut.lines().count() + 5));
    assert_eq!(refused(&format!("{0}{0}", samples::TPROC_C_6)), second(samples::TPROC_C_6.lines().count() + 4));
    assert_eq!(refused(&format!("{0}{0}", samples::TPROC_H)), second(samples::TPROC_H.lines().count() + 1));
    // TPROC-C behind TPROC-H, with a ramp-up and without; a rate of transactions that differs alone.
    let lines = samples::TPROC_H.lines().count();
    for next in [samples::TPROC_C, samples::TPROC_C_6] {
        let DriverError::SecondRun { line } = refused(&format!("{}{next}", samples::TPROC_H)) else { panic!("{next}") };
        assert!(line > lines, "{next}");
    }
    let result = "Vuser 1:TEST RESULT : System achieved 20753 NOPM from 48102 PostgreSQL TPM\n";
    assert_eq!(refused(&format!("{result}{}", result.replace("48102", "49102"))), second(2));
    // A build before the run, and a check behind it, are none.
    let build = "Vuser 1:RUNNING\nVuser 1:CREATING TPCC SCHEMA\nVuser 1:FINISHED SUCCESS\nALL VIRTUAL USERS COMPLETE\n";
    assert_eq!(whole(&format!("{build}{}{build}", samples::TPROC_C)), whole(samples::TPROC_C));
}

#[test]
fn tproc_c_without_ramp_up_with_times_and_tpm_first() {
    let tpm = Event::Progress(Progress { elapsed_s: Some(7.0), tpm: Some(61_000.0), ..Progress::default() });
    let expected = [Event::MeasuringBegins, Event::MeasuringLasts(300.0), tpm, Event::MeasuringEnds];
    assert_eq!(events(samples::TPROC_C_6), expected);
    let figures = whole(samples::TPROC_C_6).figures;
    assert_eq!((figures.nopm, figures.tpm, figures.clients), (Some(26_700.0), Some(61_890.0), Some(8)));
}

#[test]
fn tproc_h_has_queries_and_no_phases() {
    assert_eq!(events(samples::TPROC_H), []);
    let report = whole(samples::TPROC_H);
    let query = |user, number, seconds| Query { user: Some(user), number, seconds };
    assert_eq!(report.queries, [query(1, 14, 0.818), query(1, 2, 1.5), query(2, 21, 3.25)]);
    let set = |user, seconds, mean| QuerySet { user: Some(user), seconds: Some(seconds), geometric_mean_s: Some(mean) };
    assert_eq!(report.query_sets, [set(1, 19.0, 0.58761), set(2, 21.0, 0.61002)]);
}

#[test]
fn users_that_fail_say_why_and_without_the_first_nothing_is_measured() {
    let events = events(samples::TPROC_C_HANGS);
    let [Event::Failed(worker), Event::RampUpBegins { seconds: Some(120.0) }, Event::Failed(monitor)] = &events[..]
    else {
        panic!("{events:?}")
    };
    assert_eq!((worker.user, worker.is_monitor()), (Some(2), false));
    assert!(worker.message.ends_with("too many connections"), "{}", worker.message);
    assert_eq!(monitor.message, "FINISHED FAILED: connection is gone");
    assert!(monitor.is_monitor());
    let error = read(Driver::Hammerdb, samples::TPROC_C_HANGS, false).unwrap_err();
    assert_eq!(error, DriverError::Truncated { line: 7, expected: "HammerDB's line TEST RESULT" });
}

#[test]
fn what_fails_behind_the_result_takes_nothing_from_it() {
    let failed = |text: &str| {
        let mut follower = Follower::new(Driver::Hammerdb);
        text.lines().for_each(|line| drop(follower.line(line, None)));
        follower.failed()
    };
    let late = samples::TPROC_C.replace("ALL VIRTUAL", "Vuser 1:FINISHED FAILED\nALL VIRTUAL");
    assert!(failed(samples::TPROC_C_HANGS) && !failed(samples::TPROC_C) && !failed(&late));
}

#[test]
fn a_build_that_says_completed_is_no_result() {
    let built = "Vuser 1:FINISHED FAILED\nALL VIRTUAL USERS COMPLETE\nSCHEMA BUILD COMPLETED\n";
    assert!(matches!(read(Driver::Hammerdb, built, false), Err(DriverError::Truncated { .. })));
}

#[test]
fn what_is_cut_or_malformed_is_refused() {
    let upto = |text: &str, end: &str| text.split(end).next().unwrap().to_owned();
    let refused = |text: &str| read(Driver::Hammerdb, text, false).unwrap_err().to_string();
    assert!(refused(&upto(samples::TPROC_C, "Vuser 1:TEST")).starts_with("it ends with line 17, before"));
    assert!(refused(&upto(samples::TPROC_H, "ALL VIRTUAL")).contains("ALL VIRTUAL USERS COMPLETE"));
    assert!(refused(&upto(samples::TPROC_H, "Vuser 1:Completed")).contains("query set(s)"));
    let broken = samples::TPROC_C.replace("20753 NOPM from", "lots of NOPM from");
    assert!(refused(&broken).starts_with("line 18: expected System achieved … NOPM from … TPM, not \"Vuser 1:TEST"));
    assert!(refused("Vuser 1:query 3 completed in a while seconds").starts_with("line 1: expected query …"));
    assert_eq!(refused(samples::PGBENCH), "no output of HammerDB found");
}

#[test]
fn carriage_returns_are_no_part_of_a_line() {
    for text in [samples::TPROC_C, samples::TPROC_C_6, samples::TPROC_H] {
        let returned: String = text.lines().map(|line| format!("\r{line}\r\n")).collect();
        assert_eq!((events(&returned), whole(&returned)), (events(text), whole(text)));
        assert!(FORMAT.is_recognised(&Beginning::new(returned.as_bytes())));
    }
}

#[test]
fn a_line_belongs_to_the_user_named_last() {
    assert_eq!(split_user("Vuser 12:FINISHED SUCCESS"), (Some(12), "FINISHED SUCCESS"));
    assert_eq!(split_user("Vuser 1:3  ...,Vuser 1:Test complete"), (Some(1), "Test complete"));
    assert_eq!(split_user("51426 PostgreSQL tpm"), (None, "51426 PostgreSQL tpm"));
    assert_eq!(split_user("Vuser 1 created MONITOR - WAIT IDLE"), (None, "Vuser 1 created MONITOR - WAIT IDLE"));
}
