//! One volume's 32,000 IOPS on an instance without Nitro: r4.16xlarge carries 75,000. 26,600 reads and a fifth are 31,920, ordered as
//! 32,000; 26,700 and a fifth are 32,040, which two volumes reach.

use super::advise::tests::{DATA, Load, advice, declare, declared_advice, window};
use crate::evaluate::candidate::Candidate;
use crate::evaluate::reason::{OutOfReach, Reason};
use crate::frontier::frontier;
use crate::request::settings::Settings;
use crate::request::whatif_request::WhatIfArguments;
use crate::whatif::whatif;
use ebs_aws::catalogue::{Ceiling, VolumeType, prices};
use ebs_workload::declarations::Declarations;

/// The first of a type: true where it is feasible, its volumes and IOPS each, and the limit that it misses.
fn first(
    volume_type: VolumeType,
    reads: u64,
    instance: &str,
    max_volumes: i32,
) -> (bool, u64, u64, Option<OutOfReach>) {
    let seen = window(&[Load { reads, read_ms: reads / 2, ..DATA }], &[]);
    let instance = Some(instance.to_owned());
    let settings = Settings { instance, max_volumes: Some(max_volumes), ..Settings::default() };
    let role = advice(&seen, settings).roles.remove(0);
    let is_of_type = |candidate: &&Candidate| candidate.config.volume_type == volume_type;
    let found = role.candidates.iter().find(is_of_type).unwrap();
    let missed = match &found.reason {
        Reason::OutOfReach(missed) => Some(missed.clone()),
        _ => None,
    };
    (found.feasible, found.volumes, found.config.iops, missed)
}

fn gp3(reads: u64, instance: &str, max_volumes: i32) -> (bool, u64, u64, Option<OutOfReach>) {
    first(VolumeType::Gp3, reads, instance, max_volumes)
}

/// io1 of more than 32,000 is a class of its own, which such an instance does not use.
#[test]
fn io1_has_no_more_than_32_000_iops_without_nitro() {
    let io1 = |instance| first(VolumeType::Io1, 26_700, instance, 1);
    let (feasible, _, iops, missed) = io1("r4.16xlarge");
    let missed = missed.unwrap();
    assert_eq!((feasible, iops, missed.max_per_volume), (false, 32_000, 32_000.0));
    assert_eq!((missed.on_instance, missed.reached_by_volumes), (Some("r4.16xlarge"), Some(2)));
    // 641 GiB carry 50 each.
    assert_eq!(io1("r5.24xlarge"), (true, 1, 32_050, None));
}

/// A declared gp3 of 3,000 IOPS that delivers 2,820 with a queue: another gp3 may deliver as little, an io2 need not, and both are predicted at
/// their limit.
#[test]
fn what_a_volume_delivered_of_its_limit_is_a_doubt_about_its_type() {
    let predicted = |reads: u64, volume_type| {
        let waits = [("IO", "DataFileRead", reads / 4), ("CPU*", "CPU*", 30)];
        let seen = window(&[Load { reads, read_ms: 5 * reads, ..DATA }], &waits);
        let declared = declare(VolumeType::Gp3, 500, Some(3_000));
        let role = declared_advice(&seen, Settings::default(), &declared).roles.remove(0);
        let predictor = role.state.predictor.as_ref().unwrap();
        let ceiling = Ceiling { iops: 3_000.0, mibps: 1_000.0 };
        let found = predictor.predict(&role.state.series, volume_type, ceiling).unwrap();
        assert!((found.iops / 3_000.0 - 1.0).abs() < 0.01, "{found:?}");
        found.tps.low / found.tps.middle
    };
    let [gp3, io2] = [VolumeType::Gp3, VolumeType::Io2]
        .map(|volume_type| predicted(2_820, volume_type) / predicted(3_000, volume_type));
    assert!(gp3 < 0.99 && (io2 - 1.0).abs() < 0.005, "{gp3} {io2}");
}

/// 32,000 reads a second of 2 ms on a declared io2 of 64,000 are at the limit without Nitro, and below it with.
#[test]
fn a_plateau_at_32_000_is_at_the_limit_of_a_volume_without_nitro() {
    let seen = window(&[Load { reads: 32_000, read_ms: 64_000, ..DATA }], &[]);
    let level = |instance: &str| {
        let settings = Settings { instance: Some(instance.to_owned()), ..Settings::default() };
        let declared = declare(VolumeType::Io2, 500, Some(64_000));
        declared_advice(&seen, settings, &declared).roles.remove(0).state.saturation.map(|found| found.limit.level)
    };
    assert_eq!([level("r4.16xlarge"), level("r5.24xlarge")], [Some(32_000.0), None]);
}

/// 40,000 reads a second all the time on a declared io2 of 64,000: without Nitro it gives 32,000 of them, and throttles.
#[test]
fn the_limit_holds_for_declared_volumes_what_if_and_the_frontier() {
    let seen = window(&[Load { reads: 40_000, read_ms: 20_000, ..DATA }], &[("IO", "DataFileRead", 2_000)]);
    let here = || prices("us-east-1").unwrap().clone();
    let settings = |instance: &str| Settings { instance: Some(instance.to_owned()), ..Settings::default() };
    let found = |instance: &str| {
        let role =
            declared_advice(&seen, settings(instance), &declare(VolumeType::Io2, 500, Some(64_000))).roles.remove(0);
        let throttled = role.current.unwrap().outcome.unwrap().throttled_pct();
        let arguments = WhatIfArguments {
            volume_type: "io2".into(),
            iops: Some(64_000),
            size_gib: Some(500),
            volumes: 1,
            ..Default::default()
        };
        let request = settings(instance).check(here()).unwrap();
        let whatif =
            whatif(&seen, &arguments.check(request.clone()).unwrap(), &Declarations::default()).unwrap().remove(0);
        let frontier = frontier(&seen, &request, None, &Declarations::default(), &|| ()).unwrap().remove(0);
        let most = frontier.points.unwrap().iter().map(|point| point.config.iops).max().unwrap();
        (
            throttled > 99.0,
            whatif.throttled_pct.unwrap() > 99.0,
            whatif.prediction.unwrap().iops <= 32_000.5,
            most <= 32_000,
        )
    };
    assert_eq!(found("r4.16xlarge"), (true, true, true, true));
    assert_eq!(found("r5.24xlarge"), (false, false, false, false));
}

#[test]
fn one_volume_has_no_more_than_32_000_iops_without_nitro() {
    assert_eq!(gp3(26_600, "r4.16xlarge", 1), (true, 1, 32_000, None));
    // With 19 % of headroom, because none has 20 %.
    assert_eq!(gp3(26_700, "r4.16xlarge", 1), (true, 1, 32_000, None));
    let (feasible, _, _, missed) = gp3(32_100, "r4.16xlarge", 1);
    let missed = missed.unwrap();
    assert_eq!((feasible, missed.max_per_volume, missed.on_instance), (false, 32_000.0, Some("r4.16xlarge")));
    assert_eq!(missed.reached_by_volumes, Some(2));
    let (feasible, volumes, iops, _) = gp3(26_700, "r4.16xlarge", 2);
    assert!(feasible && volumes == 2 && iops <= 32_000, "{volumes} {iops}");
    assert_eq!(gp3(26_700, "r5.24xlarge", 1), (true, 1, 32_100, None));
}
