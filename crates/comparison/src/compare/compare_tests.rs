use super::{compare as compare_pausing, *};
use ebs_samples::evidence::{Coverage, DeviceCounts, ProcessorCounts, Timed, TransactionCounts, WalCounts};
use ebs_workload::demand::{Demand, DemandInterval};
use ebs_workload::run_timeline::{RunTimeline, Segment};
use ebs_workload::steady_state::{RampUp, Steadiness};
use proptest::prelude::*;
use serde_json::json;

pub(super) fn compare(a: &[Run], b: &[Run], options: &Options) -> Vec<Row> {
    compare_pausing(a, b, options, &|| ())
}

fn timed<C: ebs_base::counter::Counters>(counts: C) -> Timed<C> {
    Timed { counts, known_us: 1_000_000 }
}

fn environment() -> Environment {
    let document = json!({"server_version": "18.1", "system_identifier": "7", "settings": {"fsync": "on", "shared_buffers": "1GB"}});
    Environment::from_document(Some(&document), Some("m6i.large".to_owned()))
}

/// A minute from this second on, in which so many transactions were done in each second of a pattern, and reads took so long.
pub(super) fn run(label: &str, from_s: i64, tps: &[u64], read_us: u64) -> Run {
    let seconds =
        || (0..60).map(|second: i64| (from_s * 1_000_000 + (second + 1) * 1_000_000, tps[second as usize % tps.len()]));
    let segment = |(ended_us, tps): (i64, u64)| Segment {
        ended_us,
        length_us: 1_000_000,
        transactions: timed(TransactionCounts { commits: tps, rollbacks: 0 }),
        wal: timed(WalCounts { bytes: 4096 * tps, ..WalCounts::default() }),
        processor: timed(ProcessorCounts { server_us: 200 * tps, host_us: 300 * tps, ..ProcessorCounts::default() }),
        at_work: [("IO".to_owned(), 500 * tps), ("CPU*".to_owned(), 200 * tps)].into(),
        connected_us: 8_000_000,
        swept_us: 1_000_000,
        checkpoint_ended: Some(ended_us % 20_000_000 == 0),
    };
    let interval = |(ended_us, tps): (i64, u64)| {
        let counts = DeviceCounts {
            reads: 2 * tps,
            writes: tps,
            read_bytes: 2 * 8192 * tps,
            write_bytes: 16_384 * tps,
            read_ms: 2 * tps * read_us / 1_000,
            write_ms: tps,
            weighted_ms: 2 * tps * read_us / 1_000 + tps,
            ..DeviceCounts::default()
        };
        DemandInterval { ended_us, seconds: 1.0, counts, ..DemandInterval::default() }
    };
    let timeline = RunTimeline {
        from_us: from_s * 1_000_000,
        to_us: (from_s + 60) * 1_000_000,
        segments: seconds().map(segment).collect(),
    };
    Run {
        label: label.to_owned(),
        from_us: timeline.from_us,
        to_us: timeline.to_us,
        environment: environment(),
        note: Some(json!({"clients": 8, "scale": 100})),
        reported: DriverReport::default(),
        steadiness: Steadiness {
            work: None,
            ramp_up: RampUp::Marked,
            trend: None,
            shortfall: None,
            checkpoint_cycles: timeline.checkpoint_cycles(),
        },
        coverage: Coverage { window_s: 60.0, sampled_s: 60.0, ..Coverage::default() },
        volumes: Some("data+wal on nvme1n1".to_owned()),
        used_bytes: Some(1 << 33),
        demand: Demand {
            timed: true,
            averaged_s: 1.0,
            intervals: seconds().map(interval).collect(),
            ..Demand::default()
        },
        timeline,
    }
}

pub(super) fn find<'a>(rows: &'a [Row], section: &str, metric: &str) -> &'a Row {
    rows.iter()
        .find(|row| row.section == section && row.metric == metric)
        .unwrap_or_else(|| panic!("{section} {metric}"))
}

fn verdict(rows: &[Row], section: &str, metric: &str) -> Option<Verdict> {
    find(rows, section, metric).verdict
}

/// Ten per cent up and down, which is no trend.
pub(super) const UNEVEN: [u64; 6] = [1_000, 1_100, 900, 1_050, 950, 1_000];

