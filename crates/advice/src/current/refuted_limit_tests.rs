use super::*;
use ebs_aws::catalogue::VolumeType;
use ebs_prediction::saturation::detect_saturation;
use ebs_samples::evidence::DeviceCounts;
use ebs_workload::demand::{Demand, DemandInterval};
use ebs_workload::demand_summary::DemandSummary;

/// Ten minutes of 3,000 reads a second, each of which takes so many ms.
fn steady(read_ms: u64) -> Demand {
    let counts = DeviceCounts {
        reads: 3_000,
        read_bytes: 3_000 * 8_192,
        read_ms: 3_000 * read_ms / 10,
        weighted_ms: 3_000 * read_ms / 10,
        ..DeviceCounts::default()
    };
    let interval = DemandInterval { seconds: 1.0, counts, ..DemandInterval::default() };
    Demand { timed: true, averaged_s: 1.0, intervals: vec![interval; 600], ..Demand::default() }
}

/// gp3 with so many IOPS declared, and 125 MiB/s.
fn refuted(tenths_ms: u64, declared_iops: Option<f64>) -> Option<RefutedLimit> {
    let limits = declared_iops.map(|iops| {
        let limits = Limits { iops: Some(iops), bytes: Some(125.0 * 1_048_576.0) };
        (LimitOwner::Volume, limits)
    });
    let context = RunContext {
        limits: limits.into_iter().collect(),
        volume_type: Some(VolumeType::Gp3),
        is_ebs_ssd: true,
        ..RunContext::default()
    };
    let demand = steady(tenths_ms);
    RefutedLimit::find(
        &SaturationDetector::new(&demand, &DemandSummary::new(&demand)),
        &context,
        detect_saturation(&demand, &context).as_ref(),
        Platform::Ec2,
    )
}

/// 3,000 IOPS of 5 ms, fifteen in flight, are gp3's included limit and not the declared 12,000. Of 0.5 ms they are a demand.
#[test]
fn a_queue_at_a_lower_limit_refutes_the_declared_one() {
    let found = RefutedLimit { limited: LimitKind::Iops, level: 3_000.0, declared: 12_000.0, seconds_share: 1.0 };
    assert_eq!(refuted(50, Some(12_000.0)), Some(found));
    assert_eq!(refuted(5, Some(12_000.0)), None);
    assert_eq!([Some(3_000.0), Some(3_200.0), None].map(|declared| refuted(50, declared)), [None; 3]);
}

/// 3,000 IOPS of 5 ms in all seconds, of which a fifth read 26 MiB/s and no other rate is as even: the limit of IOPS is named, with its share of
/// the seconds.
#[test]
fn the_limit_with_most_of_the_seconds_is_named() {
    let mut demand = steady(50);
    for (second, interval) in demand.intervals.iter_mut().enumerate() {
        let bytes = if second % 5 == 0 { 9_216 } else { 4_096 + second as u64 * 8 };
        interval.counts.read_bytes = 3_000 * bytes;
        interval.counts.read_ms = interval.counts.read_ms * (8 + second as u64 % 4) / 10;
        interval.counts.weighted_ms = interval.counts.read_ms;
    }
    let limits = Limits { iops: Some(12_000.0), bytes: Some(500.0 * 1_048_576.0) };
    let context = RunContext {
        limits: vec![(LimitOwner::Volume, limits)],
        volume_type: Some(VolumeType::Gp3),
        is_ebs_ssd: true,
        ..RunContext::default()
    };
    let limit = detect_saturation(&demand, &context).unwrap();
    let summary = DemandSummary::new(&demand);
    let found =
        RefutedLimit::find(&SaturationDetector::new(&demand, &summary), &context, Some(&limit), Platform::Ec2).unwrap();
    assert_eq!((found.limited, found.level.round(), found.declared), (LimitKind::Iops, 3_000.0, 12_000.0));
    assert_eq!((limit.limited, found.seconds_share), (LimitKind::Iops, 1.0));
}
