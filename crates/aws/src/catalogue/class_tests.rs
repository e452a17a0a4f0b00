use super::*;
use crate::catalogue::{IOPS_STEP, MIBPS_STEP, VolumeConfig};
use proptest::prelude::*;

#[test]
fn every_row_of_the_table_is_read() {
    let text = include_str!("../../data/volume_limits.csv");
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).count();
    assert_eq!(classes().len(), lines - 1);
    assert!(classes().iter().all(|row| !row.source.is_empty() && row.as_of.starts_with("2026-")));
}

#[test]
fn sizes_of_a_type_leave_no_gap() {
    for row in classes() {
        let next = |other: &&Class| {
            (other.platform, other.volume_type, other.purpose) == (row.platform, row.volume_type, row.purpose)
                && other.min_gib == row.max_gib + 1
        };
        let last = classes_of(row.platform, row.volume_type, row.purpose).map(|other| other.max_gib).max();
        assert!(last == Some(row.max_gib) || classes().iter().any(|other| next(&other)), "{row:?}");
    }
}

/// The least order of the first class of a type that has one: GiB, IOPS, MiB/s.
fn order(platform: Platform, volume_type: VolumeType, (gib, iops, mibps): (u64, u64, u64)) -> Option<(u64, u64, u64)> {
    let found = classes_of(platform, volume_type, Purpose::Any).find_map(|row| row.least_order(gib, iops, mibps))?;
    Some((found.size_gib, found.iops, found.throughput_mibps))
}

#[test]
fn orders_are_hundreds_of_iops_and_fives_of_mibps() {
    let gp3 = |iops, mibps| order(Platform::Ec2, VolumeType::Gp3, (500, iops, mibps));
    // What is included, and one more of each.
    assert_eq!(gp3(0, 0), Some((500, 3_000, 125)));
    assert_eq!(gp3(3_000, 125), Some((500, 3_000, 125)));
    assert_eq!(gp3(3_001, 126), Some((500, 3_100, 130)));
    assert_eq!(gp3(3_100, 130), Some((500, 3_100, 130)));
    // The most, one less and one more.
    assert_eq!(gp3(79_999, 1_999), Some((500, 80_000, 2_000)));
    assert_eq!(gp3(80_000, 2_000), Some((500, 80_000, 2_000)));
    assert_eq!((gp3(80_001, 125), gp3(3_000, 2_001)), (None, None));
    // 751 MiB/s need 3,004 IOPS, ordered as 3,100, which would allow 775 MiB/s.
    assert_eq!(gp3(3_000, 751), Some((500, 3_100, 755)));
    // Throughput that follows IOPS is not ordered: 501 MiB/s of io1 are 64 IOPS each, 32,064, and those 642 GiB.
    assert_eq!(order(Platform::Ec2, VolumeType::Io1, (100, 100, 501)), Some((642, 32_100, 501)));
    // Nor are IOPS that follow size: 335 GiB of gp2 have three each.
    assert_eq!(order(Platform::Ec2, VolumeType::Gp2, (335, 100, 0)), Some((335, 1_005, 250)));
}

/// 50 IOPS a GiB are 19,950 of 399 GiB, the most of RDS's smaller io1, and 16,750 of 335: off the grid, and legal.
#[test]
fn the_most_of_a_size_can_be_ordered() {
    let io1 = |gib, iops| order(Platform::Rds, VolumeType::Io1, (gib, iops, 0)).map(|found| (found.0, found.1));
    assert_eq!(io1(399, 19_900), Some((399, 19_900)));
    assert_eq!(io1(399, 19_901), Some((399, 19_950)));
    assert_eq!(io1(399, 19_950), Some((399, 19_950)));
    // Beyond, the storage of four volumes.
    assert_eq!(io1(399, 19_951), Some((400, 20_000)));
    assert_eq!((io1(335, 16_740), io1(335, 16_751)), (Some((335, 16_750)), Some((336, 16_800))));
}

proptest! {
    /// Rounding to an order keeps the size and is legal; of IOPS and MiB/s it adds less than a step.
    #[test]
    fn an_order_is_legal_and_little_more_than_the_least(
        index in 0..classes().len(), size in 1u64..70_000, iops in 0u64..260_000, mibps in 0u64..4_100,
    ) {
        let row = &classes()[index];
        let (least, order) = (row.least(size, iops, mibps), row.least_order(size, iops, mibps));
        prop_assert_eq!(least.is_some(), order.is_some());
        if let (Some(least), Some(order)) = (least, order) {
            prop_assert!(order.size_gib == least.size_gib && (least.iops..least.iops + IOPS_STEP).contains(&order.iops));
            prop_assert!(order.iops % IOPS_STEP == 0 || order.iops == row.iops_at_most(order.size_gib));
            let allowed = row.mibps_at_least(order.size_gib, order.iops)..=row.mibps_at_most(order.size_gib, order.iops);
            prop_assert!(allowed.contains(&order.throughput_mibps) && order.throughput_mibps >= mibps);
            if row.mibps_rule == MibpsRule::Provisioned {
                prop_assert!(order.throughput_mibps < least.throughput_mibps + MIBPS_STEP);
                prop_assert!(order.throughput_mibps % MIBPS_STEP == 0 || order.throughput_mibps == *allowed.end());
            }
        }
    }

    /// The least configuration passes the rules that users' own figures are checked with, and no smaller figure does.
    #[test]
    fn the_least_is_legal_and_least(
        index in 0..classes().len(), size in 1u64..70_000, iops in 0u64..260_000, mibps in 0u64..4_100,
    ) {
        let row = &classes()[index];
        if let Some(found) = row.least(size, iops, mibps) {
            prop_assert!(found.size_gib >= size && found.iops >= iops && found.throughput_mibps >= mibps);
            if row.purpose == Purpose::Any {
                let named = (row.iops_rule == IopsRule::Provisioned).then_some(found.iops);
                let chosen = (row.mibps_rule == MibpsRule::Provisioned).then_some(found.throughput_mibps);
                let again = VolumeConfig::new(row.platform, row.volume_type, found.size_gib, named, chosen);
                prop_assert_eq!(again, Ok(found));
            }
            if found.size_gib > size.max(row.min_gib) {
                let smaller = row.iops_at_most(found.size_gib - 1);
                prop_assert!(smaller < found.iops || row.mibps_at_least(found.size_gib - 1, found.iops) < mibps);
            }
        }
    }
}
