//! Limits that a service checked of an imported volume.

use super::advise::tests::{DATA, Load, declare, declared_advice, window};
use super::role_advice::RoleAdvice;
use crate::request::settings::Settings;
use ebs_aws::catalogue::VolumeType;
use ebs_prediction::LimitOwner;
use ebs_samples::evidence::{CheckedTime, DeviceChecks, Window};
use ebs_workload::io_profile::{Metric, find};

/// A volume of minutes between 1,000 and 2,800 requests a second, which take so long that some queue, with these checks, declared as gp3 of
/// 3,000 IOPS.
fn advice(checks: DeviceChecks) -> (Window, RoleAdvice) {
    timed_advice(checks, 4)
}

/// The same with requests of so many ms.
fn timed_advice(checks: DeviceChecks, read_ms: u64) -> (Window, RoleAdvice) {
    let mut seen = window(&[Load { reads: 1_000, ..DATA }], &[]);
    let count = seen.intervals.len() as u64;
    for (index, interval) in (0..count).zip(&mut seen.intervals) {
        (interval.dt_us, interval.interval_us) = (60_000_000, 60_000_000);
        interval.at_us = (index as i64 + 1) * 60_000_000;
        for (_, delta) in &mut interval.devices {
            let ebs_samples::evidence::CounterDelta::Known(counts) = delta else { continue };
            counts.reads = 60 * (1_000 + 1_800 * index / count);
            (counts.read_bytes, counts.read_ms) = (counts.reads * 8_192, counts.reads * read_ms);
        }
    }
    let device = seen.layout.volumes[0].device.clone();
    seen.checks = vec![DeviceChecks { device, seconds: 60.0 * count as f64, ..checks }];
    let mut advice = declared_advice(&seen, Settings::default(), &declare(VolumeType::Gp3, 500, Some(3_000)));
    let role = advice.roles.remove(0);
    (seen, role)
}

fn p99_high(role: &RoleAdvice) -> f64 {
    find(&role.state.figures, Metric::Requests).and_then(|figure| figure.p99_interval).unwrap().high
}

/// Averages of a minute hide peaks far above 3,000; where the check was zero in every minute, the limit of the declared volume is the upper
/// end, and the size follows from it.
#[test]
fn a_limit_that_was_never_exceeded_is_the_upper_end_of_the_percentile() {
    let (seen, unchecked) = advice(DeviceChecks::default());
    let minutes = seen.intervals.len() as f64;
    let check = |exceeded_s| Some(CheckedTime { known_s: 60.0 * minutes, exceeded_s });
    let (_, never) = advice(DeviceChecks { volume_iops: check(0.0), ..DeviceChecks::default() });
    assert!(p99_high(&unchecked) > 3_500.0, "{}", p99_high(&unchecked));
    assert_eq!(p99_high(&never), 3_000.0);
    assert!(never.requirement.iops <= 3_600.0 && unchecked.requirement.iops > never.requirement.iops);
    // The check of throughput says nothing of IOPS, and one that is known of a part of the time nothing at all.
    let (_, other) = advice(DeviceChecks { volume_throughput: check(0.0), ..DeviceChecks::default() });
    let part = Some(CheckedTime { known_s: 30.0 * minutes, exceeded_s: 0.0 });
    let (_, part) = advice(DeviceChecks { volume_iops: part, ..DeviceChecks::default() });
    assert_eq!([p99_high(&other), p99_high(&part)], [p99_high(&unchecked); 2]);
}

/// Requests of 1 ms do not queue: no second asked for more than the 3,000 that there are. Where EBS counted time above that, or they take as
/// long as in a queue, some may have.
#[test]
fn a_limit_at_which_nothing_queued_is_the_upper_end_of_the_percentile() {
    let high = |checks, read_ms| p99_high(&timed_advice(checks, read_ms).1);
    assert_eq!(high(DeviceChecks::default(), 1), 3_000.0);
    let counted = DeviceChecks {
        volume_iops: Some(CheckedTime { known_s: 54_000.0, exceeded_s: 60.0 }),
        ..DeviceChecks::default()
    };
    assert!(high(DeviceChecks::default(), 4) > 3_500.0 && high(counted, 1) > 3_500.0);
}

#[test]
fn an_exceeded_check_says_that_demand_was_cut_off() {
    let check = |exceeded_s| Some(CheckedTime { known_s: 54_000.0, exceeded_s });
    let owner = |checks| advice(checks).1.state.checked.exceeded_owner();
    let volume = |exceeded_s| DeviceChecks { volume_iops: check(exceeded_s), ..DeviceChecks::default() };
    assert_eq!((owner(volume(60.0)), owner(volume(600.0))), (None, Some(LimitOwner::Volume)));
    let both = DeviceChecks { instance_throughput: check(600.0), ..volume(600.0) };
    assert_eq!(owner(both), Some(LimitOwner::Instance));
}