fn times(ratio: f64) -> Vec<u64> {
    UNEVEN.iter().map(|tps| (*tps as f64 * ratio) as u64).collect()
}

#[test]
fn one_run_a_side_carries_the_noise_between_runs() {
    let (a, b) = (run("a", 0, &UNEVEN, 1_000), run("b", 100, &times(1.06), 1_000));
    let rows = compare(std::slice::from_ref(&a), std::slice::from_ref(&b), &Options::default());
    let found = find(&rows, "per second", "transactions");
    assert!((found.ratio.unwrap() - 1.06).abs() < 1e-9 && found.verdict == Some(Verdict::Inconclusive), "{found:?}");
    // 2.02 times the root of two times 3.5 %, and a little for the spread within.
    assert!((1.10..1.12).contains(&(found.ratio_high.unwrap() / 1.06)), "{found:?}");
    assert!((14.0..17.0).contains(&found.detectable_pct.unwrap()), "{found:?}");
    assert_eq!(verdict(&rows, "gate", "runs"), Some(Verdict::NotKnown));
    assert_eq!(find(&rows, "gate", "runs").notes, [Note::VarianceAssumed { noise_pct: NOISE_PCT }]);
    // Who says that runs do not differ, is answered by the spread within.
    let rows = compare(std::slice::from_ref(&a), &[b], &Options::new(None, Some(0.0)).unwrap());
    assert_eq!(verdict(&rows, "per second", "transactions"), Some(Verdict::Better));
    let rows = compare(&[a], &[run("c", 100, &times(1.3), 1_000)], &Options::default());
    assert_eq!(verdict(&rows, "per second", "transactions"), Some(Verdict::Better));
    // What was asked of the devices is more, and neither better nor worse; a transaction costs what it did.
    assert_eq!(verdict(&rows, "per second", "reads"), Some(Verdict::Higher));
    let reads = find(&rows, "per transaction", "reads");
    assert!(reads.a == Some(2.0) && reads.b == Some(2.0) && reads.verdict == Some(Verdict::Inconclusive), "{reads:?}");
}

#[test]
fn repeats_tell_their_own_noise() {
    let side = |ratio: f64, from_s: i64| -> Vec<Run> {
        let noise = [0.99, 1.0, 1.01, 1.005];
        (0..4)
            .map(|n| run(&format!("{from_s}-{n}"), from_s + 200 * n, &times(ratio * noise[n as usize]), 1_000))
            .collect()
    };
    let rows = compare(&side(1.0, 0), &side(1.1, 100), &Options::default());
    let found = find(&rows, "per second", "transactions");
    assert_eq!((found.verdict, found.p_permutation), (Some(Verdict::Better), Some(2.0 / 70.0)));
    assert!((found.ratio.unwrap() - 1.1).abs() < 0.005 && found.detectable_pct.unwrap() < 5.0, "{found:?}");
    assert_eq!(
        (verdict(&rows, "gate", "runs"), verdict(&rows, "gate", "order")),
        (Some(Verdict::Same), Some(Verdict::Same))
    );
    let rows = compare(&side(1.0, 0), &side(1.01, 100), &Options::default());
    assert_eq!(verdict(&rows, "per second", "transactions"), Some(Verdict::Equivalent));
    let rows = compare(&side(1.0, 0)[..3], &side(1.1, 2_000)[..3], &Options::default());
    assert_eq!(verdict(&rows, "gate", "order"), Some(Verdict::Differs));
    assert_eq!(find(&rows, "gate", "runs").notes, [Note::FewPermutations { a: 3, b: 3, least: 0.1 }]);
    assert_eq!(verdict(&rows, "per second", "transactions"), Some(Verdict::Better));
}

