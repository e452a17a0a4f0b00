use super::*;

/// Weight of a queue on a volume of 6,000 IOPS: minutes of 600 requests a second of so many tenths of a ms, and every tenth of 3,000, which take
/// so many.
fn queue(others: u64, busy: u64, volume_type: Option<VolumeType>) -> f64 {
    let interval = |minute: u64| {
        let (iops, tenths_ms) = if minute.is_multiple_of(10) { (3_000, busy) } else { (600, others) };
        let reads = 60 * iops;
        let (read_bytes, read_ms) = (reads * 8_192, reads * tenths_ms / 10);
        let counts = DeviceCounts { reads, read_bytes, read_ms, ..DeviceCounts::default() };
        DemandInterval { seconds: 60.0, counts, ..DemandInterval::default() }
    };
    let intervals = (0..100).map(interval).collect();
    let demand = Demand { timed: true, averaged_s: 60.0, intervals, ..Demand::default() };
    let limits = (Some(Ceiling { iops: 6_000.0, mibps: 125.0 }), volume_type);
    let of = |demand: &Demand, limited| DemandBounds::new(demand, &CheckedLimits::default(), limits, limited).queue;
    assert_eq!([of(&Demand { timed: false, ..demand.clone() }, 0.0), of(&demand, 1.0)], [1.0; 2]);
    of(&demand, 0.0)
}

#[test]
fn requests_queue_from_half_as_long_again_to_twice_as_long() {
    let measured = [10, 15, 20, 50].map(|busy| queue(10, busy, None));
    assert_eq!(measured, [0.0, 0.0, 1.0, 1.0]);
    assert!((queue(10, 17, None) - 0.4).abs() < 0.01, "{}", queue(10, 17, None));
    // Bursts that come in every minute queue in each: gp3 takes less than a millisecond.
    assert_eq!(
        [queue(30, 30, None), queue(30, 30, Some(VolumeType::Gp3)), queue(8, 8, Some(VolumeType::Gp3))],
        [0.0, 1.0, 0.0]
    );
}

#[test]
fn an_upper_end_is_bound_by_the_limit_as_far_as_nothing_queued() {
    let volumes = Some(Ceiling { iops: 6_000.0, mibps: 125.0 });
    let high = |queue, upper, greatest| {
        DemandBounds { volumes, queue, ..DemandBounds::default() }.bound(LimitKind::Iops, upper, greatest)
    };
    assert_eq!([high(0.0, 11_335.0, 4_000.0), high(0.0, 5_000.0, 4_000.0)], [6_000.0, 5_000.0]);
    assert!((high(1.0, 11_335.0, 4_000.0) - 11_335.0).abs() < 0.1);
    assert!((high(0.5, 24_000.0, 4_000.0) - 12_000.0).abs() < 0.1);
    // EBS delivers a little more; a volume that gives a tenth more is another one.
    assert!((6_100.0..6_200.0).contains(&high(0.0, 6_200.0, 6_100.0)), "{}", high(0.0, 6_200.0, 6_100.0));
    assert!((high(0.0, 11_335.0, 6_600.0) - 11_335.0).abs() < 0.1);
    let checked = DemandBounds { checked: [Some(5_000.0), None], ..DemandBounds::default() };
    assert_eq!(checked.bound(LimitKind::Iops, 11_335.0, 4_000.0), 5_000.0);
    assert_eq!(checked.bound(LimitKind::Throughput, 11_335.0, 4_000.0), 11_335.0);
}
