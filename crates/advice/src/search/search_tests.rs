use super::*;
use crate::replay::Series;
use crate::requirement::{Requirement, SizingRule};
use ebs_aws::catalogue::{Ceiling, prices};
use ebs_base::units::MIB;
use ebs_samples::evidence::DeviceCounts;
use ebs_workload::demand::{Demand, DemandInterval};

const RULE: SizingRule = SizingRule { headroom: 0.0, ..SizingRule::DEFAULT };

/// A read of so many bytes for each of so many requests, second by second.
fn demand(seconds: impl IntoIterator<Item = (u64, u64)>) -> Demand {
    let interval = |(reads, read_bytes)| DemandInterval {
        ended_us: 0,
        seconds: 1.0,
        counts: DeviceCounts { reads, read_bytes, ..Default::default() },
        ..DemandInterval::default()
    };
    Demand { timed: true, intervals: seconds.into_iter().map(interval).collect(), ..Demand::default() }
}

fn constant(iops: f64, mibps: f64) -> Demand {
    demand(vec![(iops as u64, (mibps * MIB as f64) as u64); 60])
}

fn find_in(
    demand: &Demand,
    name: &str,
    counts: RangeInclusive<u64>,
    size_gib: u64,
    rule: SizingRule,
    instance: Option<Ceiling>,
) -> Result<Priced, Shortfall> {
    let series = Series::new(demand);
    let task = Task::new(
        TaskLoad::open(&series, rule),
        Requirement::from_demand(demand, Some(size_gib), rule, &|| ()),
        rule.percentile,
        instance,
    );
    best_of_type(name.parse().unwrap(), Platform::Ec2, prices("us-east-1").unwrap(), counts, &task).unwrap()
}

/// Size, IOPS and MiB/s of each of so many volumes for a constant demand; or what is lacking.
fn find(
    name: &str,
    volumes: u64,
    iops: f64,
    mibps: f64,
    size_gib: u64,
) -> Result<(u64, u64, u64), (BindingLimit, f64, f64)> {
    let found = find_in(&constant(iops, mibps), name, volumes..=volumes, size_gib, RULE, None);
    let figures = |found: Priced| (found.config.size_gib, found.config.iops, found.config.throughput_mibps);
    found.map(figures).map_err(|short| (short.resource, short.required, short.max))
}

#[test]
fn gp3_buys_only_what_is_not_included() {
    assert_eq!(find("gp3", 1, 400.0, 10.0, 50), Ok((50, 3_000, 125)));
    // Ordered in hundreds of IOPS and fives of MiB/s; what is on that grid is not raised.
    assert_eq!(find("gp3", 1, 16_680.0, 174.0, 500), Ok((500, 16_700, 175)));
    assert_eq!(find("gp3", 1, 16_700.0, 175.0, 500), Ok((500, 16_700, 175)));
    assert_eq!(find("gp3", 1, 16_701.0, 176.0, 500), Ok((500, 16_800, 180)));
    // 1,000 MiB/s need 4,000 IOPS, and those 8 GiB.
    assert_eq!(find("gp3", 1, 100.0, 1_000.0, 1), Ok((8, 4_000, 1_000)));
    assert_eq!(find("gp3", 2, 16_680.0, 174.0, 500), Ok((250, 8_400, 125)));
}

#[test]
fn provisioned_types_take_room_and_iops_for_each_other() {
    assert_eq!(find("io1", 1, 16_680.0, 174.0, 50), Ok((334, 16_700, 500)));
    assert_eq!(find("io1", 1, 100.0, 600.0, 50), Ok((768, 38_400, 600)));
    // Counted by 256 KiB, 1,000 MiB are 4,000 I/Os.
    assert_eq!(find("io2", 1, 100.0, 1_000.0, 50), Ok((50, 4_000, 1_024)));
}

#[test]
fn what_a_type_cannot_reach_is_said() {
    assert_eq!(find("gp3", 1, 90_000.0, 10.0, 500), Err((BindingLimit::VOLUME_IOPS, 90_000.0, 80_000.0)));
    assert_eq!(find("gp3", 1, 10.0, 2_001.0, 500), Err((BindingLimit::VOLUME_THROUGHPUT, 2_001.0, 2_000.0)));
    assert_eq!(find("io1", 1, 10.0, 10.0, 20_000), Err((BindingLimit::Size, 20_000.0, 16_384.0)));
    assert_eq!(find("gp2", 1, 10.0, 251.0, 500), Err((BindingLimit::VOLUME_THROUGHPUT, 251.0, 250.0)));
    assert_eq!(find("gp3", 2, 90_000.0, 10.0, 500), Ok((250, 45_000, 125)));
    // One request of 8 KiB costs a MiB of an HDD.
    assert_eq!(find("st1", 1, 600.0, 5.0, 500), Err((BindingLimit::VOLUME_IOPS, 600.0, 500.0)));
    let short = find_in(&constant(90_000.0, 10.0), "gp3", 1..=1, 500, RULE, None).unwrap_err();
    assert_eq!(short.best.map(|best| (best.config.size_gib, best.config.iops)), Some((500, 80_000)));
}

