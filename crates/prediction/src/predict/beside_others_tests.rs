//! Runs beside programs that compute all the time.
//!
//! Recorded on two CPUs (pgbench, TPC-B, 8 clients, PostgreSQL 18, an emulated volume of 0.35 ms), with no, one or two busy loops, while compilers
//! ran at a lower priority, so that the CPUs were 98 % busy in each. All other programs' time but the kernel's is `cpu_driver_s_per_tx`.

use super::backtest_tests::{LIKELY, Unrecorded, recorded_in, sampled};
use super::predict_tests::on;
use super::*;
use crate::BindingLimit;
use ebs_aws::catalogue::LimitKind;
use ebs_samples::evidence::{RunDelayCounts, Timed};
use ebs_workload::demand_summary::DemandSummary;

const RUNS: &str = include_str!("../../testdata/beside-loops.csv");

struct Run {
    loops: f64,
    cap_iops: f64,
    observed: Observed,
}

fn runs() -> Vec<Run> {
    recorded_in(RUNS, |text| {
        let column = |name: &str| text(name).parse().unwrap();
        Run { loops: column("loops"), cap_iops: column("cap_iops"), observed: observed(&column) }
    })
}

fn observed(column: &dyn Fn(&str) -> f64) -> Observed {
    let waits = ["sampled_read_wait_s_per_tx", "sampled_wal_wait_s_per_tx", "sampled_lock_wait_s_per_tx"].map(column);
    let rest_s = column("response_s") - waits.iter().sum::<f64>();
    let client_read = column("sampled_client_wait_s_per_tx") / rest_s;
    let (mut window, demand) = sampled(Unrecorded { client_read, ..LIKELY }, column);
    let us = |name: &str| (1e6 * column(name) * column("tps") * column("window_s")) as u64;
    let totals = &mut window.totals;
    totals.processor.counts.client_us = us("cpu_clients_s_per_tx");
    let counts = RunDelayCounts { run_delay_us: us("run_delay_s_per_tx") };
    totals.run_delay = Timed { counts, known_us: totals.processor.known_us };
    let requests = column("device_reads_per_tx") + column("device_writes_per_tx");
    let is_limited = column("tps") * requests > 0.95 * column("cap_iops") && column("cap_iops") > 0.0;
    let limited = is_limited.then_some(LimitKind::Iops);
    Observed::from_window(&window, &DemandSummary::new(&demand), Parts { data: true, wal: true }, limited).unwrap()
}

/// The volume without a limit, with the latencies of that run.
fn like(run: &Observed) -> Target {
    on(run.read_await_s, run.write_await_s, None)
}

/// 2,281 transactions a second without a limit and without loops, from 287 to 475 beside them. Before, other programs' CPU time was the
/// clients' or unavailable: 254 to 471, and 544 at most.
#[test]
fn what_others_compute_does_not_hide_what_a_limit_cut_off() {
    let runs = runs();
    let quiet = runs.iter().find(|run| run.cap_iops == 0.0 && run.loops == 0.0).unwrap().observed;
    let truncated: Vec<&Run> = runs.iter().filter(|run| run.cap_iops > 0.0).collect();
    assert_eq!(truncated.len(), 5);
    for run in truncated {
        let found = predict(&run.observed, &like(&quiet));
        let told = (run.loops, run.cap_iops, found.tps, found.bound_by, found.also_bound_by);
        assert!(found.tps.low <= quiet.tps && quiet.tps <= found.tps.high, "{told:?}");
        assert!(found.tps.middle > 1.8 * run.observed.tps, "{told:?}");
        let words = [Some(found.bound_by), found.also_bound_by];
        assert!(words.contains(&Some(BindingLimit::Cpu)) && words.contains(&Some(BindingLimit::Latency)), "{told:?}");
    }
}

/// CPU time of pgbench and of the emulator, for each transaction (`make validate` counts both).
const DRIVER_S: f64 = 0.3e-3;

/// Runs of the table, of which other programs computed so much of what they did, and kept sessions waiting for CPUs by so much.
fn runs_beside(share: f64) -> Vec<Observed> {
    recorded_in(RUNS, |text| {
        let column = |name: &str| -> f64 { text(name).parse().unwrap() };
        let less_s = (1.0 - share) * (column("cpu_driver_s_per_tx") - DRIVER_S);
        observed(&|name| match name {
            "cpu_driver_s_per_tx" | "cpu_all_s_per_tx" => column(name) - less_s,
            "run_delay_s_per_tx" => share * column(name),
            _ => column(name),
        })
    })
}

/// One per cent more of what other programs compute, from 1 % of it to all: 463 steps, each of which changes no figure by more than 5 %.
#[test]
fn other_programs_are_no_step() {
    let target = like(&runs().last().unwrap().observed);
    let figures = |run: &Observed| {
        let tps = predict(run, &target).tps;
        [tps.low, tps.middle, tps.high]
    };
    let at = |step: i32| runs_beside(1.01_f64.powi(step)).iter().flat_map(figures).collect::<Vec<f64>>();
    let mut before = at(-463);
    for step in -462..=0 {
        let now = at(step);
        for (before, now) in before.iter().zip(&now) {
            assert!((now / before).ln().abs() < 0.05, "{step}: {before} {now}");
        }
        before = now;
    }
}
