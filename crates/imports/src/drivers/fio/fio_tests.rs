//! Documents as fio writes them, whole, cut off, changed and foreign.

use proptest::prelude::*;

use super::*;

fn read(text: &str) -> Result<Fio, FioError> {
    super::read(text, &|| ())
}

/// Output of fio 3.33 (sql/reports has its options).
const PLUS: &str = include_str!("../../../../../sql/reports/fio-3.33-plus.json");
const PLAIN: &str = include_str!("../../../../../sql/reports/fio-3.33.json");

/// A document with these jobs.
fn document(jobs: &str) -> String {
    format!(
        r#"{{"fio version": "fio-3.36", "timestamp": 1700000000, "timestamp_ms": 1700000000123, "time": "…",
            "global options": {{"bs": "8k", "rw": "randread"}}, "jobs": [{jobs}]}}"#
    )
}

/// A job of 1,000 reads of 8 KiB, with something more of its `clat_ns`.
fn job(name: &str, clat: &str) -> String {
    format!(
        r#"{{"jobname": "{name}", "groupid": 0, "error": 0, "elapsed": 11, "job options": {{"name": "{name}", "numjobs": "2"}},
            "read": {{"io_bytes": 8192000, "bw": 800, "bw_bytes": 819200, "iops": 100.5, "total_ios": 1000,
                     "lat_ns": {{"mean": 2100000.0}}, "clat_ns": {{"mean": 2000000.0 {clat}}}}},
            "write": {{"io_bytes": 0, "total_ios": 0, "iops": 0.0, "clat_ns": {{"mean": 0.0}}}}}}"#
    )
}

const PERCENTILE: &str = r#", "percentile": {"50.000000": 1900000, "95.000000": 3000000, "99.000000": 9000000}"#;

#[test]
fn a_job_has_its_figures_in_microseconds() {
    let text = format!("fio: this is a message {{ with a brace\n{}\nbye", document(&job("a", PERCENTILE)));
    let fio = read(&text).unwrap();
    assert_eq!((fio.version.as_str(), fio.ended_us, fio.elapsed_s), ("fio-3.36", 1_700_000_000_123_000, Some(11)));
    let [job] = fio.jobs.as_slice() else { panic!("{fio:?}") };
    assert_eq!((job.rw.as_str(), job.block_bytes, job.jobs, job.iodepth), ("randread", Some(8192), 2, 1));
    assert_eq!((job.direct, job.error, &job.write), (Some(false), 0, &None));
    let reads = job.read.as_ref().unwrap();
    assert_eq!((reads.ios, reads.iops, reads.bytes_per_s), (1000, 100.5, 819_200.0));
    assert_eq!((reads.lat_mean_us, reads.clat_mean_us), (Some(2100.0), Some(2000.0)));
    assert_eq!((reads.percentile_us(95.0), reads.percentile_us(90.0)), (Some(3000.0), None));
    assert!(reads.histogram.is_empty());
}

