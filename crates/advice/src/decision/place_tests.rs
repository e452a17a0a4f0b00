//! Volumes in Local and Wavelength Zones, on Outposts, in regions without prices, and with Multi-Attach.

use crate::decision::advice::Advice;
use crate::decision::advise::advise;
use crate::decision::advise::tests::{DATA, Load, window};
use crate::decision::step::Step;
use crate::evaluate::availability::Unavailable;
use crate::evaluate::reason::Reason;
use crate::migration::rule::MigrationRule;
use crate::request::settings::{Request, Settings};
use ebs_aws::catalogue::{Platform, PrintedVolume, VolumeConfig, VolumeType, prices};
use ebs_workload::declarations::{Declarations, Declared};

fn request(platform: Platform, place: &str) -> Request {
    let known = prices("us-west-2").unwrap().clone();
    let prices = if place == known.region { known } else { known.stand_in_for(place) };
    Settings { platform: platform.name().to_owned(), ..Settings::default() }.check(prices).unwrap()
}

fn declared(config: VolumeConfig, is_multi_attach: bool) -> Declarations {
    let data =
        Declared { volume: "data".into(), config, volumes: 1, declared_us: 0, imported_us: Some(1), is_multi_attach };
    Declarations { instance: None, volumes: vec![data], ..Declarations::default() }
}

fn config(platform: Platform, volume_type: VolumeType, iops: Option<u64>) -> VolumeConfig {
    let printed = PrintedVolume { size_gib: Some(500), iops, throughput_mibps: None };
    VolumeConfig::from_printed_in(platform, volume_type, printed).unwrap()
}

fn advice(load: Load, request: &Request, declared: &Declarations) -> Advice {
    advise(&window(&[load], &[]), request, declared, &|| ())
}

/// Names of the feasible types, in their order.
fn feasible(advice: &Advice) -> Vec<&'static str> {
    let mut types: Vec<_> = advice.roles[0].candidates.iter().filter(|one| one.feasible).collect();
    types.dedup_by_key(|one| one.config.volume_type);
    types.iter().map(|one| one.config.volume_type.name()).collect()
}

fn has_amount(advice: &Advice) -> bool {
    let role = &advice.roles[0];
    let current = role.current.as_ref().and_then(|current| current.bill);
    role.candidates.iter().any(|one| one.bill.is_some() || one.saving.is_some()) || current.is_some()
}

const SLOW: Load = Load { reads: 200, ..DATA };

#[test]
fn a_local_zone_has_gp2_and_the_type_of_its_present_volume() {
    let request = request(Platform::LocalZone, "us-west-2-lax-1a");
    let gp2 = config(Platform::LocalZone, VolumeType::Gp2, None);
    let found = advice(SLOW, &request, &declared(gp2, false));
    assert_eq!((feasible(&found), has_amount(&found)), (vec!["gp2"], false));
    let gp3 = found.roles[0].candidates.iter().find(|one| one.config.volume_type == VolumeType::Gp3).unwrap();
    let zone = "us-west-2-lax-1a".to_owned();
    assert_eq!(gp3.reason, Reason::Unavailable(Unavailable::Zone { zone }));
    let is_included = |step: &Step| matches!(step, Step::Included { .. });
    assert!(!found.roles[0].steps(&request, 600.0).iter().any(is_included), "gp3 is not known to be there");
    let gp3 = VolumeConfig::new(Platform::LocalZone, VolumeType::Gp3, 500, None, None).unwrap();
    let found = advice(SLOW, &request, &declared(gp3, false));
    assert_eq!((feasible(&found), has_amount(&found)), (vec!["gp3", "gp2"], false));
}

