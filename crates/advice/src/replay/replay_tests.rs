use super::*;

fn added(outcome: &Outcome) -> AddedLatency {
    outcome.added.unwrap()
}

use ebs_aws::catalogue::{Platform, VolumeType, instance};
use ebs_base::units::MIB;
use ebs_samples::evidence::DeviceCounts;
use ebs_workload::demand::{Demand, DemandInterval};
use proptest::prelude::*;

/// Intervals of so many seconds, with so many reads of so many bytes in all.
fn series(intervals: &[(f64, u64, u64)]) -> Series {
    let interval = |&(seconds, reads, read_bytes): &(f64, u64, u64)| DemandInterval {
        ended_us: 0,
        seconds,
        counts: DeviceCounts { reads, read_bytes, ..Default::default() },
        ..DemandInterval::default()
    };
    Series::new(&Demand { timed: true, intervals: intervals.iter().map(interval).collect(), ..Demand::default() })
}

fn each_second(requests: &[u64]) -> Series {
    series(&requests.iter().map(|&reads| (1.0, reads, reads * 8192)).collect::<Vec<_>>())
}

fn volume(name: &str, size: u64, iops: Option<u64>, mibps: Option<u64>) -> VolumeConfig {
    VolumeConfig::new(Platform::Ec2, name.parse().unwrap(), size, iops, mibps).unwrap()
}

fn gp3(iops: u64) -> VolumeConfig {
    volume("gp3", 1_000, Some(iops), Some(500))
}

fn on(series: &Series, config: &VolumeConfig) -> Outcome {
    replay(series, config, 1, InstanceLimit::None, 100.0).unwrap()
}

#[test]
fn a_backlog_throttles_the_seconds_after_it() {
    // 9,000 in one second on 3,000 IOPS take three seconds; the last to arrive waits two of them, the first none.
    let outcome = on(&each_second(&[9_000, 0, 0, 0]), &gp3(3_000));
    assert!((outcome.throttled_s - 3.0).abs() < 1e-6 && (outcome.peak - 3.0).abs() < 1e-6, "{outcome:?}");
    assert!((added(&outcome).mean_ms - 1_000.0).abs() < 0.01, "{outcome:?}");
    assert!((added(&outcome).p99_ms - 1_980.0).abs() < 0.01, "{outcome:?}");
    assert_eq!(on(&each_second(&[3_000; 60]), &gp3(3_000)).throttled_s, 0.0);
}

/// 600 s of 90, two of them of 40,000, on 20,000 IOPS: 40,000 wait after the burst and take 40,000 / 19,910 = 2.009 s. Of 133,820
/// requests 80,000 + 2.009 × 90 wait, 59.9 %; the last of the burst 40,000 / 20,000 = 2 s.
#[test]
fn a_short_burst_is_a_small_share_of_time_and_a_large_one_of_requests() {
    let burst: Vec<u64> = (0..600).map(|second| if second == 300 || second == 301 { 40_000 } else { 90 }).collect();
    let outcome = on(&each_second(&burst), &gp3(20_000));
    assert!((outcome.throttled_pct() - 100.0 * 4.009_04 / 600.0).abs() < 1e-4, "{outcome:?}");
    let waits = added(&outcome);
    assert!(
        (waits.waiting_share - 80_180.8 / 133_820.0).abs() < 1e-4 && (waits.max_ms - 2_000.0).abs() < 0.1,
        "{waits:?}"
    );
    // At its rate nothing waits; an IOPS less and the last waits 2 / 39,999 s.
    let waits = |iops| added(&on(&each_second(&burst), &gp3(iops)));
    assert_eq!((waits(40_000).waiting_share, waits(40_000).max_ms), (0.0, 0.0));
    assert!((waits(39_999).max_ms - 0.05).abs() < 1e-3, "{:?}", waits(39_999));
}

