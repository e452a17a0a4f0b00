//! Rate of errors of ebs_compare, on runs that are made up: `cargo run --release -p ebs_comparison --example compare_made_up
//! [PAIRS]`. docs/compare.md has the table.
//!
//! Each second of a run resembles the one before (a first-order autoregressive series, rho from 0 to 0.9, deviation 20 % of the
//! mean), a run lasts 60 to 1,200 s, and runs of the same workload differ by some per cent. What is done (transactions) and how long
//! requests take move by themselves.

// Prints its table.
#![allow(clippy::disallowed_macros)]
// A program: it has arguments.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

use ebs_comparison::compare::{DriverReport, Environment, Options, Row, Run, Verdict, compare};
use ebs_samples::evidence::{Coverage, DeviceCounts, Timed, TransactionCounts, WalCounts};
use ebs_workload::demand::{Demand, DemandInterval};
use ebs_workload::run_timeline::{RunTimeline, Segment};
use ebs_workload::steady_state::{RampUp, Steadiness};
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64;

struct Draw(Pcg64);

impl Draw {
    fn uniform(&mut self) -> f64 {
        self.0.next_u64() as f64 / u64::MAX as f64
    }

    /// Close to normal: the sum of twelve uniform numbers, less six.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }

    fn series(&mut self, seconds: usize, rho: f64, mean: f64) -> Vec<f64> {
        let mut level = self.normal();
        (0..seconds)
            .map(|_| {
                level = rho * level + (1.0 - rho * rho).sqrt() * self.normal();
                (mean * (1.0 + 0.2 * level)).max(0.0)
            })
            .collect()
    }

    /// A run around so many transactions a second, of which the mean of this one is off by the noise between runs.
    fn run(&mut self, seconds: usize, rho: f64, noise: f64, ratio: f64, began_s: i64) -> Run {
        let tps = 2_000.0 * ratio * (noise * self.normal()).exp();
        // Times of requests differ three times as much from run to run.
        let read_us = 800.0 * (3.0 * noise * self.normal()).exp();
        let done = self.series(seconds, rho, tps);
        let took = self.series(seconds, rho, read_us);
        let end = |second: usize| (began_s + second as i64 + 1) * 1_000_000;
        let segment = |(second, done): (usize, &f64)| Segment {
            ended_us: end(second),
            length_us: 1_000_000,
            transactions: timed(TransactionCounts { commits: *done as u64, rollbacks: 0 }),
            wal: timed(WalCounts { bytes: (5e3 * done) as u64, ..WalCounts::default() }),
            ..Segment::default()
        };
        let interval = |(second, (done, took)): (usize, (&f64, &f64))| {
            let counts = DeviceCounts {
                reads: *done as u64,
                read_bytes: (8192.0 * done) as u64,
                read_ms: (done * took / 1e3) as u64,
                ..DeviceCounts::default()
            };
            DemandInterval { ended_us: end(second), seconds: 1.0, counts, ..DemandInterval::default() }
        };
        let (from_us, to_us) = (began_s * 1_000_000, end(seconds - 1));
        Run {
            label: format!("run at {began_s}"),
            from_us,
            to_us,
            environment: Environment::default(),
            note: None,
            reported: DriverReport::default(),
            steadiness: Steadiness {
                work: None,
                ramp_up: RampUp::Marked,
                trend: None,
                shortfall: None,
                checkpoint_cycles: None,
            },
            coverage: Coverage { window_s: seconds as f64, sampled_s: seconds as f64, ..Coverage::default() },
            volumes: None,
            used_bytes: None,
            demand: Demand {
                timed: true,
                averaged_s: 1.0,
                intervals: done.iter().zip(&took).enumerate().map(interval).collect(),
                ..Demand::default()
            },
            timeline: RunTimeline { from_us, to_us, segments: done.iter().enumerate().map(segment).collect() },
        }
    }
}

fn timed<C: ebs_base::counter::Counters>(counts: C) -> Timed<C> {
    Timed { counts, known_us: 1_000_000 }
}

