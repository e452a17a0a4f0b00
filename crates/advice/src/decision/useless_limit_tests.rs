//! Volumes until the instance is larger, one for all roles, and WAL apart: no limit that another one makes useless, and the sizes that are
//! known. m5.large sustains 3,600 IOPS.

use super::advice::Advice;
use super::advise::tests::{DATA, Load, WAL, advice, declared_advice, window};
use super::role_advice::RoleAdvice;
use crate::evaluate::candidate::Candidate;
use crate::request::settings::Settings;
use ebs_aws::catalogue::{LimitKind, Platform, VolumeConfig, VolumeType};
use ebs_base::units::GIB;
use ebs_samples::evidence::{CounterDelta, DeviceCounts, Window};
use ebs_workload::declarations::{Declarations, Declared};

fn on(instance: &str) -> Settings {
    Settings { instance: Some(instance.into()), ..Settings::default() }
}

/// Reads of the data and writes of WAL each second.
fn two(reads: u64, writes: u64) -> Window {
    window(&[Load { reads, read_ms: reads / 2, ..DATA }, Load { writes, ..WAL }], &[])
}

/// The recommended volumes, or those until the instance is larger.
fn named(role: &RoleAdvice) -> &Candidate {
    role.candidates.first().unwrap()
}

/// Requirement of each role, IOPS, no more than its share of the instance.
fn shares(advice: &Advice) -> Vec<f64> {
    advice.roles.iter().map(|role| role.requirement.iops).collect()
}

/// 6,300 + 900 for 3,600 is half of both: 3,150 and 450, of which gp3 of 3,200 and the included 3,000 are ordered.
#[test]
fn roles_share_what_the_instance_sustains_until_it_is_larger() {
    let found = advice(&two(6_300, 900), on("m5.large"));
    assert_eq!(shares(&found).iter().map(|iops| iops.round()).collect::<Vec<_>>(), [3_150.0, 450.0]);
    assert_eq!(found.roles.iter().map(|role| named(role).config.iops).collect::<Vec<_>>(), [3_200, 3_000]);
    // One volume for both has all of it, and no more.
    assert_eq!(named(found.consolidated.as_ref().unwrap()).config.iops, 3_600);
}

/// However the demand is divided, the shares are no more than the instance sustains, and change as the demand does.
#[test]
fn shares_follow_the_demand_without_a_step() {
    for writes in [300u64, 900, 3_000] {
        let rates = (0..=20u64).map(|step| 3_400 + 34 * step);
        let found: Vec<Vec<f64>> = rates.map(|reads| shares(&advice(&two(reads, writes), on("m5.large")))).collect();
        assert!(found.iter().all(|each| each.iter().sum::<f64>() <= 3_600.0 + 1e-6), "{writes}: {found:?}");
        for pair in found.windows(2) {
            assert!(
                pair[0].iter().zip(&pair[1]).all(|(old, new)| (new / old - 1.0).abs() < 0.05),
                "{writes}: {pair:?}"
            );
        }
    }
}

/// Data by day and WAL by night: at its time each uses all that the instance sustains.
#[test]
fn roles_that_are_busy_at_other_times_share_nothing() {
    let mut seen = two(5_000, 5_000);
    for (second, interval) in seen.intervals.iter_mut().enumerate() {
        let idle = usize::from(second < 450);
        interval.devices[idle].1 = CounterDelta::Known(DeviceCounts::default());
    }
    let found = advice(&seen, on("m5.large"));
    assert!(shares(&found).iter().all(|iops| *iops >= 3_599.0), "{:?}", shares(&found));
}

/// The roles have their headroom where the instance suffices.
#[test]
fn an_instance_that_suffices_divides_nothing() {
    let found = advice(&two(2_600, 800), on("m5.large"));
    assert_eq!(shares(&found).iter().map(|iops| iops.round()).collect::<Vec<_>>(), [3_120.0, 960.0]);
}

fn declared(sizes: &[(&str, u64)]) -> Declarations {
    let one = |&(name, gib): &(&str, u64)| {
        Declared::new(name, VolumeConfig::new(Platform::Ec2, VolumeType::Gp3, gib, None, None).unwrap(), 1)
    };
    Declarations { volumes: sizes.iter().map(one).collect(), ..Declarations::default() }
}

fn joint_gib(seen: &Window, declared: &Declarations) -> Option<u64> {
    let found = declared_advice(seen, Settings::default(), declared);
    found.consolidated.unwrap().state.size.size_gib
}

/// EBS does not shrink: one volume for both has at least the sizes of both, of which the declared ones are known where nothing else is.
#[test]
fn one_volume_for_all_roles_knows_the_declared_sizes() {
    let both = declared(&[("data", 500), ("wal", 50)]);
    let known = two(1_000, 100);
    assert_eq!(joint_gib(&known, &Declarations::default()), Some(200));
    // 80 GiB of each are used, of which a fifth more does not fit on WAL's volume.
    assert_eq!(joint_gib(&known, &both), Some(600));
    assert_eq!(joint_gib(&known, &declared(&[("data", 500)])), Some(600));
    let mut unknown = known;
    for volume in &mut unknown.layout.volumes {
        (volume.filesystem_bytes, volume.used_bytes) = (None, None);
    }
    assert_eq!(joint_gib(&unknown, &both), Some(550));
    assert_eq!(joint_gib(&unknown, &declared(&[("data", 500)])), None);
    unknown.layout.volumes[1].filesystem_bytes = Some(20 * GIB);
    assert_eq!(joint_gib(&unknown, &declared(&[("data", 500)])), Some(520));
}

/// A closed loop on one volume asks for no more than it keeps there: 6,000 of 0.5 ms are fewer on gp3.
#[test]
fn one_volume_of_a_closed_loop_has_what_it_keeps() {
    let waits = [("IO", "DataFileRead", 130), ("CPU*", "CPU*", 50)];
    let loads = [Load { reads: 6_000, read_ms: 3_000, ..DATA }, Load { writes: 500, ..WAL }];
    let found = advice(&window(&loads, &waits), Settings::default());
    let all = found.consolidated.unwrap();
    let best = all.best().unwrap();
    let used = best.expected.unwrap().iops;
    assert!(best.config.iops as f64 <= 1.05 * used + 100.0, "{} of {used}", best.config.iops);
    assert!(all.requirement.ceiling().rate(LimitKind::Iops) < 6_500.0 * 1.2);
}
