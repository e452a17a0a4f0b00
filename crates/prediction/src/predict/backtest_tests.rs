//! Back-test: 58 runs on emulated volumes, each predicted from each other run of its workload.
//!
//! The runs were recorded once (pgbench, PostgreSQL 18.6, two CPUs; latencies of 0.35 to 1.7 ms, limits of 500 IOPS to none;
//! 1, 4 and 16 sessions) and have every input of the model but the time on CPU: that is what the other stations leave.

// Prints the errors of the predictions, with --nocapture.
#![allow(clippy::disallowed_macros)]

use super::processor::residence_factor;
use super::*;

const RUNS: &str = include_str!("../../testdata/emulated-runs.csv");
const CPUS: f64 = 2.0;
/// Latency that the emulator added to each request, seconds: measured with one session.
const OVERHEAD_S: f64 = 0.09e-3;

struct Run {
    workload: String,
    observed: Observed,
    nominal: (f64, f64),
    limits: Limits,
}

fn runs() -> Vec<Run> {
    let mut reader = csv::Reader::from_reader(RUNS.as_bytes());
    let headers = reader.headers().unwrap().clone();
    reader
        .records()
        .map(|record| {
            let record = record.unwrap();
            let text = |name: &str| &record[headers.iter().position(|header| header == name).unwrap()];
            run(text("workload"), &|name| text(name).parse().unwrap())
        })
        .collect()
}

fn run(workload: &str, of: &dyn Fn(&str) -> f64) -> Run {
    let limit = |name: &str| Some(of(name)).filter(|limit| *limit > 0.0);
    let limits = Limits { iops: limit("cap_iops"), bytes: limit("cap_bytes_per_s") };
    let near = |limit: Option<f64>, value: f64| limit.is_some_and(|limit| value > 0.95 * limit);
    let limited = match (near(limits.iops, of("device_iops")), near(limits.bytes, of("device_bytes_per_s"))) {
        (true, _) => Some(LimitKind::Iops),
        (_, true) => Some(LimitKind::Throughput),
        _ => None,
    };
    let (sessions, tps, response_s) = (of("clients"), of("tps"), of("response_s"));
    let writes = of("flushing_commits_per_tx") > 0.5;
    let only = |value: f64| if writes { value } else { 0.0 };
    let read_s = of("read_stall_s_per_tx");
    let (flushes, flush_s) = (only(of("wal_flushes_per_tx")), only(of("wal_flush_s")));
    let (visits, lock_s) = (only(1.0), of("sampled_lock_wait_s_per_tx"));
    let commit_s = commit::commits(tps, visits, sessions, flush_s).wait_s;
    let (path_s, machine_s) = (of("cpu_postgres_s_per_tx") + of("cpu_driver_s_per_tx"), of("cpu_all_s_per_tx"));
    let group = if flushes > 0.0 { visits / flushes } else { 1.0 };
    let computing_s = path_s * residence_factor(tps * machine_s / CPUS, sessions, CPUS, group);
    let rest_s = response_s - read_s - commit_s - lock_s;
    let pages =
        of("client_page_writes_per_tx") + of("bgwriter_page_writes_per_tx") + of("checkpointer_page_writes_per_tx");
    let pages = pages.max(of("full_page_images_per_tx"));
    let written = (of("device_writes_per_tx") - flushes).max(0.0);
    let observed = Observed {
        sessions,
        tps,
        counted: true,
        client_s: 0.0,
        // At a limit the rest is a small difference of large figures.
        cpu: Station { visits: 1.0, seconds: if limited.is_some() { computing_s } else { rest_s.max(path_s / 2.0) } },
        machine_cpu_s: Some(machine_s),
        others_cpu_s: (machine_s - path_s).max(0.0),
        cpus: Some(CPUS),
        read: Station { visits: (read_s / of("read_await_s")).min(of("pg_reads_per_tx")), seconds: read_s },
        commit: Station { visits, seconds: commit_s },
        flushes,
        flush_s,
        lock_s,
        elsewhere_s: 0.0,
        device_reads: of("device_reads_per_tx"),
        read_bytes: of("bytes_per_read"),
        read_await_s: of("read_await_s"),
        write_await_s: of("write_await_s"),
        device_writes: of("device_writes_per_tx"),
        page_writes: pages,
        page_writes_low: written.min(pages),
        page_writes_high: pages,
        page_bytes: 1.25 * 8192.0,
        wal_bytes: of("wal_bytes_per_tx"),
        limited,
    };
    Run { workload: workload.to_owned(), observed, nominal: (of("nominal_read_s"), of("nominal_write_s")), limits }
}

impl Run {
    fn target(&self) -> Target {
        Target {
            read: Latency::known(self.nominal.0 + OVERHEAD_S),
            write: Latency::known(self.nominal.1 + OVERHEAD_S),
            source: Source::Given,
            volume: self.limits,
            instance: Limits::default(),
            sessions: Some(self.observed.sessions),
            added_s: 0.0,
        }
    }
}

#[derive(Default)]
struct Errors {
    errors: Vec<f64>,
    covered: usize,
    widths: Vec<f64>,
}