#[test]
fn the_gate_says_what_differs_and_what_nobody_knows() {
    let a = run("a", 0, &UNEVEN, 1_000);
    let mut b = Run { label: "b".to_owned(), ..a.clone() };
    let rows = compare(std::slice::from_ref(&a), std::slice::from_ref(&b), &Options::default());
    for metric in [
        "server version",
        "settings",
        "cluster",
        "instance",
        "volumes",
        "note",
        "clients",
        "sessions",
        "data",
        "duration",
        "coverage",
        "counter resets",
        "ramp-up",
        "checkpoint cycles",
    ] {
        assert_eq!(verdict(&rows, "gate", metric), Some(Verdict::Same), "{metric}");
    }
    assert_eq!(find(&rows, "gate", "checkpoint cycles").a, Some(2.0));
    b.environment = Environment::from_document(
        Some(&json!({"server_version": "17.2", "settings": {"fsync": "off", "shared_buffers": "1GB"}})),
        None,
    );
    b.note = Some(json!({"clients": 16, "scale": 100}));
    b.coverage.sampled_s = 30.0;
    b.used_bytes = None;
    let rows = compare(&[a], &[b], &Options::default());
    let row = |metric| find(&rows, "gate", metric);
    let brief = |metric| (row(metric).verdict.unwrap(), row(metric).notes.clone());
    let labels = || vec!["b".to_owned()];
    let text = |text: &str| text.to_owned();
    let difference = |name: &str, a: &str, b: &str| {
        let value = |value: &str| [Some(value.to_owned())].into();
        vec![Note::Differences(vec![Difference { name: name.to_owned(), a: value(a), b: value(b) }])]
    };
    let versions = Note::Values { a: [text("18.1")].into(), b: [text("17.2")].into() };
    assert_eq!(brief("server version"), (Verdict::Differs, vec![versions]));
    assert_eq!(brief("settings"), (Verdict::Differs, difference("fsync", "on", "off")));
    assert_eq!(brief("instance"), (Verdict::NotKnown, vec![Note::UnknownOf(labels())]));
    assert_eq!(brief("note"), (Verdict::Differs, difference("clients", "8", "16")));
    assert_eq!(
        (row("clients").a, row("clients").b, row("clients").verdict),
        (Some(8.0), Some(16.0), Some(Verdict::Differs))
    );
    let poor = Note::PoorlyCovered { least_pct: 95.0, runs: labels() };
    assert_eq!(brief("coverage"), (Verdict::Differs, vec![poor]));
    assert_eq!((row("data").a, row("data").b, row("data").verdict), (Some(8.0), None, Some(Verdict::NotKnown)));
    // Without fsync no checkpoint can be seen.
    assert_eq!(brief("checkpoint cycles"), (Verdict::NotKnown, vec![Note::UnknownOf(labels())]));
}

#[test]
fn what_is_not_known_is_never_nothing() {
    let (a, mut b) = (run("a", 0, &UNEVEN, 1_000), run("b", 100, &UNEVEN, 1_000));
    (b.demand, b.timeline) = (Demand::default(), RunTimeline::default());
    let rows = compare(&[a], &[b], &Options::default());
    for metric in ["requests", "WAL", "read latency"] {
        let row = find(&rows, "per second", metric);
        assert!(row.a.is_some() && row.b.is_none() && row.ratio.is_none() && row.verdict.is_none(), "{row:?}");
        assert!(row.notes.contains(&Note::UnknownOfSide(Side::B)), "{row:?}");
    }
    assert!(!rows.iter().any(|row| row.section == "per transaction"));
}

#[test]
fn the_driver_decides_where_it_was_asked() {
    let with = |label: &str, from_s, nopm| Run {
        reported: DriverReport { nopm, tps: Some(1_000.0), ..DriverReport::default() },
        ..run(label, from_s, &UNEVEN, 1_000)
    };
    let primary = |rows: &[Row]| -> Vec<String> {
        rows.iter().filter(|row| row.notes.contains(&Note::Primary)).map(|row| row.metric.clone()).collect()
    };
    let rows = compare(&[with("a", 0, Some(9_000.0))], &[with("b", 100, Some(15_000.0))], &Options::default());
    assert_eq!(primary(&rows), ["NOPM"]);
    assert_eq!(
        (verdict(&rows, "driver", "NOPM"), find(&rows, "driver", "NOPM").p_adjusted),
        (Some(Verdict::Better), None)
    );
    assert!(rows.iter().all(|row| row.metric != "TPM"));
    assert_eq!(primary(&compare(&[with("a", 0, Some(9.0))], &[with("b", 100, None)], &Options::default())), ["tps"]);
}

