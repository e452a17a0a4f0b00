use super::*;
use ebs_comparison::card::TESTS;

fn line(subject: Subject, note: Note) -> Line {
    Line { subject, device: None, measured: None, grade: None, basis: None, note }
}

fn describe(subject: Subject, note: Note) -> String {
    describe_note(&line(subject, note))
}

#[test]
fn tests_have_names_units_and_thresholds() {
    let of = |subject| {
        let line = line(subject, Note::NotCompared);
        (describe_test(&line), describe_unit(&line), describe_thresholds(&line), describe_source(&line))
    };
    let (latency, scaling) = (of(Subject::Latency(&TESTS[0])), of(Subject::Scaling(&TESTS[0])));
    assert_eq!((latency.0.as_str(), latency.1), ("8 KiB random read, 16 users", Some("ms")));
    let thresholds = "A+ < 2, A < 4, A- < 6, B < 8, B- < 10, C < 12, C- < 14 ms, else D";
    assert_eq!((latency.2.as_deref(), latency.3), (Some(thresholds), Some(SOURCE)));
    let growth = Some("growth of p95 / growth of users");
    assert_eq!((scaling.0.as_str(), scaling.1), ("8 KiB random read, scaling 16 to 32 users", growth));
    let thresholds = "A+ <= 0.05, A <= 0.1, A- <= 0.2, B <= 0.3, B- <= 0.4, C <= 0.6, C- <= 0.9, else D";
    assert_eq!((scaling.2.as_deref(), scaling.3), (Some(thresholds), Some(SOURCE)));
    assert_eq!(of(Subject::Modes), ("two latency modes".to_owned(), None, None, None));
    assert_eq!(of(Subject::SlowStart), ("slow start".to_owned(), None, None, None));
    let measured = Line { measured: Some(3.0), ..line(Subject::SlowStart, Note::NotCompared) };
    assert_eq!(describe_unit(&measured), Some("times"));
    let letter = |approximate| describe_grade(&Grade { letter: "B-", approximate });
    assert_eq!([letter(false), letter(true)], ["B-", "~B-"]);
    assert_eq!([Basis::Fio, Basis::Live, Basis::Ebs].map(describe_basis), ["fio", "live evidence", "EBS statistics"]);
}

#[test]
fn a_test_that_was_not_measured_says_why() {
    let of = |test: usize, reasons: &[NotMeasured]| {
        describe(Subject::Latency(&TESTS[test]), Note::NotMeasured(reasons.to_vec()))
    };
    let job = || "j".to_owned();
    assert_eq!(of(2, &[NotMeasured::NoJob { users: 16 }]), "not measured: fio did no write of 1 KiB by 16 jobs");
    assert_eq!(
        of(1, &[NotMeasured::NoImport, NotMeasured::OtherSize { mean_bytes: 8192.0 }]),
        "not measured: nothing of fio was imported; reads in the evidence are 8.00 KiB on average, too few seconds of about 1 \
         MiB"
    );
    assert_eq!(
        of(1, &[NotMeasured::JobFailed { job: job(), error: 28 }]),
        "not measured: fio's job j failed with error 28"
    );
    assert_eq!(of(1, &[NotMeasured::NoRequestsOfJob { job: job() }]), "not measured: fio's job j did no reads");
    assert_eq!(
        of(1, &[NotMeasured::NoPercentile { job: job() }]),
        "not measured: fio's job j has no 95th percentile (of several jobs they are known with group_reporting or json+)"
    );
    assert_eq!(of(1, &[NotMeasured::NoTimes]), "not measured: the evidence has no times of requests");
    assert_eq!(of(2, &[NotMeasured::NoRequests]), "not measured: there were no writes in the evidence");
    let scaling = describe(Subject::Scaling(&TESTS[0]), Note::NotMeasured(vec![NotMeasured::ZeroLatency]));
    assert_eq!(scaling, "not measured: the p95 was 0 ms");
}

