//! Requests that EBS may merge, sized and priced both ways. By hand: 107,000 reads a second of 4 KiB are 418 MiB/s, 1,672 times 256
//! KiB. With a fifth more gp3 needs its 3,000 IOPS and 502 MiB/s, ordered as 505: 100 GiB at $8.00, 380 MiB/s at $15.20. If none is
//! merged, 128,400 IOPS are more than gp3 has: io2.

use super::advise::tests::{DATA, Load, advice, data, window};
use crate::request::settings::Settings;
use ebs_aws::catalogue::VolumeType;

const RUN: Load = Load { reads: 107_000, kib: 4, read_ms: 107_000, ..DATA };

#[test]
fn small_reads_in_order_are_sized_as_merged_and_the_other_price_is_kept() {
    let role = data(RUN, Settings::default());
    let best = role.best().unwrap();
    assert_eq!(
        (best.config.volume_type, best.config.iops, best.config.throughput_mibps),
        (VolumeType::Gp3, 3_000, 505)
    );
    assert_eq!(best.total(), "23.20".parse().unwrap());
    let doubt = role.state.count_doubt.as_ref().unwrap();
    assert_eq!((doubt.device_iops, doubt.merged_iops, doubt.sized_iops), (107_000.0, 1_672.0, 1_672.0));
    let other = role.count_option.as_ref().unwrap();
    assert_eq!((other.config.volume_type, other.config.iops), (VolumeType::Io2, 128_400));
    assert!(other.total() > "5000.00".parse().unwrap());
}

/// At 40,000 a second the device's count is sized for, and the price if they are merged is kept.
#[test]
fn a_rate_that_random_reads_reach_is_sized_as_counted() {
    let role = data(Load { reads: 40_000, read_ms: 40_000, ..RUN }, Settings::default());
    let best = role.best().unwrap();
    assert_eq!((best.config.volume_type, best.config.iops), (VolumeType::Gp3, 48_000));
    let other = role.count_option.as_ref().unwrap();
    assert!(other.config.iops == 3_000 && other.total() < best.total());
}

#[test]
fn random_pages_are_sized_as_ever() {
    let role = data(Load { kib: 8, ..RUN }, Settings::default());
    assert!(role.state.count_doubt.is_none() && role.count_option.is_none());
    assert_eq!(role.best().unwrap().config.iops, 128_400);
    assert!(advice(&window(&[DATA], &[]), Settings::default()).roles[0].state.count_doubt.is_none());
}
