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

fn gp3() -> RunContext {
    let limits = Limits { iops: Some(3_000.0), bytes: Some(125.0 * MIB as f64) };
    RunContext { published: vec![(VolumeType::Gp3, limits)], ..RunContext::default() }
}

/// 1 % of 3,000 are 30.
#[test]
fn a_flat_rate_at_a_limit_may_be_the_limit() {
    let level = |requests| detect_flat_rate(&demand(requests, 8_192, 0, false), &gp3()).map(|flat| flat.level);
    assert_eq!([2_969, 2_970, 3_000, 3_030, 3_031].map(level), [None, Some(3e3), Some(3e3), Some(3e3), None]);
    // Of 32 KiB, 125 MiB/s are 4,000 requests.
    let bytes = detect_flat_rate(&demand(4_000, 32_768, 0, false), &gp3()).unwrap();
    assert_eq!((bytes.limited, bytes.source), (LimitKind::Throughput, LevelSource::Published(VolumeType::Gp3)));
    assert_eq!(level(1_500), None);
}

/// 10 of 200 seconds are a twentieth.
#[test]
fn most_seconds_must_be_flat() {
    let share = |others| detect_flat_rate(&demand(3_000, 8_192, others, false), &gp3()).map(|flat| flat.seconds_share);
    assert_eq!([9, 10, 11].map(share), [Some(0.955), Some(0.95), None]);
}

#[test]
fn latencies_tell_a_limit_from_demand() {
    assert_eq!(detect_flat_rate(&demand(3_000, 8_192, 0, true), &gp3()), None);
}

#[test]
fn a_known_limit_counts_before_a_published_one() {
    let limits = Limits { iops: Some(3_000.0), bytes: None };
    let known = RunContext { limits: vec![(LimitOwner::Instance, limits)], ..gp3() };
    let flat = detect_flat_rate(&demand(3_000, 8_192, 0, false), &known).unwrap();
    assert_eq!(flat.source, LevelSource::Known(LimitOwner::Instance));
}