#[test]
fn transactions_that_only_the_driver_counted_are_its_own() {
    let untold = |label: &str, from_s| {
        let mut run = run(label, from_s, &UNEVEN, 1_000);
        run.timeline = RunTimeline::default();
        Run { reported: DriverReport { tps: Some(500.0), ..DriverReport::default() }, ..run }
    };
    let rows = compare(&[untold("a", 0)], &[untold("b", 100)], &Options::default());
    let reads = find(&rows, "per transaction", "reads");
    assert!(reads.a == Some(4.0) && reads.notes.contains(&Note::DriverTransactions), "{reads:?}");
}

#[test]
fn where_nothing_tells_the_spread_there_is_no_interval() {
    let told = |label: &str, from_s, tps| {
        let mut run = run(label, from_s, &UNEVEN, 1_000);
        run.timeline = RunTimeline::default();
        Run { reported: DriverReport { tps: Some(tps), ..DriverReport::default() }, ..run }
    };
    let (a, b) = ([told("a", 0, 500.0)], [told("b", 100, 1_000.0)]);
    let rows = compare(&a, &b, &Options::new(None, Some(0.0)).unwrap());
    let tps = find(&rows, "driver", "tps");
    assert_eq!((tps.ratio, tps.ratio_low, tps.p, tps.verdict), (Some(2.0), None, None, Some(Verdict::Inconclusive)));
    assert_eq!(verdict(&compare(&a, &b, &Options::default()), "driver", "tps"), Some(Verdict::Better));
}

#[test]
fn one_figure_in_thirty_is_no_news() {
    let side = |ratio: f64, from_s: i64, noise: [f64; 4], read_us: [u64; 4]| -> Vec<Run> {
        (0..4)
            .map(|n| run(&format!("{from_s}-{n}"), from_s + 200 * n as i64, &times(ratio * noise[n]), read_us[n]))
            .collect()
    };
    let a = side(1.0, 0, [0.95, 1.0, 1.05, 1.02], [1_000, 1_100, 900, 1_050]);
    let b = side(1.0, 100, [0.97, 1.0, 1.04, 1.01], [1_170, 1_270, 1_080, 1_210]);
    let latency = |rows: &[Row]| find(rows, "per second", "read latency").clone();
    let found = latency(&compare(&a, &b, &Options::default()));
    assert!(found.p.unwrap() < 0.05 && found.p_adjusted.unwrap() > 0.05, "{found:?}");
    assert_eq!(found.verdict, Some(Verdict::Inconclusive));
    assert!(found.notes.contains(&Note::NotSignificant), "{found:?}");
}

/// A run of any kind: rates that may be nothing, any spread, and perhaps no evidence of one kind.
fn any_run() -> impl Strategy<Value = Run> {
    let rates = prop::collection::vec(0u64..5_000, 1..60);
    (0i64..10_000, rates, 0u64..50_000, 0u8..4, prop::option::of(0.0f64..1e6)).prop_map(
        |(from_s, tps, read_us, kind, reported)| {
            let mut run = run(&format!("run {from_s}"), from_s, &tps, read_us);
            match kind {
                0 => run.demand = Demand::default(),
                1 => run.timeline = RunTimeline::default(),
                2 => run.timeline.segments.truncate(3),
                _ => {}
            }
            run.reported.tps = reported;
            run
        },
    )
}

fn finite(row: &Row) -> bool {
    let figures = [
        row.a,
        row.b,
        row.ratio,
        row.ratio_low,
        row.ratio_high,
        row.p,
        row.p_adjusted,
        row.p_permutation,
        row.detectable_pct,
    ];
    figures.into_iter().flatten().all(f64::is_finite)
}