#[test]
fn gp2_grows_for_iops_or_lives_on_credits() {
    // 4,500 IOPS for ever: beyond the burst, so three IOPS a GiB.
    assert_eq!(find("gp2", 1, 4_500.0, 40.0, 100), Ok((1_500, 4_500, 250)));
    // Ten busy seconds in ten minutes: the bucket carries them, and 30 GiB earn the mean (100 IOPS at least).
    let busy = demand((0..600).map(|second| if second < 10 { (2_500, MIB) } else { (10, 0) }));
    let found = find_in(&busy, "gp2", 1..=1, 20, RULE, None).unwrap();
    assert_eq!((found.config.size_gib, found.config.iops), (20, 100));
    // Forty minutes at 2,900 IOPS, then nothing for a day: 100 GiB run out after 35 minutes, so it must be larger, and how
    // much is decided by the replay alone: 2,400 s × (2,900 − 3 × size) credits.
    let long = demand((0..14_400).map(|second| if second < 2_400 { (2_900, MIB) } else { (1, 0) }));
    let rule = SizingRule { percentile: 99.0, max_throttled_pct: 0.0, ..RULE };
    assert_eq!(
        find_in(&long, "gp2", 1..=1, 20, rule, None).unwrap().config.size_gib,
        (2_900 - 5_400_000 / 2_400) / 3 + 1
    );
}

/// 8,000 small reads in one of 200 seconds, and 400 MiB of large ones in one of 201: throttled apart, 1 % each is too much together.
#[test]
fn peaks_in_different_seconds_share_what_may_be_throttled() {
    let peaks = demand((1..=12_000u64).map(|second| match second {
        _ if second.is_multiple_of(200) => (8_000, 8_000 * 8_192),
        _ if second.is_multiple_of(201) => (5_000, 400 * MIB),
        _ => (6_000, MIB),
    }));
    let rule = SizingRule { percentile: 90.0, ..RULE };
    let found = find_in(&peaks, "gp3", 1..=1, 100, rule, None).unwrap();
    let series = Series::new(&peaks);
    let task = Task::new(
        TaskLoad::open(&series, rule),
        Requirement::from_demand(&peaks, Some(100), rule, &|| ()),
        rule.percentile,
        None,
    );
    let (iops, mibps) = task.corner();
    assert!(iops < 8_000 && mibps < 400, "{iops} {mibps}");
    // Of both, one must be bought beyond what alone would do.
    assert!(found.config.iops > iops.max(3_000) || found.config.throughput_mibps > mibps.max(125), "{found:?}");
}

#[test]
fn no_volume_is_larger_than_the_instance_carries() {
    let small = Some(Ceiling { iops: 20_000.0, mibps: 500.0 });
    let short = find_in(&constant(30_000.0, 300.0), "gp3", 1..=1, 500, RULE, small).unwrap_err();
    assert_eq!((short.resource, short.required, short.max), (BindingLimit::INSTANCE_IOPS, 30_000.0, 20_000.0));
    let best = short.best.unwrap().config;
    assert_eq!((best.iops, best.throughput_mibps), (20_000, 300));
    let short = find_in(&constant(10_000.0, 800.0), "io2", 1..=1, 500, RULE, small).unwrap_err();
    assert_eq!((short.resource, short.required, short.max), (BindingLimit::INSTANCE_THROUGHPUT, 800.0, 500.0));
}

#[test]
fn at_the_same_price_fewer_volumes_come_first() {
    // What gp3 includes is given with each volume, and a GiB costs the same in two.
    let found = find_in(&constant(100.0, 1.0), "gp3", 1..=28, 560, RULE, None).unwrap();
    assert_eq!((found.volumes, found.config.size_gib), (1, 560));
    // 12,000 IOPS are included with four.
    let found = find_in(&constant(12_000.0, 100.0), "gp3", 1..=28, 560, RULE, None).unwrap();
    assert_eq!((found.volumes, found.config.size_gib, found.config.iops), (4, 140, 3_000));
}

#[test]
fn nothing_is_carried_by_the_least_there_is() {
    for demand in [demand([]), demand([(0, 0); 60])] {
        let found = find_in(&demand, "gp3", 1..=4, 1, RULE, None).unwrap();
        assert_eq!((found.volumes, found.config.size_gib, found.config.iops), (1, 1, 3_000));
    }
}

/// io2 on RDS is one volume up to 399 GiB and four beyond, with the same IOPS: the smaller are not near to 450 GiB.
#[test]
fn what_is_too_small_is_no_near_miss() {
    let demand = constant(300_000.0, 100.0);
    let series = Series::new(&demand);
    let task = Task::new(
        TaskLoad::open(&series, RULE),
        Requirement::from_demand(&demand, Some(450), RULE, &|| ()),
        RULE.percentile,
        None,
    );
    let here = prices("us-east-1").unwrap();
    let short = best_of_type(VolumeType::Io2, Platform::Rds, here, 1..=1, &task).unwrap().unwrap_err();
    assert_eq!((short.resource, short.required, short.max), (BindingLimit::VOLUME_IOPS, 300_000.0, 256_000.0));
    assert_eq!(short.best.map(|best| best.config.size_gib), Some(450));
}
