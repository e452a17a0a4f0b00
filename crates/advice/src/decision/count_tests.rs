//! Requests that EBS may merge, sized and priced both ways. By hand: 107,000 reads a second of 4 KiB are 418 MiB/s, 1,672 times 256
//! KiB. With a fifth more gp3 needs its 3,000 IOPS and 502 MiB/s, ordered as 505: 100 GiB at $8.00, 380 MiB/s at $15.20. If none is
//! merged, 128,400 IOPS are more than gp3 has: io2.

use super::advise::tests::{DATA, Load, advice, data, window};
use super::role_advice::RoleAdvice;
use crate::evaluate::risk::Risk;
use crate::request::settings::Settings;
use ebs_aws::catalogue::VolumeType;
use ebs_prediction::BindingLimit;

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
    assert_eq!(best.risk.max(Some(Risk::High)), best.risk);
    // Half of a rate that random reads reach is no risk.
    let slow = data(Load { reads: 39_000, read_ms: 39_000, ..RUN }, Settings::default());
    assert!(slow.best().unwrap().risk < Some(Risk::High), "{:?}", slow.best().unwrap().risk);
}

/// Worked out by hand: 64,000 with a fifth are 76,800; of 75,000 on, gp3's 80,000 are less headroom, for a tenth of io2's price. The price falls only beyond 84,000, 5 % above what gp3 has, and both counts are rows on either side.
#[test]
fn more_demand_costs_less_only_where_the_rate_shows_merging() {
    let role = |reads| data(Load { reads, read_ms: reads, ..RUN }, Settings::default());
    let rates = [30_000, 40_000, 50_000, 64_000, 75_000, 76_000, 79_900, 80_100, 84_000];
    let roles = rates.map(role);
    for (reads, role) in rates.iter().zip(&roles) {
        let best = role.best().unwrap();
        let least = (1.2 * *reads as f64).min(79_000.0);
        assert!(best.config.iops as f64 * best.volumes as f64 >= least, "{reads} {:?}", best.config);
        assert!(role.count_option.as_ref().unwrap().total() < "40.00".parse().unwrap());
    }
    assert!(roles.windows(2).all(|pair| pair[0].best().unwrap().total() <= pair[1].best().unwrap().total()));
    let beyond = role(84_100);
    assert_eq!((beyond.best().unwrap().config.iops, beyond.best().unwrap().risk), (3_000, Some(Risk::High)));
    assert!(beyond.count_option.as_ref().unwrap().total() > roles[8].best().unwrap().total());
}

#[test]
fn random_pages_are_sized_as_ever() {
    let role = data(Load { kib: 8, reads: 64_000, read_ms: 64_000, ..RUN }, Settings::default());
    assert!(role.state.count_doubt.is_none() && role.count_option.is_none());
    assert_eq!(role.best().unwrap().config.iops, 76_800);
    assert!(advice(&window(&[DATA], &[]), Settings::default()).roles[0].state.count_doubt.is_none());
}

/// 107,000 pages a second are more than gp3 has: sized as counted, and the price if they were in order is kept. By hand: 836 MiB/s and a
/// fifth are 1,003, ordered as 1,005, and 3,344 IOPS 4,013, ordered as 4,100: $8.00, $35.20 and $5.50.
#[test]
fn pages_beyond_general_purpose_volumes_are_priced_both_ways() {
    let role = data(Load { kib: 8, ..RUN }, Settings::default());
    assert_eq!(role.best().unwrap().config.iops, 128_400);
    let other = role.count_option.as_ref().unwrap();
    assert_eq!((other.config.volume_type, other.config.iops), (VolumeType::Gp3, 4_100));
    assert_eq!(other.total(), "48.70".parse().unwrap());
}

fn on_m5(reads: u64) -> RoleAdvice {
    let settings = Settings { instance: Some("m5.xlarge".into()), ..Settings::default() };
    data(Load { reads, read_ms: reads, ..RUN }, settings)
}

/// m5.xlarge has 6,000 IOPS, 18,750 for half an hour a day, and 137 MiB/s. By hand: 25,000 reads of 4 KiB a second are 98 MiB/s, 391 times
/// 256 KiB: gp3 as it is. If none were merged no volume suffices on that instance.
#[test]
fn reads_beyond_the_instance_need_no_larger_one() {
    let role = on_m5(25_000);
    let best = role.best().unwrap();
    assert_eq!((best.config.volume_type, best.config.iops), (VolumeType::Gp3, 3_000));
    assert!(role.instance_saturation.is_none() && role.count_option.is_none());
    assert_eq!(role.count_bound, Some(BindingLimit::INSTANCE_IOPS));
}

/// 12,000 reads are more than 6,000; if all are merged they are 188, for which the least gp3 suffices.
#[test]
fn a_saturated_instance_is_priced_by_the_other_count() {
    let role = on_m5(12_000);
    assert!(role.best().is_none() && role.instance_saturation.is_some());
    let other = role.count_option.as_ref().unwrap();
    assert_eq!((other.config.volume_type, other.config.iops, role.count_bound), (VolumeType::Gp3, 3_000, None));
}