/// 9,000 in one of four seconds on 3,000 IOPS: what waits at the end waits at the beginning, too, with its arrivals behind it.
#[test]
fn a_burst_waits_as_long_at_the_end_as_before_it() {
    let limits = [gp3(3_000), volume("gp2", 1_000, None, None)];
    for config in limits {
        let [first, middle, last] = [[9_000, 500, 0, 500], [500, 9_000, 500, 0], [500, 0, 500, 9_000]].map(|seconds| {
            let series = each_second(&seconds);
            let outcome = on(&series, &config);
            let constant = waits(&series, Measure::Requests, 3_000.0, u64::MAX).unwrap();
            assert!((constant.iter().map(|wait| wait.1).sum::<u64>() as f64 / 1e9 - outcome.throttled_s).abs() < 1e-6);
            (outcome.throttled_s, added(&outcome))
        });
        for (throttled_s, waits) in [middle, last] {
            assert!(
                (throttled_s - first.0).abs() < 1e-6 && (throttled_s - 3.333).abs() < 0.2,
                "{throttled_s} {first:?}"
            );
            assert!((waits.mean_ms - first.1.mean_ms).abs() < 0.1, "{waits:?} {first:?}");
            assert!(
                (waits.p99_ms - first.1.p99_ms).abs() < 0.1
                    && (waits.waiting_share - first.1.waiting_share).abs() < 1e-6
            );
        }
    }
    // Of more than the limit all of the time, all waits, and for ever longer: two recordings are followed.
    let outcome = on(&each_second(&[9_000]), &gp3(3_000));
    assert_eq!((outcome.throttled_s, added(&outcome).waiting_share), (1.0, 1.0));
}

#[test]
fn a_request_waits_for_the_longer_of_both_limits() {
    // 6,000 requests of 64 KiB: one second more by IOPS, two more by 125 MiB/s.
    let both = series(&[(1.0, 6_000, 375 * MIB), (9.0, 0, 0)]);
    let outcome = on(&both, &volume("gp3", 100, None, None));
    assert!((outcome.throttled_s - 3.0).abs() < 1e-6, "{outcome:?}");
    assert!((added(&outcome).mean_ms - 1_000.0).abs() < 0.01, "{outcome:?}");
}

#[test]
fn the_instance_is_a_limit_too() {
    let small = InstanceLimit::Baseline(Ceiling { iops: 1_000.0, mibps: 1e6 });
    let outcome = replay(&each_second(&[2_000; 10]), &gp3(3_000), 1, small, 100.0).unwrap();
    assert_eq!((outcome.throttled_pct(), outcome.throttled_high_pct), (100.0, 100.0));
}

/// Published bursts: 2,000 s for 100 GiB, 2,703 s for 334 GiB, 1,862 s for 33 GiB; in intervals of any length.
#[test]
fn gp2_bursts_as_long_as_published() {
    for (size, published) in [(100, 2_000.0), (334, 2_703.0), (33, 1_862.0)] {
        for seconds in [1.0, 7.0, 300.0, 4_200.0] {
            let reads = (3_000.0 * seconds) as u64;
            let demand = series(&vec![(seconds, reads, reads * 8_192); (4_200.0 / seconds) as usize]);
            let outcome = on(&demand, &volume("gp2", size, None, None));
            let exhausted = outcome.credits.unwrap();
            assert_eq!((exhausted.owner, outcome.lowest_levels.volume), (CreditOwner::Volume, Some(0.0)));
            assert!((exhausted.after_s - published).abs() < 1.0, "{size} GiB: {exhausted:?}");
            // They do not come back: what goes on for ever is throttled throughout.
            assert!(exhausted.for_good && (outcome.throttled_s - 4_200.0).abs() < 0.01, "{size} GiB: {outcome:?}");
        }
    }
}