/// Alike to nine digits.
fn alike(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * a.abs().max(b.abs()),
        _ => a == b,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn it_mirrors(a in prop::collection::vec(any_run(), 1..4), b in prop::collection::vec(any_run(), 1..4)) {
        let (there, back) = (compare(&a, &b, &Options::default()), compare(&b, &a, &Options::default()));
        prop_assert_eq!(there.len(), back.len());
        for (there, back) in there.iter().zip(&back) {
            prop_assert!(finite(there), "{:?}", there);
            prop_assert_eq!((&there.section, &there.metric), (&back.section, &back.metric));
            prop_assert!(there.verdict == back.verdict.map(Verdict::mirrored), "{:?} {:?}", there, back);
            prop_assert!(alike(there.a, back.b) && alike(there.b, back.a), "{:?} {:?}", there, back);
            prop_assert!(alike(there.p_adjusted, back.p_adjusted) && alike(there.p_permutation, back.p_permutation));
            let turned = |of: Option<f64>| of.map(|ratio| 1.0 / ratio);
            if there.ratio_low.is_some() {
                prop_assert!(alike(there.ratio, turned(back.ratio)), "{:?} {:?}", there, back);
                prop_assert!(alike(there.ratio_low, turned(back.ratio_high)) && alike(there.ratio_high, turned(back.ratio_low)));
            }
        }
    }

    #[test]
    fn the_same_runs_are_never_better_or_worse(a in prop::collection::vec(any_run(), 1..4), noise in prop::option::of(0.0f64..10.0)) {
        let rows = compare(&a, &a, &Options::new(None, noise).unwrap());
        let called = [Verdict::Better, Verdict::Worse, Verdict::Higher, Verdict::Lower].map(Some);
        for row in &rows {
            prop_assert!(!called.contains(&row.verdict) && finite(row), "{:?}", row);
            prop_assert!(row.ratio.is_none_or(|ratio| ratio == 1.0), "{:?}", row);
        }
        prop_assert_eq!(&rows, &compare(&a, &a, &Options::new(None, noise).unwrap()));
    }
}

#[test]
fn of_few_requests_one_run_says_nothing() {
    let with_reads = |label, from_s, each: u64| {
        let mut run = run(label, from_s, &UNEVEN, 1_000);
        for (second, interval) in run.demand.intervals.iter_mut().enumerate() {
            let (counts, reads) = (&mut interval.counts, each + second as u64 % 3);
            (counts.reads, counts.read_bytes, counts.read_ms) = (reads, 8192 * reads, each * reads);
        }
        run
    };
    let side = |labels: [&'static str; 4], from_s, each| -> Vec<Run> {
        labels
            .iter()
            .zip(0_i64..)
            .map(|(label, n)| with_reads(label, from_s + 200 * n, each + n.unsigned_abs()))
            .collect()
    };
    let (a, b) = (side(["a", "b", "c", "d"], 0, 5), side(["e", "f", "g", "h"], 100, 20));
    let alone = compare(&a[..1], &b[..1], &Options::default());
    for (section, metric) in [
        ("per second", "reads"),
        ("per second", "read throughput"),
        ("per second", "read latency"),
        ("per transaction", "reads"),
        ("per transaction", "read"),
    ] {
        let row = find(&alone, section, metric);
        assert_eq!((row.verdict, row.p, row.ratio_low), (Some(Verdict::Inconclusive), None, None), "{row:?}");
        assert!(row.notes.contains(&Note::RareRequests), "{row:?}");
    }
    assert!(find(&alone, "per second", "writes").ratio_low.is_some());
    // Repeats tell how far they lie apart.
    assert_eq!(verdict(&compare(&a, &b, &Options::default()), "per second", "reads"), Some(Verdict::Higher));
    // Where they are many on one side they are worth a word.
    let many = with_reads("many", 100, 500);
    assert_eq!(verdict(&compare(&a[..1], &[many], &Options::default()), "per second", "reads"), Some(Verdict::Higher));
}

#[test]
fn a_handful_of_transactions_in_a_short_run_decides_nothing() {
    let short = |label: &str, tps: u64| {
        let mut run = run(label, 0, &[tps], 500);
        run.timeline.segments.truncate(3);
        run
    };
    let verdict = |a: u64, b: u64| {
        let rows = compare(&[short("a", a)], &[short("b", b)], &Options::default());
        find(&rows, "per second", "transactions").verdict
    };
    assert_eq!(verdict(1, 2), Some(Verdict::Inconclusive));
    assert_eq!(verdict(1_000, 2_000), Some(Verdict::Better));
}
