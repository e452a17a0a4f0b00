//! Short lists, recommendations and rationales of the workloads of `advise_tests.rs`, without predictions: 6,250 reads a second
//! need 7,500 IOPS. 100 GiB of gp3 are $8.00 with 3,000 IOPS, and 4,500 × $0.005 = $22.50 more with 7,500.

use super::*;
use crate::decision::advise::tests::{DATA, Load, advice, declare, declared_advice, window};
use crate::decision::rationale::Rationale;
use crate::decision::recommendation::Recommendation;
use crate::evaluate::reason::Provisioning;
use crate::request::settings::Settings;
use ebs_aws::catalogue::{VolumeType, prices};
use ebs_prediction::BindingLimit;
use ebs_workload::declarations::Declarations;

const BUSY: Load = Load { reads: 6_250, read_ms: 3_000, ..DATA };

fn checked(settings: &Settings) -> Request {
    settings.check(prices("us-east-1").unwrap().clone()).unwrap()
}

/// Place, type, IOPS and price of each row.
fn rows(role: &RoleAdvice, settings: &Settings, max_rows: usize) -> Vec<(Place, &'static str, u64, String)> {
    let shortlist = role.shortlist(&checked(settings), max_rows);
    let row = |row: &ShortlistRow| {
        let ShortlistRow { place, candidate, .. } = *row;
        (place, candidate.config.volume_type.name(), candidate.config.iops, candidate.total().to_string())
    };
    shortlist.iter().map(row).collect()
}

fn role(load: Load, settings: &Settings) -> RoleAdvice {
    advice(&window(&[load], &[]), settings.clone()).roles.remove(0)
}

/// io2 of 7,500 IOPS is 12.50 + 487.50; io1 costs as much for more latency, and gp2 of 2,500 GiB is $250.00 for no more. Four gp3 of 25 GiB
/// have 12,000 IOPS for the $8.00 of one with 3,000.
#[test]
fn the_list_holds_what_is_cheaper_and_faster_and_nothing_worse() {
    let settings = Settings::default();
    let listed = rows(&role(BUSY, &settings), &settings, 5);
    let row = |place, name, iops, usd: &str| (place, name, iops, usd.to_owned());
    let expected = [
        row(Place::Cheaper, "gp3", 3_000, "8"),
        row(Place::Stripe, "gp3", 3_000, "8"),
        row(Place::Named, "gp3", 7_500, "30.5"),
        row(Place::Faster, "io2", 7_500, "500"),
    ];
    assert_eq!(listed, expected);
    // A list of two keeps the recommended volumes.
    assert_eq!(rows(&role(BUSY, &settings), &settings, 2), expected[1..3]);
    assert_eq!(rows(&role(BUSY, &settings), &settings, 1), expected[2..3]);
}

/// RDS includes 3,000 IOPS in gp3 of less than 400 GiB, and adds none: $0.115 × 100 GiB, as gp2 of that size with its 300. From 400 GiB
/// it includes 12,000: $46.00.
#[test]
fn the_smaller_gp3_of_rds_stands_beside_the_larger_one() {
    let settings = Settings { platform: "rds".into(), min_size_gib: Some(100), ..Settings::default() };
    let listed = rows(&role(BUSY, &settings), &settings, 5);
    let row = |place, name, iops, usd: &str| (place, name, iops, usd.to_owned());
    assert_eq!(listed[..2], [row(Place::Cheaper, "gp3", 3_000, "11.5"), row(Place::Named, "gp3", 12_000, "46")]);
    // Also where more than the included 12,000 are ordered: 15,000 reads and a fifth are 18,000 IOPS, 6,000 × $0.02 more.
    let busier = role(Load { reads: 15_000, ..BUSY }, &settings);
    let gp3 = busier.candidates.iter().filter(|candidate| candidate.config.volume_type == VolumeType::Gp3);
    let mut gp3: Vec<(u64, u64, String)> =
        gp3.map(|one| (one.config.size_gib, one.config.iops, one.total().to_string())).collect();
    gp3.sort();
    let row = |gib, iops, usd: &str| (gib, iops, usd.to_owned());
    assert_eq!(gp3, [row(100, 3_000, "11.5"), row(400, 12_000, "46"), row(400, 18_000, "166")]);
    // 3,000 cover 2,000 and a fifth: one row of the type.
    let quiet = role(Load { reads: 2_000, ..BUSY }, &settings);
    assert_eq!(quiet.candidates.iter().filter(|one| one.config.volume_type == VolumeType::Gp3).count(), 1);
}

/// gp3 with 7,500 IOPS is $30.50, with 6,300 for 6,250 reads without headroom $24.50. For $20.00 5,400 IOPS throttle them; for $7.99 there is
/// nothing, and the nearest exceeds the budget by the smallest share.
#[test]
fn a_budget_chooses_the_best_within_it() {
    let budget = |usd: &str| Settings { budget_usd: Some(usd.parse().unwrap()), ..Settings::default() };
    let named = |settings: &Settings| {
        let role = role(BUSY, settings);
        let recommendation = role.recommendation(&checked(settings));
        let is_miss = matches!(recommendation, Recommendation::Nothing(_));
        let missed = matches!(role.rationale(&checked(settings)), Some(Rationale::Missed(_)));
        assert_eq!(is_miss, missed);
        (is_miss, recommendation.volumes().unwrap().total().to_string())
    };
    assert_eq!(named(&budget("30.5")), (false, "30.5".to_owned()));
    assert_eq!(named(&budget("30.49")), (false, "30".to_owned()));
    assert_eq!(named(&budget("24.49")), (false, "24".to_owned()));
    assert_eq!(named(&budget("7.99")), (true, "8".to_owned()));
}

