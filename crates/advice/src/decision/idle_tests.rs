//! Idle volumes against their prices and the durability that is asked for.

use super::*;
use crate::request::settings::Settings;
use ebs_aws::catalogue::{Platform, prices};

const SECONDS: f64 = 2.0 * 86_400.0;

fn config(volume_type: VolumeType, size_gib: u64, iops: u64, mibps: Option<u64>) -> VolumeConfig {
    VolumeConfig::new(Platform::Ec2, volume_type, size_gib, Some(iops), mibps).unwrap()
}

fn decide_idle(config: VolumeConfig, durability_pct: Option<f64>) -> Decision {
    let settings = Settings { durability_pct, ..Settings::default() };
    decide_request(config, settings.check(prices("us-east-1").unwrap().clone()).unwrap())
}

fn decide_request(config: VolumeConfig, request: Request) -> Decision {
    let present = Some(PricedVolumes { config, volumes: 1, usd_month: None });
    IdleVolume { present, is_multi_attach: false, requests: 3, seconds: SECONDS, findings: Vec::new() }
        .decide(&request)
        .unwrap()
}

/// 99.999 % of io2 against 99.8 % of gp3.
#[test]
fn a_lower_durability_is_named_and_refused_where_more_is_asked_for() {
    let io2 = config(VolumeType::Io2, 500, 10_000, None);
    let is_named = |answer: &Decision| answer.findings.iter().any(|one| matches!(one, Finding::LowerDurability { .. }));
    let [any, low, high] = [None, Some(99.8), Some(99.999)].map(|durability_pct| decide_idle(io2, durability_pct));
    for lower in [any, low] {
        assert_eq!(lower.volumes.unwrap().config.volume_type, VolumeType::Gp3);
        assert!(lower.action == Action::Modify && is_named(&lower));
    }
    assert_eq!((high.action, high.volumes.unwrap().config), (Action::Keep, io2));
    assert!(!is_named(&high) && high.saved == Some(Usd::default()));
    let gp3 = decide_idle(config(VolumeType::Gp3, 500, 6_000, Some(250)), None);
    assert!(gp3.action == Action::Modify && !is_named(&gp3));
}

/// io1 of RDS becomes gp3 in a region; in a Local Zone it is not known whether gp3 is there. gp3 itself stays gp3, with less.
#[test]
fn rds_in_a_local_zone_keeps_its_type() {
    let concluded = |platform: Platform, volume_type, place: &str| {
        let known = prices("us-west-2").unwrap().clone();
        let prices = if place == known.region { known } else { known.stand_in_for(place) };
        let settings = Settings { platform: platform.name().to_owned(), ..Settings::default() };
        let config = VolumeConfig::new(platform, volume_type, 500, Some(13_000), None).unwrap();
        let answer = decide_request(config, settings.check(prices).unwrap());
        (answer.action, answer.volumes.unwrap().config.volume_type)
    };
    let zone = "us-west-2-lax-1a";
    for platform in [Platform::Rds, Platform::RdsMultiAz] {
        assert_eq!(concluded(platform, VolumeType::Io1, "us-west-2"), (Action::Modify, VolumeType::Gp3));
        assert_eq!(concluded(platform, VolumeType::Io1, zone), (Action::Keep, VolumeType::Io1));
        assert_eq!(concluded(platform, VolumeType::Gp3, zone), (Action::Modify, VolumeType::Gp3));
    }
    assert_eq!(concluded(Platform::LocalZone, VolumeType::Io1, zone), (Action::Keep, VolumeType::Io1));
}

/// Totals count findings: one of too little time is none.
#[test]
fn too_few_samples_are_no_idle_volume() {
    let request = Settings::default().check(prices("us-east-1").unwrap().clone()).unwrap();
    let idle =
        IdleVolume { present: None, is_multi_attach: false, findings: Vec::new(), requests: 0, seconds: 7_200.0 };
    assert!(idle.decide(&request).is_none());
}

/// 100 IOPS of gp3 are $0.50 a month, 1,000 are $5; of 3 TiB, 2 % are $4.92.
#[test]
fn a_negligible_saving_keeps_an_idle_volume() {
    for (size_gib, iops, expected) in
        [(200, 3_100, Action::Keep), (200, 4_000, Action::Modify), (3_072, 3_900, Action::Keep)]
    {
        let answer = decide_idle(config(VolumeType::Gp3, size_gib, iops, Some(125)), None);
        assert_eq!(answer.action, expected, "{size_gib} {iops}");
        assert!(matches!(answer.reason, ActionReason::Idle { .. }));
        assert_eq!(answer.saved.map(|saved| saved.cents() > 0), Some(expected == Action::Modify));
    }
}

/// 99.8 % of gp3 is less than asked for; and nothing is known of latency and throughput without requests.
#[test]
fn a_request_beyond_idle_time_has_no_answer() {
    let gp3 = |iops| config(VolumeType::Gp3, 500, iops, Some(125));
    let budget = |cents| Settings { budget_usd: Some(Usd::from_cents(cents)), ..Settings::default() };
    let beyond = [
        Settings { durability_pct: Some(99.999), ..Settings::default() },
        Settings { latency_target_ms: Some(0.1), ..Settings::default() },
        Settings { min_throughput_ratio: Some(1.0), ..Settings::default() },
        Settings { min_size_gib: Some(501), ..Settings::default() },
        budget(3_999),
    ];
    let decided =
        |settings: Settings| decide_request(gp3(3_100), settings.check(prices("us-east-1").unwrap().clone()).unwrap());
    for settings in beyond {
        let answer = decided(settings);
        assert!(answer.action == Action::NoAnswer && answer.volumes.is_none() && answer.saved.is_none(), "{answer:?}");
    }
    // 100 IOPS more cost 50 cents, which are too little but for a budget between the two.
    let within = [4_000, 4_049, 4_050].map(|cents| decided(budget(cents)).action);
    assert_eq!(within, [Action::Modify, Action::Modify, Action::Keep]);
}
