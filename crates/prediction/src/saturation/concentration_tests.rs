use super::*;
use crate::LimitOwner;
use crate::predict::Limits;
use crate::saturation::second::Seconds;
use crate::saturation::{LimitSource, ReachedLimit, RunContext, detect_saturation};
use ebs_aws::catalogue::{LimitKind, VolumeType};
use ebs_fixtures::limited_runs::{RunGenerator, SecondLoad};
use ebs_workload::demand::Demand;
use ebs_workload::demand_summary::DemandSummary;

fn demand(rates: impl IntoIterator<Item = f64>, latency_ms: f64, bytes: f64) -> Demand {
    let load = |requests| SecondLoad { requests, latency_ms };
    RunGenerator::new(0).demand(bytes, rates.into_iter().map(load))
}

fn degree(rates: impl IntoIterator<Item = f64>) -> f64 {
    (of_demand(&demand(rates, 0.5, 8_192.0)) * 100.0).round() / 100.0
}

fn of_demand(demand: &Demand) -> f64 {
    let summary = DemandSummary::new(demand);
    let seconds = Seconds { demand, by_rate: summary.rates(LimitKind::Iops) };
    concentration(seconds.within(band(3_000.0)), 3_000.0, demand.seconds())
}

/// 600 s, some of them at 3,000 and the others as given.
fn mixed(at_limit: usize, other: fn(usize) -> f64) -> impl Iterator<Item = f64> {
    (0..600).map(move |second| if second < at_limit { 3_000.0 } else { other(second) })
}

/// An even density has as much 1 to 2 % away; at a limit there is more, or up to 7 % above nominal is delivered for all of the time.
#[test]
fn the_excess_at_the_limit_counts() {
    assert_eq!(degree((0..600).map(|second| 2_700.0 + f64::from(second))), 0.0);
    assert_eq!(degree(mixed(600, |_| 0.0)), 1.0);
    // A volume that always delivers 7 % more, with and without a second at what it was sold with; and more than any delivers.
    assert_eq!([0, 1, 20, 600].map(|at_limit| degree(mixed(at_limit, |_| 3_212.0))), [1.0; 4]);
    assert_eq!(degree(mixed(0, |_| 3_300.0)), 0.0);
    // 95 % of the time, 90 %, and three of four seconds in one of the bands beside.
    assert_eq!(degree(mixed(570, |_| 1_000.0)), 1.0);
    assert_eq!(degree(mixed(570, |_| 2_955.0)), 1.0);
    assert_eq!(degree(mixed(540, |_| 2_955.0)), 0.89);
    assert_eq!(degree(mixed(150, |_| 2_955.0)), 0.0);
    // A tenth of the time, twice and four times that.
    assert_eq!([60, 120, 240].map(|at_limit| degree(mixed(at_limit, |_| 1_000.0))), [0.0, 0.5, 1.0]);
}

/// 100 s of 600 lie 1.5 % below the limit or above it, 300 at it: a limit cuts off above.
#[test]
fn seconds_above_the_limit_count_doubled() {
    let beside = |rate: f64| {
        let rates = (0..600).map(|second| [3_000.0, 3_000.0, 3_000.0, rate, 1_000.0, 1_000.0][second % 6]);
        degree(rates)
    };
    assert_eq!([2_955.0, 3_045.0].map(beside), [0.67, 0.33]);
}

/// Means of groups of seconds that differ by 5 %, as downsampling leaves them.
#[test]
fn groups_of_downsampled_seconds_show_no_concentration() {
    let grouped = |groups: usize| {
        let mut demand = demand((0..600).map(|_| 3_000.0), 0.5, 8_192.0);
        demand.intervals.iter_mut().take(groups).for_each(|interval| interval.is_grouped = true);
        of_demand(&demand)
    };
    assert_eq!([0, 600].map(grouped), [1.0, 0.0]);
}

/// 15,950 IOPS that arrive at random below a limit of 16,000, and 2,985 by a timer below 3,000: where clients set the pace that is no limit,
/// unless requests queue.
#[test]
fn a_fixed_rate_near_a_declared_limit_is_the_clients() {
    let mut random = RunGenerator::new(7);
    // Twelve uniform numbers have the deviation of one.
    let mut normal = || (0..12).map(|_| random.between(0.0, 1.0)).sum::<f64>() - 6.0;
    let arrivals: Vec<f64> = (0..600).map(|_| 15_950.0 + 15_950f64.sqrt() * normal()).collect();
    let is_found = |rates: &[f64], level: f64, latency_ms: f64, closed_weight: f64| {
        let run = RunContext {
            limits: vec![iops(LimitOwner::Volume, level)],
            volume_type: Some(VolumeType::Gp3),
            closed_weight: Some(closed_weight),
            ..RunContext::default()
        };
        detect_saturation(&demand(rates.iter().copied(), latency_ms, 8_192.0), &run).is_some()
    };
    let timed = [2_985.0; 600];
    assert!(!is_found(&arrivals, 16_000.0, 0.8, 0.0) && !is_found(&timed, 3_000.0, 0.8, 0.0));
    assert!(is_found(&arrivals, 16_000.0, 4.0, 0.0) && is_found(&timed, 3_000.0, 0.8, 1.0));
}

