use proptest::prelude::*;

use super::*;
use crate::predict::Limits;
use ebs_aws::catalogue::VolumeType;
use ebs_fixtures::limited_runs::{GeneratedRun, RunGenerator, SecondLoad};
use ebs_samples::evidence::Balance;
use ebs_samples::evidence::DeviceCounts;
use ebs_workload::demand::DemandInterval;

const SEEDS: u64 = 400;
const NONE: Vec<u64> = Vec::new();

fn found(demand: &Demand) -> Option<ReachedLimit> {
    detect_saturation(demand, &RunContext::default())
}

/// Seeds of the runs that are mistaken for limited ones.
fn mistaken(kind: impl Fn(&mut RunGenerator) -> Demand) -> Vec<u64> {
    (0..SEEDS).filter(|seed| found(&kind(&mut RunGenerator::new(*seed))).is_some()).collect()
}

#[test]
fn a_round_number_is_no_limit() {
    assert_eq!(mistaken(RunGenerator::round_number), NONE);
}

#[test]
fn a_fixed_rate_is_no_limit() {
    assert_eq!(mistaken(RunGenerator::fixed_rate), NONE);
}

#[test]
fn computing_is_no_limit() {
    assert_eq!(mistaken(RunGenerator::cpu_bound), NONE);
}

#[test]
fn one_session_that_waits_is_no_limit() {
    assert_eq!(mistaken(|maker| maker.sessions_that_wait(1.0)), NONE);
}

#[test]
fn a_slow_volume_is_no_full_one() {
    for sessions in [2.0, 4.0, 16.0, 64.0] {
        assert_eq!(mistaken(|maker| maker.sessions_that_wait(sessions)), NONE, "{sessions}");
    }
}

/// A latency that does not vary, as averages and rounded imports have it, is evidence at the 3,000 IOPS that gp3 includes; less and less beside
/// it, so that 1 % more changes what it explains by 5 % at most, and at half or twice as many none.
#[test]
fn a_level_that_volumes_are_sold_with_needs_no_varying_latency() {
    let explained = |requests: f64| {
        let demand = RunGenerator::new(0).demand(8192.0, (0..600).map(|_| SecondLoad { requests, latency_ms: 15.0 }));
        let included = Limits { iops: Some(3_000.0), bytes: None };
        let run = RunContext { published: vec![(VolumeType::Gp3, included)], ..RunContext::default() };
        detect_saturation(&demand, &run)
            .map_or((0.0, 1.0), |limit| (limit.weight, limit.latency_ratio().powf(limit.weight)))
    };
    let rates: Vec<f64> = (0..160).map(|step| (1_400.0 * 1.01f64.powi(step)).round()).collect();
    let all: Vec<f64> = rates.iter().map(|rate| explained(*rate).1).collect();
    assert!(all.windows(2).all(|pair| (pair[1] / pair[0]).ln().abs() < 0.05), "{all:?}");
    let weights = [1_400.0, 2_960.0, 3_000.0, 3_025.0, 6_800.0].map(|rate| explained(rate).0);
    assert_eq!(weights, [0.0, 1.0, 1.0, 1.0, 0.0]);
}

/// 30 ms each, as even as the rate: no SSD volume of EBS takes that by itself, hard disks and network file systems do.
#[test]
fn a_long_latency_shows_a_queue_on_ssd_volumes_alone() {
    let is_found = |is_ebs_ssd| {
        let load = SecondLoad { requests: 1_234.0, latency_ms: 30.0 };
        let demand = RunGenerator::new(0).demand(8192.0, (0..600).map(|_| load));
        let run = RunContext { is_ebs_ssd, closed_weight: Some(1.0), ..RunContext::default() };
        detect_saturation(&demand, &run).is_some()
    };
    assert_eq!([true, false].map(is_found), [true, false]);
}

#[test]
fn bursts_are_no_limit() {
    assert_eq!(mistaken(RunGenerator::bursts), NONE);
}

