//! Present volumes that stay. 2,000 IOPS and a fifth are 2,400, which the 3,000 that gp3 includes cover for $40 at 500 GiB; 3,100 IOPS cost
//! 50 cents more.

use crate::decision::action::{Action, ActionReason};
use crate::decision::advise::tests::{DATA, Load, declare, declared_advice, window};
use crate::decision::role_advice::RoleAdvice;
use crate::decision::step::{Choice, Step};
use crate::evaluate::candidate::Excess;
use crate::evaluate::reason::{Provisioning, Reason, Sufficient};
use crate::request::settings::Settings;
use ebs_aws::catalogue::{Platform, VolumeConfig, VolumeType, prices};
use ebs_base::units::Usd;
use ebs_prediction::BindingLimit;
use ebs_samples::evidence::{Tier, Window};
use ebs_workload::declarations::{Declarations, Declared};

/// Advice beside so many gp3 of 500 GiB with these IOPS, whose decision is held against its first candidate.
fn role(volumes: u64, iops: u64, settings: Settings) -> RoleAdvice {
    let config = VolumeConfig::new(Platform::Ec2, VolumeType::Gp3, 500, Some(iops), Some(125)).unwrap();
    let data = Declared::new("data", config, volumes);
    let declared = Declarations { instance: None, volumes: vec![data], ..Declarations::default() };
    let seen = window(&[Load { reads: 2_000, read_ms: 1_600, ..DATA }], &[]);
    let role = declared_advice(&seen, settings, &declared).roles.remove(0);
    let (best, decision) = (role.best().unwrap(), &role.decision);
    let ordered = decision.volumes.map(|priced| (priced.config, priced.volumes));
    assert_eq!(ordered, Some((best.config, best.volumes)));
    assert_eq!(decision.risk, best.risk);
    assert_eq!(best.missed_targets, []);
    role
}

fn ordered(role: &RoleAdvice) -> (Action, VolumeType, u64, u64, String) {
    let best = role.best().unwrap();
    let (config, total) = (best.config, best.total().to_string());
    (role.decision.action, config.volume_type, config.size_gib * best.volumes, config.iops, total)
}

#[test]
fn volumes_stay_where_a_change_would_save_too_little() {
    let role = role(1, 3_100, Settings::default());
    assert_eq!(ordered(&role), (Action::Keep, VolumeType::Gp3, 500, 3_100, "40.5".to_owned()));
    let Reason::Sufficient(Sufficient { provisioning, .. }) = &role.best().unwrap().reason else { panic!() };
    assert_eq!(*provisioning, Provisioning::SavesTooLittle { saved: Usd::from_cents(50) });
    let steps = role.steps(&Settings::default().check(prices("us-east-1").unwrap().clone()).unwrap(), 600.0);
    let usd = |choice: &Choice| choice.usd_month.unwrap().cents();
    let [.., Step::Choice(Some(found)), Step::Kept(kept)] = steps.as_slice() else { panic!("{steps:?}") };
    assert_eq!((usd(found), usd(kept)), (4_000, 4_050));
    // The demand is the same with any headroom up to a half, and so is what stays.
    assert!(role.variations.iter().all(|variation| variation.best.as_ref() != role.best()), "{:?}", role.variations);
}

#[test]
fn volumes_do_not_stay_over_the_budget() {
    let within = |cents| Settings { budget_usd: Some(Usd::from_cents(cents)), ..Settings::default() };
    assert_eq!(ordered(&role(1, 3_100, within(4_050))).0, Action::Keep);
    let changed = (Action::Modify, VolumeType::Gp3, 500, 3_000, "40".to_owned());
    assert_eq!(ordered(&role(1, 3_100, within(4_049))), changed);
}

#[test]
fn volumes_do_not_stay_below_the_requested_size_or_durability_nor_above_the_number() {
    let larger = Settings { min_size_gib: Some(600), ..Settings::default() };
    assert_eq!(ordered(&role(1, 3_100, larger)), (Action::Modify, VolumeType::Gp3, 600, 3_000, "48".to_owned()));
    let durable = Settings { durability_pct: Some(99.999), ..Settings::default() };
    let durable = role(1, 3_100, durable);
    assert_eq!(ordered(&durable).1, VolumeType::Io2);
    // It carries the demand: what it lacks is durability.
    let ActionReason::PresentMissesTarget { missed, .. } = &durable.decision.reason else {
        panic!("{:?}", durable.decision.reason)
    };
    assert_eq!(missed.as_slice(), [(BindingLimit::Durability, Excess { required: 99.999, limit: 99.8 })]);
    let demanding = Settings { headroom: Some(1.0), ..Settings::default() };
    assert!(matches!(role(1, 3_000, demanding).decision.reason, ActionReason::PresentTooSmall(_)));
    let one = Settings { max_volumes: Some(1), ..Settings::default() };
    assert_eq!(ordered(&role(2, 3_000, one)).0, Action::Modify);
    assert_eq!(ordered(&role(2, 3_000, Settings::default())).0, Action::Keep);
}

/// 20 MiB/s in requests of 256 KiB on st1 of 1,000 GiB, of a PostgreSQL that was sampled.
#[test]
fn a_database_does_not_stay_on_hard_disks() {
    let seen = window(&[Load { reads: 80, kib: 256, read_ms: 400, ..DATA }], &[("IO", "DataFileRead", 5)]);
    let role = |seen: &Window| {
        let settings = Settings { min_size_gib: Some(1_000), ..Settings::default() };
        declared_advice(seen, settings, &declare(VolumeType::St1, 1_000, None)).roles.remove(0)
    };
    assert_eq!(role(&seen).decision.action, Action::Modify);
    let mut counts = seen.clone();
    counts.sampling.tier = Tier::Imported;
    assert_eq!(role(&counts).decision.action, Action::Modify);
    counts.totals.waits = Default::default();
    assert_eq!(ordered(&role(&counts)), (Action::Keep, VolumeType::St1, 1_000, 500, "45".to_owned()));
}

/// The smaller size that is requested is no reason for a change, and the budget is.
#[test]
fn volumes_of_another_size_stay_within_the_budget() {
    let smaller = |budget_usd| Settings { min_size_gib: Some(100), budget_usd, ..Settings::default() };
    assert_eq!(ordered(&role(1, 3_000, smaller(None))), (Action::Keep, VolumeType::Gp3, 500, 3_000, "40".to_owned()));
    let within = ordered(&role(1, 3_000, smaller(Some(Usd::from_cents(2_000)))));
    assert_eq!(within, (Action::Modify, VolumeType::Gp3, 100, 3_000, "8".to_owned()));
}