/// A line of the table.
struct Case {
    name: &'static str,
    /// Runs a side, from and to.
    runs: (usize, usize),
    /// The noise between runs, and what is taken for it.
    noise: (f64, Option<f64>),
    rho: (f64, f64),
    ratio: f64,
}

#[derive(Default)]
struct Found {
    called: usize,
    others: usize,
    held: usize,
    width: f64,
}

fn is_call(row: &Row) -> bool {
    matches!(row.verdict, Some(Verdict::Better | Verdict::Worse | Verdict::Higher | Verdict::Lower))
}

impl Case {
    fn simulate(&self, pairs: usize) -> Found {
        let mut found = Found::default();
        let options = Options::new(None, self.noise.1).expect("legal options");
        for seed in 0..pairs as u64 {
            let mut draw = Draw(Pcg64::seed_from_u64(seed));
            let seconds = (60.0 * 20f64.powf(draw.uniform())) as usize;
            let rho = self.rho.0 + (self.rho.1 - self.rho.0) * draw.uniform();
            let runs = self.runs.0 + ((1 + self.runs.1 - self.runs.0) as f64 * draw.uniform()) as usize;
            let mut side = |ratio: f64, first: i64| -> Vec<Run> {
                (0..runs).map(|n| draw.run(seconds, rho, self.noise.0, ratio, first + 10_000 * n as i64)).collect()
            };
            let (a, b) = (side(1.0, 0), side(self.ratio, 5_000));
            let rows = compare(&a, &b, &options, &|| ());
            let primary = rows.iter().find(|row| row.metric == "transactions").expect("transactions");
            found.called += usize::from(is_call(primary));
            found.others += usize::from(rows.iter().any(|row| row.metric != "transactions" && is_call(row)));
            let (low, high) = (primary.ratio_low.unwrap_or(f64::NAN), primary.ratio_high.unwrap_or(f64::NAN));
            found.held += usize::from(low <= self.ratio && self.ratio <= high);
            found.width += (high / low).ln() / 2.0;
        }
        found
    }
}

fn main() {
    let pairs = std::env::args().nth(1).and_then(|pairs| pairs.parse().ok()).unwrap_or(1_000);
    let case = |name, runs, noise, rho, ratio| Case { name, runs, noise, rho, ratio };
    let (all, one, few) = ((0.0, 0.9), (1, 1), (3, 5));
    let cases = [
        case("one run a side, runs differ by 3.5 %", one, (0.035, None), all, 1.0),
        case("one run a side, runs do not differ", one, (0.0, None), all, 1.0),
        case("the same, noise_pct => 0", one, (0.0, Some(0.0)), all, 1.0),
        case("the same, rho 0 to 0.3", one, (0.0, Some(0.0)), (0.0, 0.3), 1.0),
        case("the same, rho 0.3 to 0.6", one, (0.0, Some(0.0)), (0.3, 0.6), 1.0),
        case("the same, rho 0.6 to 0.9", one, (0.0, Some(0.0)), (0.6, 0.9), 1.0),
        case("the same, rho 0.9", one, (0.0, Some(0.0)), (0.9, 0.9), 1.0),
        case("2 runs a side, runs differ by 3.5 %", (2, 2), (0.035, None), all, 1.0),
        case("3 to 5 runs a side, runs differ by 3.5 %", few, (0.035, None), all, 1.0),
        case("3 to 5 runs a side, runs differ by 10 %", few, (0.1, None), all, 1.0),
        case("3 to 5 runs a side, runs do not differ", few, (0.0, None), all, 1.0),
        case("one run a side, b does 1.2 times as much", one, (0.035, None), all, 1.2),
        case("3 to 5 runs a side, b does 1.2 times as much", few, (0.035, None), all, 1.2),
    ];
    println!("| {pairs} pairs each | called | another figure called | interval holds the ratio | half its width |");
    println!("|---|---|---|---|---|");
    for case in cases {
        let found = case.simulate(pairs);
        let pct = |count: usize| 100.0 * count as f64 / pairs as f64;
        println!(
            "| {} | {:.1} % | {:.1} % | {:.1} % | {:.1} % |",
            case.name,
            pct(found.called),
            pct(found.others),
            pct(found.held),
            100.0 * found.width / pairs as f64
        );
    }
}