/// 5 ms a request, which no second below explains; with and without clients that set the pace, and with a quarter of a closed loop.
#[test]
fn clients_at_their_own_pace_explain_what_is_seen() {
    let seconds =
        (0..600).map(|second| SecondLoad { requests: 2_000.0, latency_ms: 5.0 + f64::from(second % 7) / 7.0 });
    let demand = RunGenerator::new(0).demand(8192.0, seconds);
    let with = |closed_weight| {
        let limit = detect_saturation(&demand, &RunContext { closed_weight, ..RunContext::default() })?;
        Some((limit.weight, limit.unmet_weight, limit.matches.first().unwrap().weight))
    };
    assert_eq!([None, Some(1.0)].map(with), [Some((1.0, 1.0, 1.0)); 2]);
    assert_eq!([Some(0.25), Some(0.0)].map(with), [Some((0.25, 0.25, 0.25)), None]);
}

/// Requests wait for CPUs as well, half of the time, for three times the volume's latency.
#[test]
fn busy_cpus_explain_what_is_seen() {
    let known = |busy| RunContext { utilization: Some(busy), closed_weight: Some(1.0), ..RunContext::default() };
    let mistaken = |busy: f64| {
        let runs = (0..SEEDS).filter(|seed| {
            let demand = RunGenerator::new(*seed).waiting_for_cpus();
            detect_saturation(&demand, &known(busy)).is_some()
        });
        runs.count() as f64 / SEEDS as f64
    };
    assert!(mistaken(0.95) <= 0.005, "{}", mistaken(0.95));
    let truth = RunGenerator::new(1).limited_sessions(500.0);
    assert!(detect_saturation(&truth.demand, &known(0.95)).is_some());
}

fn declared(iops: &[f64]) -> RunContext {
    let limits = iops.iter().map(|iops| (LimitOwner::Volume, Limits { iops: Some(*iops), bytes: None })).collect();
    RunContext { limits, volume_type: Some(VolumeType::Gp3), ..RunContext::default() }
}

/// At 97 % of what was declared, at 0.9 ms, and at 4 ms.
#[test]
fn a_declared_limit_that_is_reached_is_one_where_requests_wait() {
    let at = |latency_ms: f64, known: &RunContext| {
        let demand =
            RunGenerator::new(0).demand(8192.0, (0..600).map(|_| SecondLoad { requests: 2_910.0, latency_ms }));
        detect_saturation(&demand, known).map(|at| (at.source, at.level, at.seconds_share, at.in_flight.round()))
    };
    assert_eq!(at(0.9, &declared(&[3_000.0])), None);
    assert_eq!(at(4.0, &declared(&[3_000.0])), Some((LimitSource::Declared, 3_000.0, 1.0, 12.0)));
    assert_eq!(at(4.0, &declared(&[16_000.0])), None);
    // The lower of two, once credits are gone; and more than the limit is at it as well.
    assert_eq!(at(4.0, &declared(&[3_000.0, 12_000.0])), Some((LimitSource::Declared, 3_000.0, 1.0, 12.0)));
    assert_eq!(at(4.0, &declared(&[1_000.0])), Some((LimitSource::Declared, 1_000.0, 1.0, 12.0)));
    assert_eq!(at(4.0, &declared(&[1_000.0, 12_000.0])), None);
}

#[test]
fn without_times_nothing_is_known_of_queues() {
    let truth = RunGenerator::new(1).limited_sessions(500.0);
    assert!(found(&truth.demand).is_some());
    assert_eq!(found(&Demand { timed: false, ..truth.demand }), None);
}

/// Requests of 256 KiB at 125 MiB/s are 500 a second, both at once.
#[test]
fn bytes_have_limits_too() {
    let seconds = (0..600).map(|second| SecondLoad { requests: 500.0, latency_ms: 20.0 + f64::from(second % 7) });
    let demand = RunGenerator::new(0).demand(262_144.0, seconds);
    let limits = Limits { iops: Some(3_000.0), bytes: Some(131_072_000.0) };
    let bytes = RunContext { limits: vec![(LimitOwner::Volume, limits)], ..RunContext::default() };
    assert_eq!(detect_saturation(&demand, &bytes).map(|at| at.limited), Some(LimitKind::Throughput));
    assert!(found(&demand).is_some());
}