/// All seconds at a declared limit, without a queue and with one.
#[test]
fn seconds_at_a_limit_count_by_the_weight_of_the_closed_loop() {
    let weights = |latency_ms: f64, closed_weight: f64| {
        let run = RunContext {
            limits: vec![iops(LimitOwner::Volume, 3_000.0)],
            volume_type: Some(VolumeType::Gp3),
            closed_weight: Some(closed_weight),
            ..RunContext::default()
        };
        let limit = detect_saturation(&demand([3_000.0; 600], latency_ms, 8_192.0), &run);
        limit.map(|limit| (limit.weight, limit.matches.first().unwrap().weight))
    };
    assert_eq!([0.0, 0.25, 1.0].map(|closed| weights(0.8, closed)), [None, Some((0.25, 0.25)), Some((1.0, 1.0))]);
    assert_eq!([0.0, 0.25, 1.0].map(|closed| weights(4.0, closed)), [Some((1.0, 1.0)); 3]);
}

fn detect(rates: impl IntoIterator<Item = f64>, bytes: f64, limits: &[(LimitOwner, Limits)]) -> Option<ReachedLimit> {
    let run = RunContext { limits: limits.to_vec(), volume_type: Some(VolumeType::Io1), ..RunContext::default() };
    detect_saturation(&demand(rates, 0.5, bytes), &run)
}

fn iops(owner: LimitOwner, iops: f64) -> (LimitOwner, Limits) {
    (owner, Limits { iops: Some(iops), bytes: None })
}

/// io1 at 0.5 ms, which is its latency without a queue: nothing waits, but there is no more to be had. A degree that grows in even steps.
#[test]
fn a_declared_limit_in_nearly_all_seconds_needs_no_queue() {
    let weight = |at_limit: usize| {
        let limit =
            detect(mixed(at_limit, |second| 1_500.0 + second as f64), 8_192.0, &[iops(LimitOwner::Volume, 3_000.0)]);
        limit.map_or(0.0, |limit| {
            assert_eq!(limit.source, LimitSource::Declared);
            limit.matches.first().unwrap().weight
        })
    };
    let weights: Vec<f64> = (0..=600).step_by(6).map(weight).collect();
    assert!(weights[95] == 1.0 && weights[9] == 0.0, "{weights:?}");
    assert!(weights.windows(2).all(|pair| pair[1] >= pair[0] - 0.02 && pair[1] - pair[0] < 0.1), "{weights:?}");
}

/// The instance's limit is declared too; and where requests of 128 KiB reach 3,000 IOPS of the volume and 375 MiB/s of the instance at once,
/// both are named.
#[test]
fn limits_of_the_instance_and_two_at_once_are_named() {
    let named = |limit: ReachedLimit| limit.named().map(|one| (one.owner, one.limited)).collect::<Vec<_>>();
    let instance = detect(mixed(600, |_| 0.0), 8_192.0, &[iops(LimitOwner::Instance, 3_000.0)]).unwrap();
    assert_eq!((instance.owner, instance.delivered_share()), (LimitOwner::Instance, None));
    let both = [
        iops(LimitOwner::Volume, 3_000.0),
        (LimitOwner::Instance, Limits { iops: Some(20_000.0), bytes: Some(3_000.0 * 131_072.0) }),
    ];
    let both = detect(mixed(600, |_| 0.0), 131_072.0, &both).unwrap();
    assert_eq!(named(both), [(LimitOwner::Instance, LimitKind::Throughput), (LimitOwner::Volume, LimitKind::Iops)]);
    assert!(!both.is_match_sure() && both.delivered_share().is_none());
}

/// 4 % more than nominal, and 10 % less, with a queue; without a plateau nothing tells.
#[test]
fn a_volume_delivers_a_share_of_its_limit() {
    let share = |rates: &dyn Fn(usize) -> f64| {
        let run = RunContext {
            limits: vec![iops(LimitOwner::Volume, 3_000.0)],
            volume_type: Some(VolumeType::Gp3),
            ..RunContext::default()
        };
        let limit = detect_saturation(&demand((0..600).map(rates), 8.0, 8_192.0), &run)?;
        limit.delivered_share().map(|share| (share * 100.0).round())
    };
    assert_eq!(share(&|_| 3_120.0), Some(104.0));
    assert_eq!(share(&|_| 2_760.0), Some(92.0));
    assert_eq!(share(&|_| 3_000.0), Some(100.0));
    assert_eq!(share(&|second| 2_750.0 + second as f64), None);
}