#[test]
fn copies_of_a_section_are_one_job_whose_percentiles_come_from_bins() {
    let bins = |bins: &str| format!(r#"{PERCENTILE}, "bins": {{{bins}}}"#);
    let [a, b] =
        [bins(r#""1500000": 940, "900": 10"#), bins(r#""1500000": 950, "7000000": 100"#)].map(|bins| job("a", &bins));
    let fio = read(&document(&format!("{a}, {b}"))).unwrap();
    let reads = fio.jobs[0].read.as_ref().unwrap();
    assert_eq!((fio.jobs.len(), fio.jobs[0].jobs, reads.ios, reads.iops), (1, 2, 2000, 201.0));
    // 2,000 in all: the 1,900th is among those of 1.5 ms, the 1,980th is not.
    let percentiles: Vec<_> = reads.percentiles.iter().map(|percentile| (percentile.pct, percentile.us)).collect();
    assert_eq!(percentiles, [(50.0, 1500.0), (95.0, 1500.0), (99.0, 7000.0)]);
    let buckets: Vec<_> = reads.histogram.iter().map(|bin| (bin.lower_us, bin.upper_us, bin.count)).collect();
    assert_eq!(buckets, [(0, Some(1), 10), (1024, Some(2048), 1890), (4096, Some(8192), 100)]);
    // Without bins theirs cannot be had.
    let plain = read(&document(&format!("{0}, {0}", job("a", PERCENTILE)))).unwrap();
    assert!(plain.jobs[0].read.as_ref().unwrap().percentiles.is_empty());
}

#[test]
fn a_size_that_the_bytes_do_not_bear_out_is_not_known() {
    let other = job("a", PERCENTILE).replace("8192000", "9000000");
    assert_eq!(read(&document(&other)).unwrap().jobs[0].block_bytes, None);
}

/// fio prints `elapsed` and the time: of one run both go on together.
#[test]
fn of_two_runs_neither_is_taken_for_the_other() {
    let one = document(&job("a", ""));
    let later = one.replace("1700000000", "1700000010").replace(r#""elapsed": 11"#, r#""elapsed": 21"#);
    assert_eq!(read(&format!("{one}\n{later}")).unwrap().elapsed_s, Some(21));
    let lines = one.lines().count();
    for second in [one.replace("1700000000", "1700000300"), later.replace(r#""elapsed": 21"#, r#""elapsed": 11"#)] {
        assert_eq!(read(&format!("{one}\n{second}")), Err(FioError::SecondRun { line: lines + 1 }));
        assert_eq!(read(&format!("message\n{one}\n\n{second}")), Err(FioError::SecondRun { line: lines + 3 }));
    }
    assert_eq!(read(&format!("{later}\n{one}")), Err(FioError::SecondRun { line: lines + 1 }));
}

/// The bytes that were moved tell which of the meanings of a unit the script had.
#[test]
fn a_size_is_one_size_however_it_is_written() {
    for (size, expected) in [
        ("8KiB", 8192),
        ("8192", 8192),
        ("8k", 8192),
        ("8K", 8192),
        ("8kb", 8192),
        ("8KB", 8192),
        ("8 KiB", 8192),
        ("8k,8k", 8192),
        ("0x2000", 8192),
    ] {
        let text = document(&job("a", PERCENTILE)).replace(r#""bs": "8k""#, &format!(r#""bs": "{size}""#));
        assert_eq!(read(&text).unwrap().jobs[0].block_bytes, Some(expected), "{size}");
    }
    let decimal =
        document(&job("a", PERCENTILE)).replace(r#""bs": "8k""#, r#""bs": "8KiB""#).replace("8192000", "8000000");
    assert_eq!(read(&decimal).unwrap().jobs[0].block_bytes, Some(8000));
}

#[test]
fn of_several_documents_the_last_counts() {
    let (first, last) = (document(&job("a", "")), document(&job("b", "")));
    assert_eq!(read(&format!("{first}\n{last}\n")).unwrap().jobs[0].name, "b");
    assert!(matches!(read(&format!("{first}\n{}", &last[..200])), Err(FioError::Truncated { .. })));
}

/// Two documents with fio's own note, the shell's words or a comma between them.
#[test]
fn what_stands_between_documents_hides_none() {
    let first = document(&job("a", ""));
    let note = "note: both iodepth >= 1 and synchronous I/O engine are selected, queue depth will be capped at 1\n";
    for between in ["\n".to_owned(), format!("\n{note}"), ",\n  ".to_owned(), format!("\njobs {{x}}\n{note}\n")] {
        let state = read(&format!("{note}{first}{between}{}", document(&job("b", "")))).unwrap();
        assert_eq!(state.jobs[0].name, "b", "{between}");
        let other = first.replace("1700000", "1700900");
        let error = read(&format!("{first}{between}{other}")).unwrap_err();
        let line = format!("{first}{between}").matches('\n').count() + 1;
        assert_eq!(error, FioError::SecondRun { line }, "{between}");
    }
}

/// The same document with every job in it twice: as if numjobs had made two that did the very same.
fn doubled(text: &str) -> String {
    let mut document: serde_json::Value = serde_json::from_str(text).unwrap();
    let jobs = document["jobs"].as_array_mut().unwrap();
    *jobs = jobs.iter().flat_map(|job| [job.clone(), job.clone()]).collect();
    document.to_string()
}

#[test]
fn percentiles_of_bins_are_those_that_fio_prints() {
    let (one, two) = (read(PLUS).unwrap(), read(&doubled(PLUS)).unwrap());
    assert_eq!((one.jobs.len(), two.jobs.len()), (8, 8));
    for (one, two) in one.jobs.iter().zip(&two.jobs) {
        let side = |job: &Job| job.read.clone().or(job.write.clone()).unwrap();
        let (one, two) = (side(one), side(two));
        assert!(one.percentiles.len() > 10);
        assert_eq!(one.percentiles, two.percentiles);
        assert_eq!(one.histogram.iter().map(|bin| bin.count).sum::<u64>(), one.ios);
        assert_eq!(two.ios, 2 * one.ios);
    }
}

#[test]
fn real_reports_have_the_tests_they_ran() {
    let brief = |fio: Fio| -> Vec<(String, String, Option<u64>, u64)> {
        fio.jobs.into_iter().map(|job| (job.name, job.rw, job.block_bytes, job.jobs)).collect()
    };
    let plus = brief(read(PLUS).unwrap());
    assert_eq!(plus[0], ("read_16".to_owned(), "randread".to_owned(), Some(8192), 16));
    assert_eq!(brief(read(PLAIN).unwrap()).len(), plus.len());
}

#[test]
fn what_is_not_fio_3_is_refused() {
    let refused = |text: &str| read(text).unwrap_err();
    for foreign in ["", "hello", "{}", r#"{"sysstat": {"hosts": []}}"#, r#"{"fio version": "fio-3.33"}"#] {
        assert_eq!(refused(foreign), FioError::Foreign, "{foreign}");
    }
    assert_eq!(refused(&document("")), FioError::Empty);
    assert_eq!(
        refused(&document(&job("a", "")).replace("fio-3.36", "fio-2.21")),
        FioError::Version("fio-2.21".to_owned())
    );
    let untimed = document(&job("a", "")).replace("timestamp", "t");
    assert_eq!(refused(&untimed), FioError::Untimed);
    assert!(matches!(
        refused(&document(&job("a", "")).replace("100.5", "\"many\"")),
        FioError::Malformed { line: 3, .. }
    ));
    let negative = refused(&document(&job("a", "")).replace("100.5", "-100.5"));
    assert_eq!(negative.to_string(), "job 1: a figure is negative or too large");
    let bin = job("a", r#", "percentile": {"95.000000": 1}, "bins": {"x": 1}"#);
    assert_eq!(refused(&document(&bin)).to_string(), "job 1: \"x\" is no bin of nanoseconds");
}

#[test]
fn cut_at_any_byte() {
    let whole = PLAIN.trim_end();
    for at in (0..whole.len()).filter(|&at| whole.is_char_boundary(at)).step_by(7) {
        assert!(read(&whole[..at]).is_err(), "{at}");
    }
}

proptest! {
    #[test]
    fn foreign(text in "\\PC*") {
        prop_assert!(read(&text).is_err());
    }

    #[test]
    fn any_bins(bins in prop::collection::btree_map(any::<u64>(), any::<u64>(), 0..20)) {
        let bins: Vec<String> = bins.iter().map(|(ns, count)| format!("\"{ns}\": {count}")).collect();
        let clat = format!(r#"{PERCENTILE}, "bins": {{{}}}"#, bins.join(", "));
        let twice = format!("{0}, {0}", job("a", &clat));
        if let Ok(fio) = read(&document(&twice)) {
            prop_assert!(fio.jobs[0].read.as_ref().is_some_and(|side| side.percentiles.len() <= 3));
        }
    }
}