/// 24,000 IOPS with headroom: gp2's 16,000 miss them by 50 %, and its $533.40 the budget of $100 by 433 %; gp3's $115.60 (8 + 21,000 ×
/// 0.005 + 65 × 0.04) exceed it by 16 %.
#[test]
fn volumes_that_miss_a_limit_and_the_budget_are_no_near_miss() {
    let settings = Settings { budget_usd: Some("7".parse().unwrap()), ..Settings::default() };
    let role = role(Load { reads: 20_000, read_ms: 10_000, ..DATA }, &settings);
    let Recommendation::Nothing(Some(nearest)) = role.recommendation(&checked(&settings)) else { panic!() };
    assert_eq!((nearest.config.volume_type, nearest.config.iops), (VolumeType::Gp3, 3_000));
}

/// Reads of 0.2 ms: io2's 0.40 miss them by 100 %, io1's 0.55 by 175 %, gp3's 0.74 by 270 %, and the 0.73 of gp2, which misses 24,000 IOPS
/// by 50 % alone, by 265 %. For $100, io2 (12.50 + 24,000 × 0.065) costs 1,472 % too much, gp2 433 %, and gp3 16 %: 270 % is the least.
#[test]
fn the_nearest_miss_counts_every_limit_that_it_misses() {
    let nearest = |settings: Settings| {
        let role = role(Load { reads: 20_000, read_ms: 10_000, ..DATA }, &settings);
        let Recommendation::Nothing(Some(nearest)) = role.recommendation(&checked(&settings)) else { panic!() };
        (nearest.config.volume_type, nearest.config.iops)
    };
    let target = |ms| Settings { latency_target_ms: Some(ms), ..Settings::default() };
    assert_eq!([0.2, 0.1, 0.32].map(|ms| nearest(target(ms))), [(VolumeType::Io2, 24_000); 3]);
    let within = Settings { budget_usd: Some("100".parse().unwrap()), ..target(0.2) };
    assert_eq!(nearest(within), (VolumeType::Gp3, 24_000));
}

/// m5.large sustains 3,600 IOPS: 100 GiB of gp3 with as many are 8 + 600 × 0.005.
#[test]
fn an_instance_at_its_limit_is_the_recommendation() {
    let settings = Settings { instance: Some("m5.large".into()), ..Settings::default() };
    let role = role(BUSY, &settings);
    let request = checked(&settings);
    let Recommendation::LargerInstance(Some(interim)) = role.recommendation(&request) else {
        panic!("{:?}", role.recommendation(&request))
    };
    assert_eq!((interim.config.volume_type, interim.total().to_string()), (VolumeType::Gp3, "11".to_owned()));
    assert!(matches!(role.rationale(&request), Some(Rationale::Instance(_))));
    assert!(role.shortlist(&request, 5).iter().any(|row| row.place == Place::Named && row.candidate == interim));
}

/// 20,000 reads a second of 0.37 ms by a closed loop: gp3 takes twice as long, and sessions send less.
#[test]
fn the_kept_throughput_is_the_rationale_of_a_closed_loop() {
    let waits = [("IO", "DataFileRead", 500), ("CPU*", "CPU*", 500)];
    let load = Load { reads: 20_000, read_ms: 7_400, ..DATA };
    let role = declared_advice(&window(&[load], &waits), Settings::default(), &Declarations::default()).roles.remove(0);
    let request = checked(&Settings::default());
    let Some(Rationale::Provisioned { provisioning: Provisioning::KeepsThroughput { kept, .. }, .. }) =
        role.rationale(&request)
    else {
        panic!("{:?}", role.rationale(&request))
    };
    assert!((0.98..0.99).contains(&kept.share()) && (kept.used.iops - 13_100.0).abs() < 1.0, "{kept:?}");
    let listed = rows(&role, &Settings::default(), 5);
    let iops = |place| listed.iter().find(|row| row.0 == place).map(|row| row.2);
    assert_eq!(iops(Place::Peak), Some(24_000), "{listed:?}");
    assert!(iops(Place::Named) < iops(Place::Peak) && iops(Place::Closed).is_none());
}

#[test]
fn the_basis_of_the_order_is_the_rationale_elsewhere() {
    let settings = Settings::default();
    let gp3 = declare(VolumeType::Gp3, 500, None);
    let role = declared_advice(&window(&[DATA], &[]), settings.clone(), &gp3).roles.remove(0);
    assert!(matches!(role.rationale(&checked(&settings)), Some(Rationale::Provisioned { .. })));
}

/// 2,800 and a fifth are 3,360 IOPS: the 3,000 that gp3 includes serve all recorded seconds, without the headroom. 2,500 and a fifth are
/// 3,000.
#[test]
fn gp3_with_its_included_limits_is_a_row_where_it_lacks_headroom_alone() {
    let included = |reads| {
        let role = role(Load { reads, ..DATA }, &Settings::default());
        let config = |one: &&Candidate| (one.config.volume_type, one.config.iops) == (VolumeType::Gp3, 3_000);
        let rows: Vec<&Candidate> = role.candidates.iter().filter(config).collect();
        let [row] = rows.as_slice() else { panic!("{}", rows.len()) };
        (row.feasible, row.bound, row.excess.map(|excess| (excess.required.round(), excess.limit)))
    };
    assert_eq!(included(2_500), (true, BindingLimit::None, None));
    assert_eq!(included(2_800), (false, BindingLimit::VOLUME_IOPS, Some((3_360.0, 3_000.0))));
}
