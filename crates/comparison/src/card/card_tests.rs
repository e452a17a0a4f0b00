//! The card as a whole, on evidence made up.

use super::*;
use ebs_imports::drivers::fio::{Job, Percentile, Side};
use ebs_samples::evidence::{Bin, CounterDelta, DeviceCounts, EbsTotals, Interval, StorageLayout, Totals, Volume};

/// A job of fio with this p95.
fn job(rw: &str, block_bytes: u64, jobs: u64, p95_ms: f64) -> Job {
    let percentiles = vec![Percentile { pct: 95.0, us: p95_ms * 1000.0 }];
    let side = Some(Side { ios: 1000, iops: 100.0, percentiles_of: "clat".to_owned(), percentiles, ..Side::default() });
    let (read, write) = if rw.ends_with("read") { (side, None) } else { (None, side) };
    let name = format!("{rw}-{jobs}");
    Job {
        name,
        rw: rw.to_owned(),
        block_bytes: Some(block_bytes),
        jobs,
        iodepth: 1,
        direct: Some(true),
        read,
        write,
        ..Job::default()
    }
}

fn fio(jobs: Vec<Job>) -> Fio {
    Fio { version: "fio-3.33".to_owned(), jobs, device: Some("nvme1n1".to_owned()), ..Fio::default() }
}

/// A window of these seconds: reads, KiB of each, milliseconds of each.
fn window(seconds: &[(u64, u64, u64)]) -> Window {
    let interval = |(second, &(reads, kib, ms)): (i64, &(u64, u64, u64))| {
        let counts = DeviceCounts {
            reads,
            read_bytes: reads * kib * 1024,
            read_ms: reads * ms,
            weighted_ms: reads * ms,
            ..DeviceCounts::default()
        };
        let (dt_us, interval_us) = (1_000_000, 1_000_000);
        let at_us = (second + 1) * 1_000_000;
        Interval {
            at_us,
            dt_us,
            interval_us,
            downsampled_us: 0,
            devices: [(0, CounterDelta::Known(counts))].into(),
            reset: false,
        }
    };
    let volume = Volume { device: "nvme1n1".to_owned(), timed: true, ..Volume::default() };
    Window {
        layout: StorageLayout { volumes: vec![volume], ..StorageLayout::default() },
        current: vec![0],
        intervals: (0..).zip(seconds).map(interval).collect(),
        ..Window::default()
    }
}

fn of(lines: &[Line], subject: Subject) -> &Line {
    lines.iter().find(|line| line.subject == subject).unwrap_or_else(|| panic!("no {subject:?}"))
}

fn latency(lines: &[Line], test: usize) -> &Line {
    of(lines, Subject::Latency(&TESTS[test]))
}

fn exact(letter: &'static str) -> Option<Grade> {
    Some(Grade { letter, approximate: false })
}

/// The reasons for which a test was not measured.
fn reasons(line: &Line) -> &[NotMeasured] {
    match &line.note {
        Note::NotMeasured(reasons) => reasons,
        note => panic!("{note:?}"),
    }
}

#[test]
fn fio_is_graded_by_its_95th_percentile() {
    let imports =
        [fio(vec![job("randread", 8192, 16, 1.9), job("randread", 8192, 32, 4.18), job("write", 1024, 4, 2.2)])];
    let lines = report_card(&Window::default(), &imports);
    let read = latency(&lines, 0);
    assert_eq!((read.measured, read.grade, read.basis), (Some(1.9), exact("A+"), Some(Basis::Fio)));
    assert_eq!(read.device.as_deref(), Some("nvme1n1"));
    assert_eq!(latency(&lines, 2).grade, exact("C"));
    // (4.18 / 1.9 - 1) / 2 = 0.6
    let scaling = of(&lines, Subject::Scaling(&TESTS[0]));
    assert!(scaling.measured.is_some_and(|growth| (growth - 0.6).abs() < 1e-9), "{scaling:?}");
    let missing = of(&lines, Subject::Scaling(&TESTS[2]));
    assert_eq!((missing.grade, reasons(missing)), (None, &[NotMeasured::NoJob { users: 16 }][..]));
}

