//! Stripes where the instance binds, under a budget, and with a requested durability. Dollars are us-east-1's: gp3 0.08 a GiB
//! and 0.005 an IOPS above 3,000 of each volume.

use super::advise::tests::{DATA, Load, WAL, advice, data, window};
use crate::evaluate::candidate::Candidate;
use crate::request::settings::{Request, Settings};
use crate::{Reason, RoleAdvice};
use crate::{Variation, VariedArgument};
use ebs_aws::catalogue::{VolumeType, prices};
use ebs_base::units::Usd;
use ebs_prediction::BindingLimit;

fn checked(settings: &Settings) -> Request {
    settings.check(prices("us-east-1").unwrap().clone()).unwrap()
}

fn usd(text: &str) -> Usd {
    text.parse().unwrap()
}

/// Type, number and price.
fn volumes(candidate: &Candidate) -> (&'static str, u64, Usd) {
    (candidate.config.volume_type.name(), candidate.volumes, candidate.total())
}

fn striped() -> Settings {
    Settings { max_volumes: Some(8), ..Settings::default() }
}

/// 160 GiB: m5.large carries 3,600 IOPS, and 10,000 are demanded. One gp3 with 3,600 IOPS costs
/// 12.80 + 600 × 0.005 = 15.80; two of 80 GiB have 6,000 for 12.80.
fn saturated(settings: Settings) -> (RoleAdvice, Request) {
    let settings = Settings { instance: Some("m5.large".into()), min_size_gib: Some(160), ..settings };
    let request = checked(&settings);
    (data(Load { reads: 10_000, read_ms: 3_000, ..DATA }, settings), request)
}

#[test]
fn a_stripe_carries_all_that_the_instance_delivers_for_less() {
    let best = |settings| {
        let (role, request) = saturated(settings);
        assert!(role.best().is_none());
        role.recommendation(&request).volumes().map(volumes)
    };
    assert_eq!(best(Settings::default()), Some(("gp3", 1, usd("15.80"))));
    assert_eq!(best(striped()), Some(("gp3", 2, usd("12.80"))));
    // A cent decides.
    let within = |budget: &str| Settings { budget_usd: Some(usd(budget)), ..striped() };
    assert_eq!([best(within("12.80")), best(within("12.79"))], [Some(("gp3", 2, usd("12.80"))), None]);
    // Two of 99.8 % have 99.6004 %.
    let durable = |pct| best(Settings { durability_pct: Some(pct), ..striped() });
    assert_eq!(durable(99.6), Some(("gp3", 2, usd("12.80"))));
    assert_eq!(durable(99.7), Some(("gp3", 1, usd("15.80"))));
    assert_eq!(durable(99.9).map(|found| (found.0, found.1)), Some(("io2", 1)));
}

/// Every number of gp3 volumes by hand: the cheapest that has the size, the IOPS, the MiB/s (0.04 each above 125, 128 requests of
/// 8 KiB) and the durability.
#[test]
fn stripes_agree_with_brute_force() {
    for reads in [2_000u64, 2_600, 5_000, 8_000, 20_000] {
        for requested_pct in [99.8, 99.61, 99.6, 99.3, 98.5] {
            let settings = Settings { durability_pct: Some(requested_pct), min_size_gib: Some(200), ..striped() };
            let role = data(Load { reads, read_ms: 1_000, ..DATA }, settings);
            let required = (reads as f64 * 1.2).ceil() as u64;
            let cost = |count: u64| {
                let iops = required.div_ceil(count).next_multiple_of(100).max(3_000);
                let mibps = required.div_ceil(128).div_ceil(count).next_multiple_of(5).max(125);
                (count * (800 * 200u64.div_ceil(count) + 50 * (iops - 3_000) + 400 * (mibps - 125)), count)
            };
            let durable = |count: &u64| 0.998f64.powf(*count as f64) * 100.0 >= requested_pct - 1e-9;
            let (cost, count) = (1..=8).filter(durable).map(cost).min().unwrap();
            let best = role.best().unwrap();
            let expected = ("gp3", count, usd("0.0001") * cost);
            assert_eq!(volumes(best), expected, "{reads} reads, {requested_pct} %");
        }
    }
}

