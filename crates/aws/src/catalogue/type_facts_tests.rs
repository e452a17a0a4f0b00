use super::*;
use crate::catalogue::{Characteristics, Item, Part};

fn rows() -> impl Iterator<Item = &'static Characteristics> {
    VolumeType::ALL.into_iter().map(VolumeType::characteristics)
}

#[test]
fn every_type_has_a_row_with_source_and_date() {
    for volume_type in VolumeType::ALL {
        let row = volume_type.characteristics();
        assert_eq!(row.volume_type, volume_type);
        assert!(row.source.ends_with(".html") && row.as_of.starts_with("2026-"), "{row:?}");
        assert_eq!(row.read_ms.is_some(), row.latency_source.is_some(), "{row:?}");
    }
}

#[test]
fn a_latency_lies_within_what_was_published() {
    for row in rows().filter(|row| row.read_ms.is_some()) {
        assert!(row.read_low_ms <= row.read_ms && row.read_ms <= row.read_high_ms, "{row:?}");
        assert!(row.write_low_ms <= row.write_ms && row.write_ms <= row.write_high_ms, "{row:?}");
    }
}

/// Rounded to a hundredth of a millisecond.
#[test]
fn a_latency_is_the_geometric_mean_of_the_published_ones() {
    for row in rows() {
        let reads = (row.read_low_ms, row.read_ms, row.read_high_ms);
        for published in [reads, (row.write_low_ms, row.write_ms, row.write_high_ms)] {
            let (Some(low), Some(middle), Some(high)) = published else { continue };
            assert!((middle - (low * high).sqrt()).abs() <= 0.005, "{row:?}");
        }
    }
}

#[test]
fn the_table_has_no_row_that_is_not_read() {
    let text = include_str!("../../data/volume_types.csv");
    let lines = text.lines().filter(|line| !line.starts_with('#')).count();
    assert_eq!(lines - 1, VolumeType::ALL.len());
}

#[test]
fn a_family_has_one_current_type_and_its_others_are_replaced_or_new() {
    for volume_type in VolumeType::ALL {
        let types = volume_type.family().types();
        let of = |generation| types.iter().filter(|one| one.characteristics().generation == generation).count();
        // AWS advises none in place of magnetic volumes.
        let current = usize::from(volume_type.family() != Family::Magnetic);
        assert_eq!(of(Generation::Current), current, "{types:?}");
        assert!(of(Generation::New) <= 1, "{types:?}");
        let successor = volume_type.successor();
        assert!(successor.is_none_or(|one| one.family() == volume_type.family() && one > volume_type));
        assert_eq!(successor.is_some(), volume_type.is_previous_generation() && current == 1, "{volume_type:?}");
    }
    assert_eq!(VolumeType::general_purpose().family(), Family::GeneralPurpose);
    assert_eq!(VolumeType::provisioned().family(), Family::ProvisionedIops);
}

#[test]
fn every_volume_of_ebs_has_limits_and_a_usage_type() {
    for volume_type in VolumeType::ALL {
        let item = Item { platform: Platform::Ec2, volume_type, part: Part::Storage };
        let found = (volume_type.is_sold_on(Platform::Ec2), item.is_sold());
        assert_eq!(found, (volume_type.is_ebs(), volume_type.is_ebs()), "{volume_type:?}");
    }
}

/// The billed parts are those that the classes of a type let one choose.
#[test]
fn what_is_chosen_is_billed() {
    for volume_type in VolumeType::ALL {
        let is_billed = |part| Item { platform: Platform::Ec2, volume_type, part }.is_sold();
        let billed = (is_billed(Part::Iops), is_billed(Part::Throughput));
        assert_eq!(billed, (volume_type.has_chosen_iops(), volume_type.has_chosen_throughput()), "{volume_type:?}");
        assert!(volume_type.has_chosen_iops() || !volume_type.bills_all_iops(), "{volume_type:?}");
        assert!(!(volume_type.has_chosen_iops() && volume_type.has_iops_by_size()), "{volume_type:?}");
    }
}

#[test]
fn the_more_durable_is_preferred_then_the_newer() {
    let mut ranked = VolumeType::ALL;
    ranked.sort_by_key(|volume_type| volume_type.preference());
    assert!(ranked.is_sorted_by_key(|one| one.characteristics().unfit.is_some()));
    let suitable: Vec<VolumeType> = ranked.into_iter().filter(|one| one.characteristics().unfit.is_none()).collect();
    assert!(suitable.is_sorted_by(|one, other| one.durability_pct() >= other.durability_pct()), "{suitable:?}");
    for successor in VolumeType::ALL.into_iter().filter_map(VolumeType::successor) {
        assert!(
            successor.family().types().iter().all(|one| one.is_new() || one.preference() >= successor.preference())
        );
    }
    let names = [VolumeType::Io2, VolumeType::Gp3, VolumeType::Io1, VolumeType::Gp2];
    assert!(names.is_sorted_by_key(|volume_type| volume_type.preference()));
}

#[test]
fn types_are_listed_by_a_fact() {
    assert_eq!(VolumeType::list(VolumeType::is_modifiable_with_multi_attach, "or"), "io2");
    assert_eq!(VolumeType::list(VolumeType::can_multi_attach, "or"), "io1 or io2");
    assert_eq!(VolumeType::list(|one| one.is_hdd() || one.has_iops_by_size(), "and"), "gp2, st1 and sc1");
    assert_eq!(VolumeType::list(|_| false, "or"), "none");
}

#[test]
fn a_zone_has_what_every_zone_has() {
    for volume_type in VolumeType::ALL.into_iter().filter(|one| one.characteristics().local_zones) {
        assert!(volume_type.is_sold_on(Platform::LocalZone), "{volume_type:?}");
    }
}