#[test]
fn a_job_that_is_another_test_is_not_graded() {
    let deep = Job { iodepth: 16, ..job("randread", 8192, 16, 1.0) };
    let failed = Job { error: 28, ..job("read", 1 << 20, 1, 1.0) };
    let jobs =
        vec![job("randread", 4096, 16, 1.0), job("randread", 8192, 8, 1.0), job("randrw", 8192, 16, 1.0), deep, failed];
    let lines = report_card(&Window::default(), &[fio(jobs)]);
    assert!(lines.iter().all(|line| line.grade.is_none()), "{lines:?}");
    let failed = NotMeasured::JobFailed { job: "read-1".to_owned(), error: 28 };
    assert!(reasons(latency(&lines, 1)).contains(&failed));
}

#[test]
fn the_latest_import_counts_and_the_page_cache_is_told_of() {
    let cached = Job { direct: Some(false), ..job("randread", 8192, 16, 5.0) };
    let lines = report_card(&Window::default(), &[fio(vec![job("randread", 8192, 16, 1.0)]), fio(vec![cached])]);
    let read = latency(&lines, 0);
    assert_eq!((read.measured, read.grade), (Some(5.0), exact("A-")));
    let Note::Fio(job) = &read.note else { panic!("{read:?}") };
    assert_eq!((job.direct, job.jobs), (Some(false), 2));
}

#[test]
fn live_evidence_is_graded_with_a_mark_where_its_requests_fit() {
    let seconds: Vec<_> = (0..100).map(|n| (200, 8, if n < 94 { 1 } else { 9 })).collect();
    let lines = report_card(&window(&seconds), &[]);
    let read = latency(&lines, 0);
    let grade = Some(Grade { letter: "B-", approximate: true });
    assert_eq!((read.measured, read.grade, read.basis), (Some(9.0), grade, Some(Basis::Live)));
    let Note::Live(evidence) = read.note else { panic!("{read:?}") };
    assert_eq!((evidence.averaged_s, evidence.downsampled, evidence.seconds), (1.0, false, 100.0));
    let sequential = latency(&lines, 1);
    assert_eq!((sequential.measured, sequential.grade), (None, None));
    assert!(reasons(sequential).contains(&NotMeasured::OtherSize { mean_bytes: 8192.0 }), "{sequential:?}");
    assert!(reasons(latency(&lines, 2)).contains(&NotMeasured::NoRequests));
}

#[test]
fn too_few_seconds_or_no_times_are_not_graded() {
    let short = report_card(&window(&[(200, 8, 1); 29]), &[]);
    assert_eq!(latency(&short, 0).grade, None);
    let mut untimed = window(&[(200, 8, 1); 100]);
    untimed.layout.volumes[0].timed = false;
    assert!(reasons(latency(&report_card(&untimed, &[]), 0)).contains(&NotMeasured::NoTimes));
}

#[test]
fn two_modes_and_a_slow_start_are_pointed_out() {
    let seconds: Vec<_> = (0..300).map(|n| (500, 8, if n < 60 { 6 } else { 2 })).collect();
    let bin = |lower_us, count| Bin { lower_us, upper_us: Some(2 * lower_us), count };
    let totals = EbsTotals { read_histogram: vec![bin(512, 7_000), bin(16_384, 3_000)], ..EbsTotals::default() };
    let ebs = vec![("vol-0a".to_owned(), totals)];
    let window = Window { totals: Totals { ebs, ..Totals::default() }, ..window(&seconds) };
    let lines = report_card(&window, &[]);
    let found = of(&lines, Subject::Modes);
    let Note::Modes { source: Source::Ebs, kind: "read", modes } = &found.note else { panic!("{found:?}") };
    assert_eq!((found.device.as_deref(), found.basis), (Some("vol-0a"), Some(Basis::Ebs)));
    assert_eq!((modes.fast.1, modes.slow.1), (0.7, 0.3));
    assert_eq!((modes.fast.0.lower_us, modes.slow.0.lower_us), (512, 16_384));
    let start = of(&lines, Subject::SlowStart);
    assert_eq!(start.measured, Some(3.0));
    assert!(matches!(&start.note, Note::FirstTouch(start) if start.is_slower()), "{start:?}");
    let empty = report_card(&Window::default(), &[]);
    assert_eq!(of(&empty, Subject::Modes).note, Note::NoHistogram);
    assert_eq!(of(&empty, Subject::SlowStart).note, Note::NotCompared);
}