/// 100 GiB earn 300 a second: 1,500 a second spend 5.4 million at 1,200 a second, in 4,500 s, 301 in 5.4 million s, and 300 never.
/// 5,000 are served at 3,000: 2,000 s.
#[test]
fn credits_that_outlast_the_recording_are_no_volume() {
    let gp2 = volume("gp2", 100, None, None);
    for (iops, after_s) in [(1_500, 4_500.0), (301, 5_400_000.0), (5_000, 2_000.0)] {
        let outcome = on(&each_second(&[iops; 600]), &gp2);
        let exhausted = outcome.credits.unwrap();
        assert!(exhausted.for_good && (exhausted.after_s / after_s - 1.0).abs() < 1e-5, "{iops}: {exhausted:?}");
        assert_eq!((outcome.throttled_pct(), outcome.lowest_levels.volume), (100.0, Some(0.0)));
    }
    for iops in [299, 300] {
        let outcome = on(&each_second(&[iops; 600]), &gp2);
        assert_eq!((outcome.throttled_s, outcome.credits), (0.0, None));
    }
    // An instance that passes no more than is earned keeps the credits; what is beyond waits for it.
    let small = InstanceLimit::Baseline(Ceiling { iops: 300.0, mibps: 1e6 });
    let behind = replay(&each_second(&[1_500; 600]), &gp2, 1, small, 0.0).unwrap();
    assert_eq!((behind.throttled_pct(), behind.credits), (100.0, None));
    // 3,000 for 600 s of an hour are 500 on average: 1,620,000 of 5,400,000 are spent in them, and 900,000 come back.
    let bursts: Vec<u64> = (0..3_600).map(|second| if second < 600 { 3_000 } else { 0 }).collect();
    let left = on(&each_second(&bursts), &gp2).credits.unwrap();
    assert!((left.after_s - (3_600.0 + 4_680_000.0 / 200.0)).abs() < 1.0, "{left:?}");
    // A volume of 167 GiB earns 501.
    assert_eq!(on(&each_second(&bursts), &volume("gp2", 167, None, None)).credits, None);
}

#[test]
fn gp2_moves_more_while_it_has_credits() {
    // 200 GiB: 250 MiB/s for as long as 5.4 million credits last at 3,000 and 600 IOPS, then 128.
    let reads = 3_000;
    let outcome = on(&series(&vec![(1.0, reads, 200 * MIB); 3_000]), &volume("gp2", 200, None, None));
    assert!((outcome.credits.unwrap().after_s - 2_250.0).abs() < 0.01);
    assert!((outcome.throttled_s - 3_000.0).abs() < 0.01, "{outcome:?}");
    // Few requests spend no more than they earn: 250 MiB/s for ever.
    assert_eq!(on(&series(&vec![(1.0, 800, 200 * MIB); 9_000]), &volume("gp2", 300, None, None)).credits, None);
}

/// A scan of 5 TiB on as large an st1 takes 2.91 to 3.27 h by AWS's own figures: 500 MiB/s throughout.
#[test]
fn st1_spends_a_mib_a_request() {
    let st1 = volume("st1", 1_024, None, None);
    // 40 MiB/s earned, 250 spent: 1 TiB lasts 4,993 s.
    let scan = on(&series(&vec![(10.0, 2_500, 2_500 * MIB); 800]), &st1);
    assert!((scan.credits.unwrap().after_s - 1_048_576.0 / 210.0).abs() < 0.1, "{scan:?}");
    // 8 KiB at random cost as much.
    let random = on(&series(&vec![(10.0, 2_500, 2_500 * 8_192); 800]), &st1);
    assert_eq!(random.credits, scan.credits);
}

