//! Less headroom than requested, and the best within a budget.

use super::*;
use crate::decision::advise::tests::{DATA, Load, advice, data, dollars, rds, window};
use crate::decision::role_advice::RoleAdvice;
use crate::evaluate::reason::{Provisioning, Sufficient};
use crate::evaluate::risk::Risk;
use crate::request::settings::Settings;
use crate::scenario::variation::VariedArgument;

/// 84,000 IOPS are more than one gp3 has, and as io2 over 4,000 dollars; 80,000 are 14 % of headroom, and cost 160 × 0.08 + 77,000 × 0.005 +
/// 500 × 0.04 = 417.80. Two volumes of 42,000 cost 398. For 200 dollars 70,000 reads are throttled all of the time, and for 5 dollars there is
/// nothing.
#[test]
fn headroom_and_budget_are_wishes_with_a_price() {
    let load = Load { reads: 70_000, read_ms: 30_000, ..DATA };
    let with = |budget: Option<&str>| data(load, Settings { budget_usd: budget.map(dollars), ..Settings::default() });
    let relaxation = |role: &RoleAdvice| match &role.best().unwrap().reason {
        Reason::Sufficient(Sufficient { provisioning: Provisioning::Relaxed { relaxation, .. }, .. }) => *relaxation,
        reason => panic!("{reason:?}"),
    };
    let any = with(None);
    let (best, part) = (any.best().unwrap(), relaxation(&any));
    assert_eq!((best.config.volume_type, part.cause), (VolumeType::Gp3, RelaxationCause::PriceOfHeadroom));
    assert!((0.12..0.143).contains(&part.headroom.unwrap()) && best.config.iops >= 79_000, "{part:?} {best:?}");
    assert!(part.whole.is_some_and(|(volume_type, ..)| volume_type == VolumeType::Io2));
    assert_eq!(any.candidates[1].config.volume_type, VolumeType::Io2);
    let tight = with(Some("200"));
    let part = relaxation(&tight);
    assert_eq!((part.cause, part.headroom), (RelaxationCause::Budget(dollars("200")), None));
    assert!(tight.best().unwrap().total() > dollars("190") && tight.best().unwrap().risk == Some(Risk::VeryHigh));
    assert_eq!(tight.variations.iter().map(|one| one.argument).next(), Some(VariedArgument::MaxVolumes(16)));
    let nothing = with(Some("5"));
    assert!(nothing.best().is_none() && nothing.procedure.is_none() && nothing.variations.is_empty());
}

/// 3,500 MiB/s fit gp3 of RDS, which has 4,000 at most; with a headroom of 20 % nothing carries them, and 14 % are left.
#[test]
fn the_most_headroom_that_is_to_be_had_is_recommended() {
    let load = Load { reads: 14_000, kib: 256, read_ms: 10_000, ..DATA };
    let role = data(load, Settings { min_size_gib: Some(500), ..rds() });
    let best = role.best().unwrap();
    let Reason::Sufficient(Sufficient { provisioning: Provisioning::Relaxed { relaxation, .. }, .. }) = &best.reason
    else {
        panic!("{:?}", best.reason)
    };
    assert_eq!((relaxation.cause, relaxation.whole), (RelaxationCause::PriceOfHeadroom, None));
    assert!((0.13..0.143).contains(&relaxation.headroom.unwrap()), "{relaxation:?}");
    // Without headroom there is nothing to leave out.
    let all = data(load, Settings { min_size_gib: Some(500), headroom: Some(0.0), ..rds() });
    assert!(all.best().unwrap().total() < best.total());
    let too_much = Load { reads: 17_000, ..load };
    assert!(data(too_much, Settings { min_size_gib: Some(500), ..rds() }).best().is_none());
}

/// A closed loop of gp3 of RDS below 400 GiB: 98 % of its throughput need more than the 3,000 IOPS of $2.30, which give 96 %.
#[test]
fn the_last_per_cent_of_a_closed_loop_is_a_wish_with_a_price() {
    let role = |reads: u64| {
        let load = Load { reads, read_ms: reads * 74 / 100, ..DATA };
        let waits = [("IO", "DataFileRead", reads * 74 / 2_000), ("CPU*", "CPU*", 25)];
        let settings = Settings { min_size_gib: Some(20), ..rds() };
        advice(&window(&[load], &waits), settings).roles.remove(0)
    };
    let (whole, part, fast) = (role(3_000), role(3_180), role(3_600));
    assert_eq!([&whole, &part, &fast].map(|role| role.best().unwrap().total()), ["2.3", "2.3", "46"].map(dollars));
    let Reason::Sufficient(Sufficient { provisioning: Provisioning::Relaxed { relaxation, kept }, .. }) =
        &part.best().unwrap().reason
    else {
        panic!("{:?}", part.best().unwrap().reason)
    };
    assert_eq!(relaxation.cause, RelaxationCause::PriceOfThroughput);
    assert_eq!(
        relaxation.whole.map(|(volume_type, _, price)| (volume_type, price)),
        Some((VolumeType::Gp3, dollars("46")))
    );
    assert!((0.9..0.98).contains(&kept.unwrap().share()), "{kept:?}");
}
