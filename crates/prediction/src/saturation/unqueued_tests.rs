use super::*;
use crate::LimitOwner;
use crate::predict::Limits;
use crate::saturation::{ReachedLimit, UnqueuedLatency, detect_saturation};
use ebs_aws::catalogue::LimitKind;
use ebs_samples::evidence::DeviceCounts;
use ebs_workload::demand::{Demand, DemandInterval};

/// A second of so many requests, of which a share are reads, with so many in flight.
fn second(requests: f64, read_share: f64, in_flight: f64) -> DemandInterval {
    let reads = (requests * read_share).round();
    let ms = |part: f64| (in_flight * 1e3 * part / requests.max(1.0)).round() as u64;
    let counts = DeviceCounts {
        reads: reads as u64,
        writes: (requests - reads) as u64,
        read_bytes: reads as u64 * 8_192,
        write_bytes: (requests - reads) as u64 * 8_192,
        read_ms: ms(reads),
        write_ms: ms(requests - reads),
        weighted_ms: ms(requests),
        ..DeviceCounts::default()
    };
    DemandInterval { ended_us: 0, seconds: 1.0, counts, ..DemandInterval::default() }
}

fn detected(intervals: Vec<DemandInterval>) -> Option<ReachedLimit> {
    let demand = Demand { timed: true, averaged_s: 1.0, intervals, ..Demand::default() };
    let limits = vec![(LimitOwner::Volume, Limits { iops: Some(3_000.0), bytes: None })];
    let run = RunContext { limits, volume_type: Some(VolumeType::Gp3), ..RunContext::default() };
    detect_saturation(&demand, &run)
}

/// Sixteen threads, all in flight in each second: at 300 a second too.
#[test]
fn stalls_show_no_latency_without_a_queue() {
    let found = |stalls: usize| {
        let at = |index: usize| second(if index < stalls { 300.0 } else { 3_000.0 }, 1.0, 16.0);
        // Apart from each other: 1,009 has no factor in common with 1,800.
        let limit = detected((0..1_800).map(|index| at(index * 1_009 % 1_800)).collect()).unwrap();
        assert!((limit.seconds_share - (1.0 - stalls as f64 / 1_800.0)).abs() < 1e-9);
        (limit.limited, limit.level, limit.unqueued, limit.is_sure(), limit.matches.first().unwrap().weight)
    };
    let published = UnqueuedLatency::new(None, 0.91);
    assert_eq!(found(0), (LimitKind::Iops, 3_000.0, published, true, 1.0));
    for stalls in 1..=100 {
        assert_eq!(found(stalls), found(0), "{stalls}");
    }
}

/// A stall in the kernel's counts: it begins with few completed, has none for some seconds, and ends with all that waited.
#[test]
fn counts_at_completion_show_stalls_as_well() {
    let stall = || [second(300.0, 1.0, 1.6), second(0.0, 1.0, 0.0), second(2_000.0, 1.0, 46.4)];
    for stalls in [0, 1, 9, 10, 11, 100] {
        let block = || stall().into_iter().chain((0..15).map(|_| second(3_000.0, 1.0, 16.0)));
        let rest = (0..18 * (100 - stalls)).map(|_| second(3_000.0, 1.0, 16.0));
        let limit = detected((0..stalls).flat_map(|_| block()).chain(rest).collect()).unwrap();
        assert!(limit.unqueued.measured.is_none() && limit.is_sure(), "{stalls} {limit:?}");
    }
}

/// 1,500 a second with one and a half in flight take 1 ms; a volume of 5 ms has 7.5 in flight there, and 15 at 3,000.
#[test]
fn seconds_with_fewer_in_flight_show_the_latency() {
    let found = |in_flight: [f64; 2]| {
        let at = |index: usize| {
            let [free, limited] = in_flight;
            if index < 300 { second(1_500.0, 1.0, free) } else { second(3_000.0, 1.0, limited) }
        };
        let limit = detected((0..600).map(at).collect()).unwrap();
        (limit.unqueued.ms, limit.unqueued.measured.and_then(|measured| measured.read_ms), limit.latency_ms)
    };
    assert_eq!(found([1.5, 15.0]), (1.0, Some(1.0), 5.0));
    assert_eq!(found([7.5, 15.0]), (5.0, Some(5.0), 5.0));
}

/// A closed loop of 8 at a limit of 3,000 (2.7 ms), which rests a while at 300 a second: each second more of it counts a little more, from the
/// published latency of 0.91 ms to the measured one of 2 ms.
#[test]
fn seconds_without_a_queue_count_by_their_number() {
    let limit = |free: usize| {
        let at = |index: usize| if index < free { second(300.0, 1.0, 0.6) } else { second(3_000.0, 1.0, 8.0) };
        detected((0..600).map(at).collect()).unwrap()
    };
    assert_eq!((limit(2).unqueued.ms, limit(10).unqueued.ms), (0.91, 2.0));
    for free in 2..=10 {
        let (one, next) = (limit(free).unqueued, limit(free + 1).unqueued);
        assert!(one.ms <= next.ms && next.ms < 1.2 * one.ms, "{free}: {one:?} {next:?}");
        assert_eq!(one.is_measured(), free >= 5, "{free}: {one:?}");
    }
}

/// gp3: 0.91 ms of reads and 0.95 ms of writes at most; any type: 0.91 and 0.95.
#[test]
fn published_latency_follows_the_mix() {
    let ms = |read_share: f64, volume_type| {
        let at =
            AtLimit { level: 3_000.0, in_flight: 16.0, read_share, request_bytes: 8_192.0, bytes_per_s: 24_576_000.0 };
        let run = RunContext { volume_type, ..RunContext::default() };
        (published_ms(&at, &run) * 1e4).round() / 1e4
    };
    assert_eq!([1.0, 0.5, 0.0].map(|share| ms(share, Some(VolumeType::Gp3))), [0.91, 0.93, 0.95]);
    assert_eq!([1.0, 0.0].map(|share| ms(share, Some(VolumeType::Io2))), [0.48, 0.61]);
    assert_eq!([1.0, 0.0].map(|share| ms(share, None)), [0.91, 0.95]);
    assert_eq!(ms(0.0, Some(VolumeType::St1)), 0.95);
}