proptest! {
    #[test]
    fn whatever_is_found_is_there(
        seconds in prop::collection::vec((0u32..20_000, 0u32..50_000, 1u32..5_000), 0..120),
        (held, level, limit) in (0usize..120, 1u32..20_000, 0u32..20_000),
    ) {
        let free = seconds.iter().map(|(requests, us, _)| (*requests, *us));
        let all = free.chain((0..held).map(|second| (level, 20_000 + 100 * second as u32)));
        let had = all.map(|(requests, us)| SecondLoad { requests: f64::from(requests), latency_ms: f64::from(us) / 1e3 });
        let demand = RunGenerator::new(0).demand(8192.0, had);
        let known = if limit > 0 { declared(&[f64::from(limit)]) } else { RunContext::default() };
        if let Some(at) = detect_saturation(&demand, &known) {
            let share = demand.intervals.iter().filter(|one| at.holds(one)).map(|one| one.seconds).sum::<f64>()
                / demand.seconds();
            prop_assert!((share - at.seconds_share).abs() < 1e-9 && share > 0.0 && share <= 1.0);
            prop_assert!(at.requests_share > 0.0 && at.requests_share <= 1.0 + 1e-9);
            prop_assert!(at.latency_ratio() >= 1.0 && at.latency_ratio().is_finite() && at.in_flight.is_finite());
        }
    }
}

const RECORDED: &str = include_str!("../../testdata/limits.csv");

/// 40 s of pgbench (scale 50, PostgreSQL 18.6, two busy CPUs) on an emulated volume, each; S is select-only, T is TPC-B, the
/// number is that of its sessions.
fn recorded(name: &str) -> Demand {
    let mut reader = csv::Reader::from_reader(RECORDED.as_bytes());
    let rows = reader.records().map(Result::unwrap).filter(|row| &row[0] == name);
    let interval = |row: csv::StringRecord| {
        let count = |column: usize| row[column].parse().unwrap();
        let counts = DeviceCounts {
            reads: count(2),
            writes: count(3),
            read_bytes: count(4),
            write_bytes: count(5),
            read_ms: count(6),
            write_ms: count(7),
            busy_ms: count(8),
            weighted_ms: count(9),
            ..DeviceCounts::default()
        };
        DemandInterval { ended_us: 0, seconds: row[1].parse().unwrap(), counts, ..DemandInterval::default() }
    };
    let intervals: Vec<DemandInterval> = rows.map(interval).collect();
    assert_eq!(intervals.len(), 40);
    Demand { timed: true, averaged_s: 1.0, intervals, ..Demand::default() }
}

/// Limits of 500 to 3,000 IOPS and of 16 MiB/s; and of 1,000 IOPS under 600 transactions a second that clients ask for.
#[test]
fn recorded_limits_are_found() {
    let limits = [("S16cap500", 500.0), ("S16cap3000", 3e3), ("S4cap1000", 1e3), ("T16cap1000", 1e3), ("T16over", 1e3)];
    for (name, iops) in limits {
        let at = found(&recorded(name)).unwrap_or_else(|| panic!("{name}"));
        assert_eq!(at.limited, LimitKind::Iops, "{name}");
        assert!((at.level / iops - 1.0).abs() < 0.005 && at.seconds_share > 0.9, "{name} {at:?}");
    }
    let at = found(&recorded("S16mb16")).unwrap();
    assert!(at.limited == LimitKind::Throughput && (at.level / 16_777_216.0 - 1.0).abs() < 0.005, "{at:?}");
}

/// Runs without limits, bound by the CPUs, on volumes of 3 and 5 ms, at fixed rates; and one session under a limit of 500 IOPS, which
/// mostly waits for its own requests.
#[test]
fn recorded_runs_below_a_limit_are_not_taken_for_limited_ones() {
    for name in ["S16free", "S16slow", "T16slow", "S1slow", "S8rate1000", "T8rate300", "S1cap500"] {
        for closed_weight in [None, Some(1.0)] {
            let known = RunContext { closed_weight, ..RunContext::default() };
            assert_eq!(detect_saturation(&recorded(name), &known), None, "{name}");
        }
    }
}

/// Four sessions that reach 3,000 IOPS, some of the time: 2.4 ms a request are a slow volume's, unless it is declared or
/// known that no client sets the pace.
#[test]
fn of_a_short_queue_more_must_be_known() {
    let run = recorded("T4cap3000");
    let seen = RunContext { closed_weight: Some(1.0), ..RunContext::default() };
    assert!(detect_saturation(&run, &seen).is_some() && detect_saturation(&run, &declared(&[3_000.0])).is_some());
    assert_eq!(found(&run), None);
}