#[test]
fn an_instance_keeps_up_its_maximum_for_30_minutes_and_a_day_later_again() {
    let large = instance("m5.large").unwrap();
    let limit = InstanceLimit::Burst { baseline: large.baseline(), maximum: large.maximum() };
    let day = |quiet_s: f64| series(&[(3_600.0, 18_750 * 3_600, 0), (quiet_s, 0, 0), (1_800.0, 18_750 * 1_800, 0)]);
    let volume = volume("io2", 100, Some(40_000), None);
    let outcome = |quiet_s| replay(&day(quiet_s), &volume, 1, limit, 100.0).unwrap();
    let after_a_day = outcome(100_800.0);
    let exhausted = after_a_day.credits.unwrap();
    assert_eq!(exhausted.owner, CreditOwner::InstanceIops);
    assert!((exhausted.after_s - 1_800.0).abs() < 0.01, "{exhausted:?}");
    // 1,800 s of 15,150 a second wait, and are gone after 7,575 s more; then it fills, for a day at the most.
    let drained = 1_800.0 * 15_150.0 / 3_600.0;
    assert!((after_a_day.throttled_s - 1_800.0 - drained).abs() < 0.01, "{after_a_day:?}");
    assert!(outcome(20_000.0).throttled_s > after_a_day.throttled_s + 1_000.0);
    assert_eq!(after_a_day.lowest_levels.instance_throughput, Some(1.0));
}

#[test]
fn without_requests_nothing_waits() {
    for demand in [series(&[]), each_second(&[0; 100])] {
        let outcome = on(&demand, &volume("gp2", 100, None, None));
        assert_eq!((outcome.throttled_pct(), outcome.throttled_high_pct, outcome.peak), (0.0, 0.0, 0.0));
        assert_eq!((added(&outcome).p99_ms, outcome.credits, outcome.lowest_levels.volume), (0.0, None, Some(1.0)));
    }
}

fn intervals() -> impl Strategy<Value = Vec<(f64, u64, u64)>> {
    // Mostly idle or small, some busy: backlogs and credits come and go.
    let reads = prop_oneof![Just(0u64), 0u64..500, 0u64..9_000];
    let interval = (prop_oneof![Just(1.0), 0.5f64..3.0, 50.0f64..2_000.0], reads, 1u64..(300 << 10));
    let scaled = |(seconds, rate, size): (f64, u64, u64)| {
        let reads = (rate as f64 * seconds) as u64;
        (seconds, reads, reads * size)
    };
    prop::collection::vec(interval.prop_map(scaled), 1..150)
}

fn anything() -> impl Strategy<Value = (VolumeConfig, u64, InstanceLimit)> {
    let volume = prop_oneof![
        (1u64..6_000).prop_map(|size| volume("gp2", size, None, None)),
        (125u64..9_000).prop_map(|size| volume("st1", size, None, None)),
        (3_000u64..9_000, 125u64..700).prop_map(|(iops, mibps)| volume("gp3", 100, Some(iops), Some(mibps))),
    ];
    let large = instance("m5.large").unwrap();
    let limit = prop_oneof![
        Just(InstanceLimit::None),
        Just(InstanceLimit::Baseline(large.baseline())),
        Just(InstanceLimit::Burst { baseline: large.baseline(), maximum: large.maximum() }),
    ];
    (volume, 1u64..4, limit)
}

fn halved(intervals: &[(f64, u64, u64)]) -> Vec<DemandInterval> {
    let half = |&(seconds, reads, bytes): &(f64, u64, u64)| DemandInterval {
        ended_us: 0,
        seconds: seconds / 2.0,
        counts: DeviceCounts { reads: reads / 2, read_bytes: bytes / 2, ..Default::default() },
        ..DemandInterval::default()
    };
    intervals.iter().flat_map(|interval| [half(interval); 2]).collect()
}

