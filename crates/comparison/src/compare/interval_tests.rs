//! Intervals of few runs, their bound, and figures that are not compared.

use super::estimate::MAX_FACTOR;
use super::tests::{UNEVEN, compare, find, run};
use super::*;
use ebs_samples::evidence::{Timed, TransactionCounts};
use ebs_stats::LogError;
use ebs_workload::run_timeline::Segment;

const NOISE: Noise = Noise { between: 0.035, includes_within: false };

/// Runs of this mean, each a factor of e^deviation up or down, of which the spread within is `within`.
fn pair(mean: f64, deviation: f64, within: Option<LogError>) -> [Measurement; 2] {
    [deviation, -deviation].map(|by| Measurement { mean: mean * by.exp(), within })
}

fn interval(deviation: f64, within: Option<LogError>) -> Estimate {
    estimate(&pair(100.0, deviation, within), &pair(200.0, deviation, within), &NOISE).unwrap()
}

/// Worked out by hand: each side's squares sum to 2 × 0.1², pooled over 2 degrees of freedom 0.02; times 1/2 + 1/2 that is the variance of the
/// difference, whose root is 0.14142; t(97.5 %, 2) = 4.30265; e^0.60849 = 1.8377.
#[test]
fn two_runs_a_side_are_a_pooled_t() {
    let found = interval(0.1, None);
    assert!((found.shift.exp() - 2.0).abs() < 1e-9 && found.freedom == 2.0 && found.has_interval(), "{found:?}");
    assert!(((found.high() - found.shift).exp() - 1.8377).abs() < 1e-4, "{found:?}");
    assert!(((found.shift - found.low()).exp() - 1.8377).abs() < 1e-4, "{found:?}");
}

/// A spread within runs of 0.5 would widen the interval to e^(t × 0.5); it counts from ten degrees of freedom on in each run.
#[test]
fn a_spread_within_that_rests_on_few_flushes_does_not_count() {
    let half = |freedom| {
        let found = interval(0.1, Some(LogError { error: 0.5, freedom }));
        found.high() - found.shift
    };
    for few in [4.5, 9.9] {
        assert!((half(few) - 0.60849).abs() < 1e-4, "{few}");
    }
    // Four errors of 0.5 over two runs each: the root of 4 × 0.0625 is 0.5; 40 degrees of freedom, t = 2.0211.
    assert!((half(10.0) - 1.01054).abs() < 1e-3, "{}", half(10.0));
}

/// Worked out by hand: half of the width is 4.30265 × √2 × deviation, which is ln 10 = 2.30259 at 0.37841.
#[test]
fn an_interval_wider_than_tenfold_is_none() {
    assert!(interval(0.378, None).has_interval());
    let wide = interval(0.379, None);
    assert!(!wide.has_interval() && wide.high() - wide.shift > MAX_FACTOR.ln(), "{wide:?}");
}

/// Runs of 120 s with eight flushes of 15 s, whose transactions rise from flush to flush, and NOPM as told.
fn hammerdb(label: &str, from_s: i64, nopm: f64) -> Run {
    let mut run = run(label, from_s, &UNEVEN, 1_000);
    let of_flush = run.timeline.segments[0].clone();
    let flush = |n: u64| {
        let counts = TransactionCounts { commits: 15 * (700 + 100 * n), rollbacks: 0 };
        Segment {
            ended_us: from_s * 1_000_000 + 15_000_000 * (n as i64 + 1),
            length_us: 15_000_000,
            transactions: Timed { counts, known_us: 15_000_000 },
            ..of_flush.clone()
        }
    };
    run.timeline.segments = (0..8).map(flush).collect();
    Run { reported: DriverReport { nopm: Some(nopm), ..DriverReport::default() }, ..run }
}

/// Published by the issue: NOPM 2.08, 1.13 to 3.83. By hand: the runs of each side differ by a factor of e^±0.1, and 1.8377 either
/// way of 2.08 is 1.132 to 3.822.
#[test]
fn two_runs_of_two_minutes_of_hammerdb_have_an_interval_of_use() {
    let side = |nopm: f64, from_s: i64| [0.1, -0.1].map(|by: f64| hammerdb("r", from_s, nopm * by.exp()));
    let rows = compare(&side(10_000.0, 0), &side(20_800.0, 200), &Options::default());
    let found = find(&rows, "driver", "NOPM");
    let [low, high] = [found.ratio_low, found.ratio_high].map(Option::unwrap);
    assert!((low - 1.132).abs() < 0.001 && (high - 3.822).abs() < 0.002, "{found:?}");
    assert_eq!(found.verdict, Some(Verdict::Better));
}

