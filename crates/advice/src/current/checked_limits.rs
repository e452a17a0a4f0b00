//! Limits that demand never exceeded, as CloudWatch checked each minute: averages hide peaks, but none beyond these.

use crate::current::limits::{declared_volumes, volume_limits};
use ebs_aws::catalogue::{Instance, VolumeConfig};
use ebs_base::units::MIB;
use ebs_prediction::saturation::LimitOwner;
use ebs_samples::evidence::{CheckedTime, DeviceChecks, Volume, Window};
use ebs_workload::declarations::Declarations;
use ebs_workload::exceeded::{ExceededShares, checked_shares, find_checks};

/// Checks of the limits of a volume group.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CheckedLimits {
    /// IOPS that the demand never exceeded; `None` where that was not checked in all of the time, or the limit is not known.
    pub iops: Option<f64>,
    /// MiB/s that it never exceeded.
    pub mibps: Option<f64>,
    /// Time above each limit; `None` where none was checked.
    pub exceeded: Option<ExceededShares>,
}

/// Share of the time above a limit from which on the demand that it hides matters. A choice.
const MIN_EXCEEDED_SHARE: f64 = 0.01;

impl CheckedLimits {
    /// Finds the limits of these volumes of `window`, as they were declared, and of the instance, that the checks never found exceeded.
    pub fn new(
        window: &Window,
        volumes: &[usize],
        declared: &Declarations,
        instance: Option<&Instance>,
    ) -> CheckedLimits {
        let each: Vec<&Volume> = volumes.iter().filter_map(|&volume| window.layout.volumes.get(volume)).collect();
        let checks: Vec<Option<&DeviceChecks>> = each.iter().map(|volume| find_checks(window, volume)).collect();
        let never = |check: fn(&DeviceChecks) -> Option<CheckedTime>| {
            !checks.is_empty()
                && checks.iter().all(|checks| checks.is_some_and(|checks| checks.is_never_exceeded(check(checks))))
        };
        let configs = declared_volumes(each.iter().copied(), declared);
        let (volume_iops, volume_mibps) = most(&configs, instance);
        let of_instance = instance.map(Instance::maximum);
        let lowest = |limits: [Option<f64>; 2]| limits.into_iter().flatten().reduce(f64::min);
        CheckedLimits {
            iops: lowest([
                volume_iops.filter(|_| never(|checks| checks.volume_iops)),
                of_instance.map(|limits| limits.iops).filter(|_| never(|checks| checks.instance_iops)),
            ]),
            mibps: lowest([
                volume_mibps.filter(|_| never(|checks| checks.volume_throughput)),
                of_instance.map(|limits| limits.mibps).filter(|_| never(|checks| checks.instance_throughput)),
            ]),
            exceeded: checked_shares(window, volumes),
        }
    }

    /// Owner of a limit that was exceeded for long enough to hide demand; `None` where none was. The instance's counts first, as no volume
    /// changes it.
    pub fn exceeded_owner(&self) -> Option<LimitOwner> {
        let exceeded = self.exceeded?;
        let is_long = |share: Option<f64>| share.is_some_and(|share| share >= MIN_EXCEEDED_SHARE);
        let owners = [
            (LimitOwner::Instance, [exceeded.instance_iops, exceeded.instance_throughput]),
            (LimitOwner::Volume, [exceeded.volume_iops, exceeded.volume_throughput]),
        ];
        owners.into_iter().find(|(_, shares)| shares.iter().any(|share| is_long(*share))).map(|(owner, _)| owner)
    }
}

/// The greatest IOPS and MiB/s that declared volumes have, with burst credits or without.
fn most(configs: &[(VolumeConfig, u64)], instance: Option<&Instance>) -> (Option<f64>, Option<f64>) {
    let limits = volume_limits(configs, instance.and_then(Instance::max_volume_iops));
    let iops = limits.iter().filter_map(|(_, limits)| limits.iops).reduce(f64::max);
    let bytes = limits.iter().filter_map(|(_, limits)| limits.bytes).reduce(f64::max);
    (iops, bytes.map(|bytes| bytes / MIB as f64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebs_aws::catalogue::known_instance;
    use ebs_samples::evidence::StorageLayout;

    fn check(known_s: f64, exceeded_s: f64) -> Option<CheckedTime> {
        Some(CheckedTime { known_s, exceeded_s })
    }

    fn limits(checks: DeviceChecks, named: Option<&str>) -> CheckedLimits {
        let volume = Volume { device: "vol-a".to_owned(), ..Volume::default() };
        let layout = StorageLayout { volumes: vec![volume], ..StorageLayout::default() };
        let checks = DeviceChecks { device: "vol-a".to_owned(), seconds: 600.0, ..checks };
        let window = Window { layout, checks: vec![checks], ..Window::default() };
        CheckedLimits::new(&window, &[0], &Declarations::default(), named.and_then(known_instance))
    }

    #[test]
    fn a_limit_that_was_never_exceeded_bounds_the_demand() {
        let never = DeviceChecks { instance_iops: check(600.0, 0.0), ..DeviceChecks::default() };
        let found = limits(never.clone(), Some("m5.large"));
        assert_eq!((found.iops, found.mibps, found.exceeded_owner()), (Some(18_750.0), None, None));
        // The limit of no instance is known, a check has a gap, and one of ten minutes exceeded it.
        assert_eq!(limits(never, None).iops, None);
        let of_instance = |check| DeviceChecks { instance_iops: check, ..DeviceChecks::default() };
        assert_eq!(limits(of_instance(check(540.0, 0.0)), Some("m5.large")).iops, None);
        let exceeded = limits(of_instance(check(600.0, 60.0)), Some("m5.large"));
        assert_eq!((exceeded.iops, exceeded.exceeded_owner()), (None, Some(LimitOwner::Instance)));
        assert_eq!(limits(DeviceChecks::default(), Some("m5.large")), CheckedLimits::default());
    }
}