proptest! {
    #[test]
    fn shares_are_shares_and_nothing_is_not_a_number(demand in intervals(), (config, volumes, limit) in anything()) {
        let outcome = replay(&series(&demand), &config, volumes, limit, 100.0).unwrap();
        prop_assert!((0.0..=outcome.seconds * (1.0 + 1e-9)).contains(&outcome.throttled_s), "{:?}", outcome);
        prop_assert!((outcome.throttled_pct() - 1e-9..=100.0).contains(&outcome.throttled_high_pct), "{:?}", outcome);
        prop_assert!(added(&outcome).p99_ms.is_finite() && added(&outcome).mean_ms.is_finite() && outcome.peak.is_finite());
        prop_assert!(added(&outcome).mean_ms >= 0.0 && added(&outcome).p99_ms >= 0.0);
        prop_assert_eq!(outcome.throttled_s > 0.0, outcome.peak > 1.0 + 1e-9, "{:?}", outcome);
        for least in [outcome.lowest_levels.volume, outcome.lowest_levels.instance_iops, outcome.lowest_levels.instance_throughput] {
            prop_assert!(least.is_none_or(|share| (0.0..=1.0).contains(&share)));
        }
        let ran_out = |least: Option<f64>| least == Some(0.0);
        let all = outcome.lowest_levels;
        let any = ran_out(all.volume) || ran_out(all.instance_iops) || ran_out(all.instance_throughput);
        prop_assert_eq!(outcome.credits.is_some(), any);
    }

    #[test]
    fn cutting_intervals_in_two_changes_nothing(demand in intervals(), (config, volumes, limit) in anything()) {
        // Even counts, so that halves are whole.
        let demand: Vec<_> = demand.iter().map(|(seconds, reads, bytes)| (*seconds, reads * 2, bytes * 2)).collect();
        let whole = replay(&series(&demand), &config, volumes, limit, 100.0).unwrap();
        let cut = Series::new(&Demand { timed: true, intervals: halved(&demand), ..Demand::default() });
        let cut = replay(&cut, &config, volumes, limit, 100.0).unwrap();
        // I/Os above 256 KiB or 1 MiB are counted up in each half: one or two a half.
        let same = |a: f64, b: f64, least: f64| (a - b).abs() <= least + 1e-3 * a.max(b);
        prop_assert!(same(whole.throttled_s, cut.throttled_s, 1.0), "{:?}\n{:?}", whole, cut);
        prop_assert!(same(added(&whole).mean_ms, added(&cut).mean_ms, 1.0), "{:?}\n{:?}", whole, cut);
        prop_assert!(same(added(&whole).p99_ms, added(&cut).p99_ms, 50.0), "{:?}\n{:?}", whole, cut);
    }

    /// Larger volumes of a type, a higher end of the interval, or more volumes never throttle more.
    #[test]
    fn larger_never_throttles_more(demand in intervals(), a in 125u64..9_000, b in 125u64..9_000, which in 0usize..4) {
        let volume_type = [VolumeType::Gp2, VolumeType::Gp3, VolumeType::St1, VolumeType::Sc1][which];
        let series = series(&demand);
        let outcome = |size: u64, volumes| {
            let provisioned = (volume_type == VolumeType::Gp3).then_some(size.max(3_000));
            let mibps = (volume_type == VolumeType::Gp3).then_some((size / 10).clamp(125, 750));
            let config = volume(volume_type.name(), size, provisioned, mibps);
            replay(&series, &config, volumes, InstanceLimit::None, 100.0).unwrap()
        };
        let (small, large, two) = (outcome(a.min(b), 1), outcome(a.max(b), 1), outcome(a.min(b), 2));
        for more in [large, two] {
            prop_assert!(more.throttled_s <= small.throttled_s + 1e-6, "{:?}\n{:?}", small, more);
            prop_assert!(more.throttled_high_pct <= small.throttled_high_pct + 1e-6, "{:?}\n{:?}", small, more);
            prop_assert!(added(&more).mean_ms <= added(&small).mean_ms + 1e-6, "{:?}\n{:?}", small, more);
        }
    }

    /// The search's shortcut for constant limits agrees with a full replay.
    #[test]
    fn the_short_way_gives_the_same(demand in intervals(), iops in 10f64..9_000.0, mibps in 1f64..900.0) {
        let series = series(&demand);
        let waits = |measure, limit| waits(&series, measure, limit, u64::MAX).unwrap();
        let short = union(&waits(Measure::Requests, iops), &waits(Measure::Mib, mibps));
        let short = short.iter().map(|part| part.1).sum::<u64>() as f64 / 1e9;
        let long = replay_ceiling(&series, Ceiling { iops, mibps }).throttled_s;
        prop_assert!((short - long).abs() <= 1e-6 * (1.0 + long), "{} {}", short, long);
    }
}