/// 12,000 IOPS on 200 GiB: one gp3 costs 16 + 45, four 16. Four have 0.998⁴ = 99.2024 %.
#[test]
fn a_stripe_that_is_too_fragile_is_shown_and_excluded() {
    let role = data(
        Load { reads: 10_000, read_ms: 1_000, ..DATA },
        Settings { durability_pct: Some(99.5), min_size_gib: Some(200), ..striped() },
    );
    let best = role.best().unwrap();
    // Two of 6,000: 16 + 2 × 15.
    assert_eq!(volumes(best), ("gp3", 2, usd("46")));
    let is_fragile = |c: &&Candidate| c.config.volume_type == VolumeType::Gp3 && c.bound == BindingLimit::Durability;
    let fragile = role.candidates.iter().find(is_fragile).unwrap();
    assert_eq!((volumes(fragile), fragile.feasible), (("gp3", 4, usd("16")), false));
    let Reason::Durability { promised_pct, requested_pct } = fragile.reason else { panic!("{:?}", fragile.reason) };
    assert!((promised_pct - 99.202_396_8).abs() < 1e-6 && requested_pct == 99.5, "{promised_pct}");
}

/// The stripe that another max_volumes gives.
fn varied(role: &RoleAdvice) -> Option<(VariedArgument, (&'static str, u64, Usd))> {
    let is_stripe = |one: &&Variation| matches!(one.argument, VariedArgument::MaxVolumes(_));
    let stripe = role.variations.iter().find(is_stripe)?;
    Some((stripe.argument, volumes(stripe.best.as_ref()?)))
}

/// 24,000 IOPS on 200 GiB, 16 dollars: two of 12,000 add 2 × 9,000 × 0.005 = 90, four of 6,000 add 60, eight of 3,000 nothing. One with
/// 24,000 IOPS and 190 MiB/s adds 105 + 2.60.
#[test]
fn the_cheapest_stripe_is_named_beside_the_best_within_a_budget() {
    let stripe = |budget: &str, max_volumes| {
        let settings =
            Settings { budget_usd: Some(usd(budget)), min_size_gib: Some(200), max_volumes, ..Settings::default() };
        let role = data(Load { reads: 20_000, read_ms: 1_000, ..DATA }, settings);
        (role.best().is_some(), varied(&role))
    };
    let gp3 = |count: u64, price| Some((VariedArgument::MaxVolumes(count), ("gp3", count, usd(price))));
    let eight = (true, gp3(8, "16"));
    assert_eq!(["123.60", "123.59", "106", "75.99"].map(|budget| stripe(budget, None)), [eight; 4]);
    assert_eq!(stripe("15.99", None), (false, None));
    // Beside two volumes that were requested, too, which meet the request or a part of it.
    assert_eq!([stripe("123.60", Some(2)), stripe("75.99", Some(2))], [eight; 2]);
}

/// 12,000 IOPS on 200 GiB: two are 46, four 16; the WAL's volume has its part of the budget.
#[test]
fn a_stripe_is_within_the_part_of_the_budget_that_the_other_volume_leaves() {
    let both = window(&[Load { reads: 10_000, read_ms: 1_000, ..DATA }, WAL], &[]);
    let settings = |budget_usd| Settings { budget_usd, min_size_gib: Some(200), ..Settings::default() };
    let log = advice(&both, settings(None)).roles[1].best().unwrap().total();
    let stripe = |budget: Usd| varied(&advice(&both, settings(Some(budget))).roles[0]);
    let gp3 = |count: u64, price| Some((VariedArgument::MaxVolumes(count), ("gp3", count, usd(price))));
    assert_eq!([stripe(usd("46") + log), stripe(usd("16") + log)], [gp3(4, "16"); 2]);
    assert_eq!(stripe(usd("15.99") + log), None);
}
