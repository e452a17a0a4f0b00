use super::*;
use ebs_base::units::MIB;
use ebs_samples::evidence::DeviceCounts;
use ebs_workload::demand::DemandInterval;

/// 200 s, of which `others` are idle.
fn demand(requests: u64, bytes: u64, others: usize, timed: bool) -> Demand {
    let interval = |second: usize| {
        let reads = if second < others { 1 } else { requests };
        let counts = DeviceCounts { reads, read_bytes: reads * bytes, ..DeviceCounts::default() };
        DemandInterval { ended_us: 0, seconds: 1.0, counts, ..DemandInterval::default() }
    };
    Demand { timed, averaged_s: 1.0, intervals: (0..200).map(interval).collect(), ..Demand::default() }
}

fn flat_rate(demand: &Demand, run: &RunContext) -> Option<FlatRate> {
    detect_flat_rate(demand, &DemandSummary::new(demand), run)
}

fn gp3() -> RunContext {
    let limits = Limits { iops: Some(3_000.0), bytes: Some(125.0 * MIB as f64) };
    RunContext { published: vec![(VolumeType::Gp3, limits)], ..RunContext::default() }
}

/// 1 % of 3,000 are 30.
#[test]
fn a_flat_rate_at_a_limit_may_be_the_limit() {
    let level = |requests| flat_rate(&demand(requests, 8_192, 0, false), &gp3()).map(|flat| flat.level);
    let levels = [2_969, 2_970, 3_000, 3_030, 3_031].map(level);
    assert_eq!(levels, [2_969.0, 3e3, 3e3, 3e3, 3_031.0].map(Some));
}

/// 10 of 200 seconds are a twentieth.
#[test]
fn most_seconds_must_be_flat() {
    let share = |others| flat_rate(&demand(3_000, 8_192, others, false), &gp3()).map(|flat| flat.seconds_share);
    assert_eq!([9, 10, 11].map(share), [Some(0.955), Some(0.95), None]);
}

#[test]
fn latencies_tell_a_limit_from_demand() {
    assert_eq!(flat_rate(&demand(3_000, 8_192, 0, true), &gp3()), None);
}

#[test]
fn a_known_limit_counts_before_a_published_one() {
    let limits = Limits { iops: Some(3_000.0), bytes: None };
    let known = RunContext { limits: vec![(LimitOwner::Instance, limits)], ..gp3() };
    let flat = flat_rate(&demand(3_000, 8_192, 0, false), &known).unwrap();
    assert_eq!(flat.source, LevelSource::Known(LimitOwner::Instance));
}

/// Evidence of these rates, one an interval of so many seconds, of 8 KiB each.
fn rates(rates: &[u64], seconds: u64) -> Demand {
    let interval = |reads: &u64| {
        let reads = reads * seconds;
        let counts = DeviceCounts { reads, read_bytes: reads * 8_192, ..DeviceCounts::default() };
        DemandInterval { ended_us: 0, seconds: seconds as f64, counts, ..DemandInterval::default() }
    };
    Demand { averaged_s: seconds as f64, intervals: rates.iter().map(interval).collect(), ..Demand::default() }
}

/// A provisioned volume of 6,000 IOPS: its level is no published one. 1 % of it is 60; 19 of 20 intervals are 95 %.
#[test]
fn any_level_may_be_a_limit() {
    let level = |each: &[u64]| flat_rate(&rates(each, 60), &gp3()).map(|flat| (flat.level, flat.source));
    let flat = Some((6_000.0, LevelSource::Unknown));
    assert_eq!(level(&[6_000; 20]), flat);
    assert_eq!(level(&[[6_000; 19].as_slice(), &[900]].concat()), flat);
    assert_eq!(level(&[[6_000; 18].as_slice(), &[900; 2]].concat()), None);
    assert_eq!(level(&[[6_000; 18].as_slice(), &[5_940, 6_060]].concat()), flat);
    assert_eq!(level(&[[6_000; 18].as_slice(), &[5_939, 6_061]].concat()), None);
    // What is declared has no other limit.
    let declared = Limits { iops: Some(8_000.0), bytes: None };
    let run = RunContext { limits: vec![(LimitOwner::Volume, declared)], ..RunContext::default() };
    assert_eq!(flat_rate(&rates(&[6_000; 20], 60), &run), None);
}

/// Nine averages of an hour may be equal by chance. No volume has fewer than 100 IOPS.
#[test]
fn few_averages_and_little_demand_are_no_limit() {
    let is_flat = |each: &[u64]| flat_rate(&rates(each, 3_600), &gp3()).is_some();
    assert_eq!([is_flat(&[6_000; 9]), is_flat(&[6_000; 10])], [false, true]);
    assert_eq!([is_flat(&[99; 20]), is_flat(&[100; 20]), is_flat(&[0; 20])], [false, true, false]);
}

/// 125 MiB/s are 4,000 requests of 32 KiB. The bytes are flat at a published limit, and the requests at none: the limit counts.
#[test]
fn a_published_limit_counts_before_any_level() {
    let flat = flat_rate(&demand(4_000, 32_768, 0, false), &gp3()).unwrap();
    assert_eq!((flat.limited, flat.source), (LimitKind::Throughput, LevelSource::Published(VolumeType::Gp3)));
}
