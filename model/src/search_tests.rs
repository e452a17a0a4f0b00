use super::*;
use crate::catalogue::{Ceiling, prices};
use crate::demand::Interval;
use crate::evidence::DeviceCounts;
use crate::price::bill;
use proptest::prelude::*;

const RULE: Rule = Rule { percentile: 99.0, headroom: 0.0, max_throttled_pct: 1.0 };

fn need(iops: f64, mibps: f64, size_gib: u64) -> Need {
    let percentile = Ceiling { iops, mibps };
    Need { iops, mibps, percentile, size_gib: Some(size_gib), iops_raised: false, mibps_raised: false }
}

fn constant(requests: u64, seconds: usize) -> Demand {
    let counts = DeviceCounts { reads: requests, read_bytes: requests * 8192, ..Default::default() };
    Demand { timed: true, intervals: vec![Interval { ended_us: 0, seconds: 1.0, counts }; seconds] }
}

fn find(name: &str, volumes: u64, need: Need) -> (u64, u64, u64, Option<Beyond>) {
    let demand = constant(need.iops as u64, 60);
    let found = cheapest(name.parse().unwrap(), volumes, &need, &demand, RULE);
    let c = found.config;
    (c.size_gib, c.iops, c.throughput_mibps, found.beyond)
}

#[test]
fn gp3_buys_only_what_is_not_included() {
    assert_eq!(find("gp3", 1, need(400.0, 10.0, 50)), (50, 3_000, 125, None));
    assert_eq!(find("gp3", 1, need(16_680.0, 174.0, 500)), (500, 16_680, 174, None));
    // 1,000 MiB/s need 4,000 IOPS, and those 8 GiB.
    assert_eq!(find("gp3", 1, need(100.0, 1_000.0, 1)), (8, 4_000, 1_000, None));
    assert_eq!(find("gp3", 2, need(16_680.0, 174.0, 500)), (250, 8_340, 125, None));
}

#[test]
fn provisioned_types_take_room_and_iops_for_each_other() {
    assert_eq!(find("io1", 1, need(16_680.0, 174.0, 50)), (334, 16_680, 500, None));
    assert_eq!(find("io1", 1, need(100.0, 600.0, 50)), (768, 38_400, 600, None));
    assert_eq!(find("io2", 1, need(100.0, 1_000.0, 50)), (50, 3_907, 1_000, None));
}

#[test]
fn what_a_type_cannot_reach_is_said() {
    assert_eq!(find("gp3", 1, need(90_000.0, 10.0, 500)).3, Some(Beyond::Iops));
    assert_eq!(find("gp3", 1, need(10.0, 2_001.0, 500)).3, Some(Beyond::Throughput));
    assert_eq!(find("io1", 1, need(10.0, 10.0, 20_000)).3, Some(Beyond::Size));
    assert_eq!(find("gp2", 1, need(10.0, 251.0, 500)).3, Some(Beyond::Throughput));
    assert_eq!(find("gp3", 2, need(90_000.0, 10.0, 500)), (250, 45_000, 125, None));
}

#[test]
fn gp2_grows_for_iops_or_lives_on_credits() {
    // 4,500 IOPS for ever: beyond the burst, so three IOPS a GiB.
    assert_eq!(find("gp2", 1, need(4_500.0, 40.0, 100)), (1_500, 4_500, 250, None));
    // Ten busy seconds in ten minutes: the bucket carries them, and 30 GiB earn the mean (100 IOPS at least).
    let mut quiet = constant(10, 600);
    quiet.intervals.splice(0..10, constant(2_500, 10).intervals);
    let found = cheapest(VolumeType::Gp2, 1, &need(2_500.0, 20.0, 20), &quiet, RULE);
    assert_eq!((found.config.size_gib, found.config.iops, found.beyond), (20, 100, None));
}

proptest! {
    #[test]
    fn what_is_found_is_legal(
        which in 0usize..4, volumes in 1u64..5, iops in 0f64..100_000.0, mibps in 0f64..3_000.0, size in 1u64..30_000,
    ) {
        let volume_type = VolumeType::ALL[which];
        let found = cheapest(volume_type, volumes, &need(iops, mibps, size), &constant(iops as u64, 20), RULE);
        let c = found.config;
        let legal = VolumeConfig::new(volume_type, c.size_gib, Some(c.iops), Some(c.throughput_mibps));
        prop_assert_eq!(legal, Ok(c));
        if found.beyond.is_none() && volume_type != VolumeType::Gp2 {
            let ceiling = c.ceiling(volumes);
            prop_assert!(ceiling.iops >= iops.floor() && ceiling.mibps >= mibps.floor() && c.size_gib * volumes >= size);
        }
    }

    /// Brute force over every legal gp3 around the need, on a coarse price grid: none is cheaper.
    #[test]
    fn no_legal_gp3_is_cheaper(iops in 0u64..9_000, mibps in 0u64..600, size in 1u64..40) {
        let need = need(iops as f64, mibps as f64, size);
        let found = cheapest(VolumeType::Gp3, 1, &need, &constant(1, 5), RULE);
        let here = prices("us-east-1").unwrap();
        let cost = bill(&found.config, 1, here).total();
        for s in size..=40 {
            for i in (3_000..=10_000).step_by(250).chain([iops, 4 * mibps]) {
                for m in [125, mibps] {
                    let Ok(other) = VolumeConfig::new(VolumeType::Gp3, s, Some(i), Some(m)) else { continue };
                    let meets = i >= iops && m >= mibps;
                    prop_assert!(!meets || bill(&other, 1, here).total() >= cost, "{:?} < {:?}", other, found.config);
                }
            }
        }
    }
}
