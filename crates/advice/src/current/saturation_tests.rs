// Prints the errors of the estimates, with --nocapture.
#![allow(clippy::disallowed_macros)]

use super::*;
use crate::current::limits::limits_context;
use ebs_aws::catalogue::Platform;
use ebs_fixtures::limited_runs::{GeneratedRun, RunGenerator, SecondLoad};
use ebs_fixtures::windows::window;
use ebs_prediction::saturation::detect_saturation;
use ebs_workload::declarations::Declarations;

/// Sessions as the run made up has them: each computes, then waits for its request.
fn sessions(truth: &GeneratedRun) -> [(&'static str, &'static str, f64); 2] {
    let total = truth.demand.total();
    let each = |of: f64| of / truth.demand.seconds();
    let cpu = each(truth.cpu_s * (total.reads + total.writes) as f64);
    [("CPU*", "CPU*", cpu), ("IO", "DataFileRead", each((total.read_ms + total.write_ms) as f64 / 1e3))]
}

fn saturation(window: &Window, instance: Option<Ceiling>) -> Option<Saturation> {
    let demand = Demand::from_window(window, 0);
    let context =
        limits_context(window, (&[0], &DemandSummary::new(&demand)), &Declarations::default(), (Platform::Ec2, None));
    let limit = detect_saturation(&demand, &context)?;
    Some(Saturation::new(window, &[0], (&demand, &DemandSummary::new(&demand)), limit, (None, instance)))
}

fn requests(demand: &Demand) -> f64 {
    let total = demand.total();
    (total.reads + total.writes) as f64
}

/// Sessions come and go, so that seconds below the limit show the latency; what they would have asked for is known.
#[test]
fn what_was_asked_is_found_behind_the_limit() {
    let (mut errors, mut covered) = (Vec::new(), 0);
    for seed in 0..500 {
        let mut maker = RunGenerator::new(seed);
        let cap = maker.one_of([500.0, 3_000.0, 16_000.0]);
        let truth = maker.limited_sessions(cap);
        let seen = window(&truth.demand, &sessions(&truth), None);
        let Some(found) = saturation(&seen, None).filter(|found| found.limit.unqueued.measured_weight() >= 1.0) else {
            continue;
        };
        let unmet_demand = found.unmet_demand.unwrap();
        let (was, asked) = (requests(&truth.demand), requests(&found.scale(&truth.demand)));
        errors.push((asked / truth.wanted - 1.0).abs());
        let at = |factor: f64| was * (1.0 + found.limit.requests_share * (factor - 1.0));
        covered +=
            usize::from(at(unmet_demand.factor.low) <= truth.wanted && truth.wanted <= at(unmet_demand.factor.high));
    }
    errors.sort_by(f64::total_cmp);
    let (count, median, most) = (errors.len(), errors[errors.len() / 2], errors[errors.len() * 9 / 10]);
    println!("{count} runs, median error {median:.3}, nine in ten below {most:.3}, covered {covered}");
    assert!(count > 30 && median < 0.02 && most < 0.1, "{count} {median} {most}");
    assert!(covered * 10 >= count * 9, "{covered} of {count}");
}

fn full(waits: &[(&str, &str, f64)]) -> Window {
    let had = |second: u32| SecondLoad { requests: 500.0, latency_ms: 30.0 + f64::from(second % 9) / 3.0 };
    window(&RunGenerator::new(0).demand(8192.0, (0..600).map(had)), waits, None)
}

const READERS: [(&str, &str, f64); 2] = [("CPU*", "CPU*", 0.5), ("IO", "DataFileRead", 15.5)];

/// 16 sessions, of which each computes 1 ms for each of 500 requests a second: with gp3's 0.91 ms instead of 31 they ask for
/// 16 / 1.91 ms, 8,377.
#[test]
fn without_seconds_below_the_published_latency_says_what_is_behind() {
    let found = saturation(&full(&READERS), None).unwrap();
    let unmet_demand = found.unmet_demand.unwrap();
    assert_eq!((unmet_demand.published, unmet_demand.closed), (Some(VolumeType::Gp3), true));
    assert_eq!((found.limit.limited, found.limit.level.round()), (LimitKind::Iops, 500.0));
    let factor = unmet_demand.factor;
    assert!((factor.middle / (8_377.0 / 500.0) - 1.0).abs() < 0.15, "{factor:?}");
    assert!(factor.low > 0.5 * factor.middle && factor.high < 2.5 * factor.middle, "{factor:?}");
}

#[test]
fn sessions_ask_for_no_more_than_the_instance_carries() {
    let seen = full(&READERS);
    let demand = Demand::from_window(&seen, 0);
    let most = |iops: f64| {
        let found = saturation(&seen, Some(Ceiling { iops, mibps: 1e6 })).unwrap();
        found.scale(&demand).intervals.iter().map(DemandInterval::iops).fold(0.0, f64::max).round()
    };
    // Whole requests, over a second that a clock made a little shorter.
    assert!((most(3_600.0) - 3_600.0).abs() <= 2.0);
    // The instance's own limit is no room to grow into, but what is short.
    assert!(most(510.0) > 5_000.0);
}

#[test]
fn without_waits_as_much_as_was_seen_was_asked_at_least() {
    let seen = full(&[]);
    let demand = Demand::from_window(&seen, 0);
    let found = saturation(&seen, None).unwrap();
    assert_eq!((found.unmet_demand, found.has_unmet_demand()), (Err(MissingInput::Waits), false));
    assert_eq!(found.scale(&demand), demand);
}

/// Half of their time they wait for their clients: who says that the volume is slow by itself may be right.
#[test]
fn clients_at_their_own_pace_leave_doubts() {
    let waits = [("IO", "DataFileRead", 15.5), ("Client", "ClientRead", 40.0)];
    assert_eq!(saturation(&full(&waits), None), None);
}
