//! The card as a whole, on evidence made up.

use super::*;
use ebs_imports::drivers::fio::{Job, Percentile, Side};
use ebs_samples::evidence::{Bin, CounterDelta, DeviceCounts, EbsTotals, Moment, StorageLayout, Totals, Volume};

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
    let moment = |(second, &(reads, kib, ms)): (i64, &(u64, u64, u64))| {
        let counts = DeviceCounts {
            reads,
            read_bytes: reads * kib * 1024,
            read_ms: reads * ms,
            weighted_ms: reads * ms,
            ..DeviceCounts::default()
        };
        let (dt_us, interval_us) = (1_000_000, 1_000_000);
        let at_us = (second + 1) * 1_000_000;
        Moment { at_us, dt_us, interval_us, aged_us: 0, devices: vec![(0, CounterDelta::Known(counts))], reset: false }
    };
    let volume = Volume { device: "nvme1n1".to_owned(), timed: true, ..Volume::default() };
    Window {
        layout: StorageLayout { volumes: vec![volume], ..StorageLayout::default() },
        current: vec![0],
        moments: (0..).zip(seconds).map(moment).collect(),
        ..Window::default()
    }
}

fn of<'a>(lines: &'a [Line], test: &str) -> Vec<&'a Line> {
    lines.iter().filter(|line| line.test == test).collect()
}

#[test]
fn fio_is_graded_by_its_95th_percentile() {
    let imports =
        [fio(vec![job("randread", 8192, 16, 1.9), job("randread", 8192, 32, 4.18), job("write", 1024, 4, 2.2)])];
    let lines = report_card(&Window::default(), &imports);
    let read = of(&lines, TESTS[0].name)[0];
    assert_eq!((read.measured, read.grade.as_deref(), read.basis), (Some(1.9), Some("A+"), Some("fio")));
    assert_eq!(read.device.as_deref(), Some("nvme1n1"));
    assert_eq!(of(&lines, TESTS[2].name)[0].grade.as_deref(), Some("C"));
    // (4.18 / 1.9 - 1) / 2 = 0.6
    let scaling = of(&lines, "8 KiB random read, scaling 16 to 32 users")[0];
    assert!(scaling.measured.is_some_and(|growth| (growth - 0.6).abs() < 1e-9), "{scaling:?}");
    let missing = of(&lines, "1 KiB sequential write, scaling 4 to 16 users")[0];
    assert_eq!(
        (missing.grade.as_deref(), missing.note.as_str()),
        (None, "not measured: fio did no write of 1 KiB by 16 jobs")
    );
}

#[test]
fn a_job_that_is_another_test_is_not_graded() {
    let deep = Job { iodepth: 16, ..job("randread", 8192, 16, 1.0) };
    let failed = Job { error: 28, ..job("read", 1 << 20, 1, 1.0) };
    let jobs =
        vec![job("randread", 4096, 16, 1.0), job("randread", 8192, 8, 1.0), job("randrw", 8192, 16, 1.0), deep, failed];
    let lines = report_card(&Window::default(), &[fio(jobs)]);
    assert!(lines.iter().all(|line| line.grade.is_none()), "{lines:?}");
    assert!(of(&lines, TESTS[1].name)[0].note.contains("failed with error 28"));
}

#[test]
fn the_latest_import_counts_and_the_page_cache_is_told_of() {
    let cached = Job { direct: Some(false), ..job("randread", 8192, 16, 5.0) };
    let lines = report_card(&Window::default(), &[fio(vec![job("randread", 8192, 16, 1.0)]), fio(vec![cached])]);
    let read = of(&lines, TESTS[0].name)[0];
    assert_eq!((read.measured, read.grade.as_deref()), (Some(5.0), Some("A-")));
    assert!(read.note.contains("page cache") && read.note.contains("the latest of 2"), "{}", read.note);
}

#[test]
fn live_evidence_is_graded_with_a_mark_where_its_requests_fit() {
    let seconds: Vec<_> = (0..100).map(|n| (200, 8, if n < 94 { 1 } else { 9 })).collect();
    let lines = report_card(&window(&seconds), &[]);
    let read = of(&lines, TESTS[0].name)[0];
    assert_eq!((read.measured, read.grade.as_deref(), read.basis), (Some(9.0), Some("~B-"), Some("live evidence")));
    assert!(read.note.contains("one-second means, not of requests"), "{}", read.note);
    let sequential = of(&lines, TESTS[1].name)[0];
    assert_eq!((sequential.measured, sequential.grade.as_deref()), (None, None));
    assert!(sequential.note.contains("8.00 KiB on average"), "{}", sequential.note);
    assert!(of(&lines, TESTS[2].name)[0].note.contains("no writes"));
}

#[test]
fn too_few_seconds_or_no_times_are_not_graded() {
    let short = report_card(&window(&[(200, 8, 1); 29]), &[]);
    assert_eq!(of(&short, TESTS[0].name)[0].grade, None);
    let mut untimed = window(&[(200, 8, 1); 100]);
    untimed.layout.volumes[0].timed = false;
    assert!(of(&report_card(&untimed, &[]), TESTS[0].name)[0].note.contains("no times of requests"));
}

#[test]
fn two_modes_and_a_slow_start_are_pointed_out() {
    let seconds: Vec<_> = (0..300).map(|n| (500, 8, if n < 60 { 6 } else { 2 })).collect();
    let bin = |lower_us, count| Bin { lower_us, upper_us: Some(2 * lower_us), count };
    let totals = EbsTotals { read_histogram: vec![bin(512, 7_000), bin(16_384, 3_000)], ..EbsTotals::default() };
    let ebs = vec![("vol-0a".to_owned(), totals)];
    let window = Window { totals: Totals { ebs, ..Totals::default() }, ..window(&seconds) };
    let lines = report_card(&window, &[]);
    let modes = of(&lines, "two latency modes")[0];
    assert_eq!(modes.device.as_deref(), Some("vol-0a"));
    assert!(
        modes.note.starts_with("reads (EBS statistics): 70 % around 0.51 to 1.02 ms, 30 % around 16.4 to 32.8 ms"),
        "{}",
        modes.note
    );
    let start = of(&lines, "slow start")[0];
    assert_eq!(start.measured, Some(3.0));
    assert!(!start.note.starts_with("none"), "{}", start.note);
    let nothing = report_card(&Window::default(), &[]);
    assert!(of(&nothing, "two latency modes")[0].note.starts_with("not known"));
    assert!(of(&nothing, "slow start")[0].note.starts_with("not known"));
}