/// The catalogue has no storage types of RDS there, not even gp2 beside gp3; and a gp3 volume of EC2 is no storage of RDS.
#[test]
fn rds_in_a_local_zone_has_the_type_of_its_present_storage() {
    let zone = "us-west-2-lax-1a";
    let in_zone = request(Platform::Rds, zone);
    for volume_type in [VolumeType::Gp2, VolumeType::Gp3] {
        let present = VolumeConfig::new(Platform::Rds, volume_type, 500, None, None).unwrap();
        let found = advice(SLOW, &in_zone, &declared(present, false));
        assert_eq!((feasible(&found), has_amount(&found)), (vec![volume_type.name()], false));
        let other = found.roles[0].candidates.iter().find(|one| one.config.volume_type == VolumeType::Io2).unwrap();
        assert_eq!(other.reason, Reason::Unavailable(Unavailable::RdsZone { zone: zone.to_owned() }));
        let found = advice(SLOW, &request(Platform::Rds, "us-west-2"), &declared(present, false));
        assert!(feasible(&found).len() > 1 && has_amount(&found));
    }
    let volume = VolumeConfig::new(Platform::Ec2, VolumeType::Gp3, 500, None, None).unwrap();
    for declared in [declared(volume, false), Declarations::default()] {
        assert!(feasible(&advice(SLOW, &in_zone, &declared)).is_empty());
    }
}

#[test]
fn other_places_have_their_own_types_and_no_prices() {
    let none = Declarations::default();
    for (platform, place, types) in [
        (Platform::Wavelength, "us-west-2-wl1-las-wlz-1", vec!["gp2"]),
        (Platform::Outposts, "us-west-2", vec!["gp3", "gp2"]),
        (Platform::Ec2, "cn-north-1", vec!["gp3", "gp2", "io2", "io1"]),
    ] {
        let found = advice(SLOW, &request(platform, place), &none);
        assert_eq!(feasible(&found), types, "{platform:?}");
        assert!(!has_amount(&found) && found.named_usd(&request(platform, place)).is_none(), "{platform:?}");
    }
    assert!(has_amount(&advice(SLOW, &request(Platform::Ec2, "us-west-2"), &none)));
}

/// An advice for the region on a volume that is in a Local Zone: the price of the zone stays unknown.
#[test]
fn a_volume_in_a_zone_has_no_price_of_the_region() {
    let gp2 = config(Platform::LocalZone, VolumeType::Gp2, None);
    let found = advice(SLOW, &request(Platform::Ec2, "us-west-2"), &declared(gp2, false));
    let role = &found.roles[0];
    assert_eq!(role.current.as_ref().unwrap().bill, None);
    assert!(role.best().unwrap().bill.is_some() && role.best().unwrap().saving.is_none());
}

#[test]
fn a_budget_without_prices_is_refused() {
    let budget = Settings { budget_usd: "100".parse().ok(), platform: "outposts".to_owned(), ..Settings::default() };
    let error = budget.check(prices("us-east-1").unwrap().clone()).unwrap_err();
    assert_eq!(error.to_string(), "budget_usd cannot be checked: the prices of outposts are not in the catalogue");
}

#[test]
fn a_multi_attach_volume_stays_io1_or_io2() {
    let request = request(Platform::Ec2, "us-west-2");
    for (volume_type, is_modified) in [(VolumeType::Io2, true), (VolumeType::Io1, false)] {
        let present = config(Platform::Ec2, volume_type, Some(20_000));
        let found = advice(SLOW, &request, &declared(present, true));
        assert_eq!(feasible(&found), ["io2", "io1"]);
        let role = &found.roles[0];
        let gp3 = role.candidates.iter().find(|one| one.config.volume_type == VolumeType::Gp3).unwrap();
        assert_eq!(gp3.reason, Reason::Unavailable(Unavailable::MultiAttach));
        let procedure = role.procedure.as_ref().unwrap();
        assert_eq!(role.best().unwrap().config.volume_type, VolumeType::Io2);
        let rule = if is_modified { MigrationRule::MultiAttachModified } else { MigrationRule::MultiAttachCopied };
        assert!(procedure.rules.contains(&rule), "{procedure:?}");
        assert_eq!(procedure.change.lines.iter().any(|line| line.contains("modify-volume")), is_modified);
        assert_eq!(procedure.change.lines.is_empty(), !is_modified);
    }
}
