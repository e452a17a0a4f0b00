use super::*;
use crate::catalogue::VolumeConfig;
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

proptest! {
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