const CAPS: [f64; 6] = [500.0, 1_000.0, 3_000.0, 5_000.0, 10_000.0, 16_000.0];

/// Share of the runs that queue for 30 % of the time or more, and for twice the latency or more, in which that is found.
fn share_found(kind: impl Fn(&mut RunGenerator, f64) -> GeneratedRun) -> f64 {
    let (mut all, mut right) = (0, 0);
    for seed in 0..SEEDS {
        let mut maker = RunGenerator::new(seed);
        let cap = maker.one_of(CAPS);
        let truth = kind(&mut maker, cap);
        if truth.queued < 0.3 || truth.latency_ratio < 2.5 {
            continue;
        }
        all += 1;
        let at = found(&truth.demand);
        right += usize::from(at.is_some_and(|at| (at.level / cap - 1.0).abs() < 0.02));
    }
    assert!(all > 100, "{all}");
    right as f64 / all as f64
}

#[test]
fn sessions_at_a_limit_are_found() {
    let share = share_found(RunGenerator::limited_sessions);
    assert!(share >= 0.95, "{share}");
}

#[test]
fn arrivals_at_a_limit_are_found() {
    let share = share_found(RunGenerator::limited_arrivals);
    assert!(share >= 0.95, "{share}");
}

/// m6i.2xlarge sustains 12,000 IOPS, and has 40,000 for 30 minutes: 11,800 in 1,799 s are at the one only if the credits for the other were
/// spent before. Without such a maximum, or near the maximum, they need none.
#[test]
fn a_plateau_at_the_baseline_requires_spent_credits_in_less_than_half_an_hour() {
    let iops = |owner, iops: f64| (owner, Limits { iops: Some(iops), bytes: None });
    let instance = [iops(LimitOwner::Instance, 12_000.0), iops(LimitOwner::Instance, 40_000.0)];
    let is_required = |limits: &[(LimitOwner, Limits)], requests: f64, seconds: u32| {
        let load = |_| SecondLoad { requests, latency_ms: 12.0 };
        let demand = RunGenerator::new(0).demand(8192.0, (0..seconds).map(load));
        let run = RunContext { limits: limits.to_vec(), ..RunContext::default() };
        let limit = detect_saturation(&demand, &run).unwrap();
        assert_eq!(limit.is_sure(), !limit.requires_spent_credits());
        limit.requires_spent_credits()
    };
    assert_eq!([600, 1_790, 1_810].map(|seconds| is_required(&instance, 11_800.0, seconds)), [true, true, false]);
    assert!(is_required(&instance, 12_100.0, 600) && !is_required(&instance, 39_000.0, 600));
    assert!(!is_required(&instance[..1], 11_800.0, 600));
    assert!(!is_required(&[iops(LimitOwner::Volume, 12_000.0)], 11_800.0, 600));
}

/// The same plateau of 600 s with the balance of the credits for IOPS: spent, the baseline is sure; never below 60 %, it is not the limit; at 5 %
/// they may have been spent within a minute. The balance for throughput says nothing of IOPS.
#[test]
fn a_balance_of_credits_decides_whether_a_plateau_is_at_the_baseline() {
    let iops = |iops: f64| (LimitOwner::Instance, Limits { iops: Some(iops), bytes: None });
    let load = |_| SecondLoad { requests: 11_800.0, latency_ms: 12.0 };
    let demand = RunGenerator::new(0).demand(8192.0, (0..600).map(load));
    let found = |balances| {
        let run = RunContext { limits: vec![iops(12_000.0), iops(40_000.0)], balances, ..RunContext::default() };
        detect_saturation(&demand, &run).map(|limit| {
            let at_baseline = limit.named().any(|one| one.owner == LimitOwner::Instance);
            (at_baseline, limit.requires_spent_credits())
        })
    };
    let balance = |least_pct: f64, spent_s| Some(Balance { least_pct, known_s: 600.0, spent_s });
    assert_eq!(found([None; 2]), Some((true, true)));
    assert_eq!(found([balance(0.0, 60.0), None]), Some((true, false)));
    assert!(!found([balance(60.0, 0.0), None]).is_some_and(|(at_baseline, _)| at_baseline));
    assert_eq!(found([balance(5.0, 0.0), None]), Some((true, true)));
    assert_eq!(found([None, balance(60.0, 0.0)]), Some((true, true)));
}