#[test]
fn a_graded_job_has_its_rate_and_its_doubts() {
    let of = |direct, with_submission, jobs| {
        let job = FioJob { job: "j".to_owned(), iops: 100.0, direct, with_submission, jobs };
        describe(Subject::Latency(&TESTS[0]), Note::Fio(job))
    };
    assert_eq!(of(Some(true), false, 1), "job j, 100 a second");
    assert_eq!(
        of(Some(false), true, 2),
        "job j, 100 a second; through the page cache (direct=1 was not set), which answers in the volume's place; with the time \
         of submission (lat_percentiles); the latest of 2"
    );
    assert_eq!(of(None, false, 1), "job j, 100 a second; unknown whether through the page cache");
    let scaling = describe(Subject::Scaling(&TESTS[0]), Note::Scaling { p95_ms: 1.9, scaled_p95_ms: 4.18 });
    assert_eq!(scaling, "p95 1.90 ms, and 4.18 ms with 2 times as many users");
}

#[test]
fn live_evidence_says_of_what_it_is_a_percentile() {
    let of = |averaged_s, downsampled| {
        let evidence = LiveEvidence { averaged_s, downsampled, seconds: 100.0, in_flight: 0.5 };
        describe(Subject::Latency(&TESTS[0]), Note::Live(evidence))
    };
    assert_eq!(
        of(1.0, false),
        "approximation: the p95 of one-second means, not of requests, over 100 s with reads of about that size; 0.50 requests in \
         flight where the test has 16; random and sequential cannot be told apart"
    );
    assert!(of(10.0, false).starts_with("approximation: the p95 of means over 10 s, not of requests"));
    assert!(
        of(1.0, true).starts_with("approximation: the p95 of means of up to an hour, 1.0 s at best, not of requests")
    );
}

#[test]
fn modes_and_starts_have_their_figures() {
    let bin = |lower_us, upper_us| Bin { lower_us, upper_us, count: 1 };
    let modes = |slow| Modes { fast: (bin(512, Some(1_024)), 0.7), slow: (slow, 0.3), valley: 0.0 };
    let of = |source, slow| describe(Subject::Modes, Note::Modes { source, kind: "read", modes: modes(slow) });
    assert_eq!(
        of(Source::Ebs, bin(16_384, Some(32_768))),
        "reads (EBS statistics): 70 % around 0.51 to 1.02 ms, 30 % around 16.4 to 32.8 ms, and between them 0 % of the lower \
         peak: part of the requests is served another way (burst credits that run out, tiers, a cache)"
    );
    let unbounded = of(Source::Fio("j".to_owned()), bin(32_768, None));
    assert!(unbounded.starts_with("reads (fio j): 70 % around 0.51 to 1.02 ms, 30 % around more than 32.8 ms"));
    let modes = |of| describe(Subject::Modes, of);
    assert_eq!(modes(Note::NoHistogram), "unknown: there is no histogram of latencies");
    assert_eq!(modes(Note::NoModes { histograms: 1 }), "none in 1 histogram");
    assert_eq!(modes(Note::NoModes { histograms: 2 }), "none in 2 histograms");
    let start = |ratio| {
        let start = FirstTouch { ratio, low: ratio, high: ratio, seconds: 60.0 };
        describe(Subject::SlowStart, Note::FirstTouch(start))
    };
    assert_eq!(
        start(3.0),
        "reads of 60 s at the start took 3.00 (3.00 to 3.00) times as long as later ones at the same rate: blocks touched for the \
         first time (a volume made from a snapshot), or an empty cache"
    );
    assert_eq!(
        start(1.0),
        "none: reads of 60 s at the start took 1.00 (1.00 to 1.00) times as long as later ones at the same rate"
    );
    assert_eq!(
        describe(Subject::SlowStart, Note::NotCompared),
        "unknown: too few seconds of reads, or none later at the same rate"
    );
}