#[test]
fn an_interval_that_is_too_wide_says_what_is_missing() {
    let side = |tps: [u64; 2], from_s| tps.map(|tps| run("r", from_s, &[tps], 1_000));
    let rows = compare(&side([100, 900], 0), &side([200, 1_800], 100), &Options::default());
    let found = find(&rows, "per second", "transactions");
    assert_eq!((found.ratio_low, found.ratio_high, found.detectable_pct), (None, None, None));
    assert!(found.ratio.is_some() && found.p.is_some() && found.verdict == Some(Verdict::Inconclusive), "{found:?}");
    assert!(found.notes.contains(&Note::TooWide { factor: 10.0, fewest: 2 }), "{found:?}");
    for row in &rows {
        let width = row.ratio_high.zip(row.ratio).map(|(high, ratio)| high / ratio);
        assert!(width.is_none_or(|width| width <= MAX_FACTOR * 1.000_001), "{row:?}");
    }
}

/// Reads of 8 KiB beside reads of this many bytes, twice as slow.
fn with_read_bytes(bytes: u64) -> Vec<Row> {
    let a = run("a", 0, &UNEVEN, 1_000);
    let mut b = run("b", 100, &UNEVEN, 4_000);
    b.demand.intervals.iter_mut().for_each(|interval| interval.counts.read_bytes = bytes * interval.counts.reads);
    compare(&[a], &[b], &Options::default())
}

/// Half as large again is another size: 1.5 × 8,192 = 12,288.
#[test]
fn latencies_of_requests_of_another_size_are_not_compared() {
    let latency = |bytes| find(&with_read_bytes(bytes), "per second", "read latency").clone();
    for near in [8_192, 12_287, 5_462] {
        assert_eq!(latency(near).verdict, Some(Verdict::Worse), "{near}");
    }
    for (far, kib) in [(12_288, 12.0), (65_536, 64.0), (5_461, 5_461.0 / 1024.0)] {
        let row = latency(far);
        assert_eq!((row.verdict, row.p, row.ratio_high), (Some(Verdict::NotCompared), None, None), "{far}");
        assert!(row.notes.contains(&Note::RequestSizes { a_kib: 8.0, b_kib: kib }), "{row:?}");
    }
    // Writes have the size they had, and other figures of reads are compared.
    let rows = with_read_bytes(65_536);
    assert_ne!(find(&rows, "per second", "write latency").verdict, Some(Verdict::NotCompared));
    assert_eq!(find(&rows, "per second", "request size").verdict, Some(Verdict::Higher));
}

#[test]
fn nothing_on_both_sides_is_the_same() {
    let without_reads = |label, from_s, reads: u64| {
        let mut run = run(label, from_s, &UNEVEN, 1_000);
        run.demand.intervals.iter_mut().for_each(|interval| interval.counts.reads = reads);
        run
    };
    let verdict = |a: u64, b: u64| {
        let rows = compare(&[without_reads("a", 0, a)], &[without_reads("b", 100, b)], &Options::default());
        find(&rows, "per second", "reads").verdict
    };
    assert_eq!(verdict(0, 0), Some(Verdict::Same));
    assert_eq!(verdict(0, 1), Some(Verdict::Inconclusive));
    assert_eq!(verdict(1, 0), Some(Verdict::Inconclusive));
}

/// A run without a transaction beside one of about 1,000 a second; one of 1,000 in a single second is not clear of zero.
#[test]
fn a_side_of_zero_throughout_is_less_than_one_that_is_clearly_not() {
    let none = [run("a", 0, &[0], 100)];
    let verdict =
        |a: &[Run], b: &[Run]| find(&compare(a, b, &Options::default()), "per second", "transactions").verdict;
    let busy = [run("b", 100, &[1_000, 990, 1_010, 1_005], 100)];
    assert_eq!(verdict(&none, &busy), Some(Verdict::Better));
    assert_eq!(verdict(&busy, &none), Some(Verdict::Worse));
    assert_eq!(verdict(&none, &none), Some(Verdict::Same));
    let mut once = [0; 60];
    once[30] = 1_000;
    assert_eq!(verdict(&none, &[run("b", 100, &once, 100)]), Some(Verdict::Inconclusive));
}