impl Errors {
    fn mean_pct(&self) -> f64 {
        100.0 * self.errors.iter().map(|error| error.abs()).sum::<f64>() / self.errors.len() as f64
    }
    fn bias_pct(&self) -> f64 {
        100.0 * self.errors.iter().sum::<f64>() / self.errors.len() as f64
    }
    fn worst_pct(&self) -> f64 {
        100.0 * self.errors.iter().fold(0.0_f64, |worst, error| worst.max(error.abs()))
    }
    fn covered_pct(&self) -> f64 {
        100.0 * self.covered as f64 / self.errors.len() as f64
    }
    fn median_width_pct(&self) -> f64 {
        let mut widths = self.widths.clone();
        widths.sort_by(f64::total_cmp);
        100.0 * widths[widths.len() / 2]
    }
}

/// Every prediction of one run from another of its workload, of a kind.
fn errors(runs: &[Run], of: impl Fn(&Run, &Run) -> bool) -> Errors {
    let mut found = Errors::default();
    for (i, from) in runs.iter().enumerate() {
        for (j, to) in runs.iter().enumerate() {
            let same_setting = from.observed.sessions == to.observed.sessions
                && from.nominal == to.nominal
                && from.limits == to.limits;
            if i == j || from.workload != to.workload || same_setting || !of(from, to) {
                continue;
            }
            let predicted = predict(&from.observed, &to.target());
            let truth = to.observed.tps;
            found.errors.push(predicted.tps.middle / truth - 1.0);
            found.covered += usize::from(predicted.tps.low <= truth && truth <= predicted.tps.high);
            found.widths.push((predicted.tps.high - predicted.tps.low) / 2.0 / predicted.tps.middle);
        }
    }
    found
}

/// A kind of pair, and what is asked of its predictions: mean and worst error, coverage, median half width, per cent.
type Kind<'a> = (&'a str, &'a dyn Fn(&Run, &Run) -> bool, [f64; 4]);

fn free(run: &Run) -> bool {
    run.observed.limited.is_none()
}

fn same(from: &Run, to: &Run) -> bool {
    from.observed.sessions == to.observed.sessions
}

/// The errors as they were when this was written, and a little room: whatever makes them worse has to be looked at. What is
/// behind the worst is what the runs themselves differ by, in reads and in page writes per transaction: with those of the run
/// that is predicted, the mean is 5 %.
#[test]
fn recorded_runs_predict_each_other() {
    let runs = runs();
    let kinds: [Kind; 8] = [
        ("same sessions", &same, [10.0, 45.0, 88.0, 25.0]),
        ("other sessions", &|from, to| !same(from, to), [10.5, 50.0, 88.0, 25.0]),
        ("limit lifted", &|from, to| same(from, to) && !free(from) && free(to), [10.5, 45.0, 88.0, 30.0]),
        ("no limit", &|from, to| same(from, to) && free(from) && free(to), [8.5, 40.0, 88.0, 25.0]),
        ("S", &|from, _| from.workload == "S", [10.5, 45.0, 88.0, 25.0]),
        ("TPCB", &|from, _| from.workload == "TPCB", [10.5, 50.0, 88.0, 25.0]),
        ("N", &|from, _| from.workload == "N", [10.5, 40.0, 80.0, 25.0]),
        ("MIX", &|from, _| from.workload == "MIX", [11.5, 40.0, 88.0, 25.0]),
    ];
    for (name, kind, [mean, worst, covered, width]) in kinds {
        let found = errors(&runs, kind);
        println!(
            "{name:16} {:4} pairs: mean {:.1} % bias {:+.1} % worst {:.0} % covered {:.0} % median width {:.0} %",
            found.errors.len(),
            found.mean_pct(),
            found.bias_pct(),
            found.worst_pct(),
            found.covered_pct(),
            found.median_width_pct()
        );
        assert!(found.mean_pct() <= mean && found.worst_pct() <= worst, "{name}");
        assert!(found.covered_pct() >= covered && found.median_width_pct() <= width, "{name}");
    }
}

/// Limiting factor of a run, from its measurements.
fn measured(run: &Run) -> LimitingFactor {
    match run.observed.limited {
        Some(LimitKind::Iops) => LimitingFactor::VolumeIops,
        Some(LimitKind::Throughput) => LimitingFactor::VolumeThroughput,
        None if run.observed.utilization().is_some_and(|busy| busy > 0.7) => LimitingFactor::Cpu,
        None => LimitingFactor::Latency,
    }
}

#[test]
fn what_holds_back_is_named() {
    let runs = runs();
    let (mut right, mut all) = (0, 0);
    for (i, from) in runs.iter().enumerate() {
        for (_, to) in runs.iter().enumerate().filter(|(j, to)| *j != i && to.workload == from.workload) {
            all += 1;
            right += usize::from(predict(&from.observed, &to.target()).bound_by == measured(to));
        }
    }
    println!("{right} of {all}");
    assert!(f64::from(right as u32) >= 0.95 * f64::from(all as u32), "{right} of {all}");
}
