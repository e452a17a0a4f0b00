//! Limits that demand never exceeded, as CloudWatch checked each minute: averages hide peaks, but none beyond these.

use crate::current::limits::{declared_volumes, greatest};
use ebs_aws::bucket::Burst;
use ebs_aws::catalogue::{Instance, LimitKind, VolumeConfig};
use ebs_prediction::LimitOwner;
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
    /// The limit without burst credits that bound for the longest time, as their balance was spent; `None` where that was less than half.
    pub spent: Option<ProvenLimit>,
}

/// A limit at which the volumes were for a share of the time, as a service recorded it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProvenLimit {
    /// Owner of the limit.
    pub owner: LimitOwner,
    /// The limited rate; `None` of a volume's burst credits, which are for one or the other by its type.
    pub limited: Option<LimitKind>,
    /// Share of the time, 0 to 1.
    pub share: f64,
}

/// Share of the time above a limit from which on the demand that it hides matters. A choice.
const MIN_EXCEEDED_SHARE: f64 = 0.01;

/// Share of the time without burst credits from which on they are named. A choice.
const MIN_SPENT_SHARE: f64 = 0.5;

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
        let of_volumes = greatest(&configs, instance);
        let of_instance = instance.map(Instance::maximum);
        let lowest = |limits: [Option<f64>; 2]| limits.into_iter().flatten().reduce(f64::min);
        CheckedLimits {
            iops: lowest([
                of_volumes.map(|limits| limits.iops).filter(|_| never(|checks| checks.volume_iops)),
                of_instance.map(|limits| limits.iops).filter(|_| never(|checks| checks.instance_iops)),
            ]),
            mibps: lowest([
                of_volumes.map(|limits| limits.mibps).filter(|_| never(|checks| checks.volume_throughput)),
                of_instance.map(|limits| limits.mibps).filter(|_| never(|checks| checks.instance_throughput)),
            ]),
            exceeded: checked_shares(window, volumes),
            spent: checks.iter().flatten().flat_map(|checks| spent_shares(checks, may_burst(&configs))).reduce(longer),
        }
    }

    /// The limit that was exceeded for long enough to hide demand; `None` where none was. The instance's counts first, as no volume changes
    /// it, and of its limits the one that was exceeded for longer.
    pub fn exceeded_limit(&self) -> Option<ProvenLimit> {
        let exceeded = self.exceeded?;
        let owners = [
            (LimitOwner::Instance, [exceeded.instance_iops, exceeded.instance_throughput]),
            (LimitOwner::Volume, [exceeded.volume_iops, exceeded.volume_throughput]),
        ];
        owners.into_iter().find_map(|(owner, shares)| {
            let limits = shares.into_iter().zip(LimitKind::BOTH);
            let proven = limits.filter_map(|(share, limited)| {
                let share = share.filter(|share| *share >= MIN_EXCEEDED_SHARE)?;
                Some(ProvenLimit { owner, limited: Some(limited), share })
            });
            proven.reduce(longer)
        })
    }

    /// True where EBS counted time above a limit of the volumes.
    pub fn is_volume_exceeded(&self) -> bool {
        let shares = self.exceeded.map(|shares| [shares.volume_iops, shares.volume_throughput]);
        shares.into_iter().flatten().flatten().any(|share| share > 0.0)
    }

    /// Owner of that limit.
    pub fn exceeded_owner(&self) -> Option<LimitOwner> {
        self.exceeded_limit().map(|limit| limit.owner)
    }
}

/// The limit that bound for longer; the first where both did.
fn longer(one: ProvenLimit, other: ProvenLimit) -> ProvenLimit {
    if other.share > one.share { other } else { one }
}

/// True where one of these volumes has burst credits, or none was declared: a balance that others have is that of a type before.
fn may_burst(configs: &[(VolumeConfig, u64)]) -> bool {
    let bursts = |(config, volumes): &(VolumeConfig, u64)| {
        config.class().is_none_or(|class| Burst::ceiling(class, config, *volumes) != config.ceiling(*volumes))
    };
    configs.is_empty() || configs.iter().any(bursts)
}

/// Limits without burst credits whose balance was spent for at least half of the time.
fn spent_shares(checks: &DeviceChecks, may_burst: bool) -> impl Iterator<Item = ProvenLimit> {
    let seconds = checks.seconds;
    let balances = [
        (LimitOwner::Instance, Some(LimitKind::Iops), checks.io_balance),
        (LimitOwner::Instance, Some(LimitKind::Throughput), checks.byte_balance),
        (LimitOwner::Volume, None, checks.burst_balance.filter(|_| may_burst)),
    ];
    balances.into_iter().filter_map(move |(owner, limited, balance)| {
        let spent_s = balance?.spent_s;
        (seconds > 0.0 && spent_s >= MIN_SPENT_SHARE * seconds).then(|| ProvenLimit {
            owner,
            limited,
            share: (spent_s / seconds).min(1.0),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebs_aws::catalogue::{Platform, VolumeType, known_instance};
    use ebs_samples::evidence::{Balance, StorageLayout};

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

    /// gp2 of 500 GiB bursts, of 2,000 it does not, as gp3.
    #[test]
    fn a_balance_of_volumes_without_credits_is_not_theirs() {
        let is_theirs = |volume_type, size_gib| {
            let config = VolumeConfig::new(Platform::Ec2, volume_type, size_gib, None, None).unwrap();
            may_burst(&[(config, 1)])
        };
        assert!(is_theirs(VolumeType::Gp2, 500) && is_theirs(VolumeType::St1, 500) && may_burst(&[]));
        assert!(!is_theirs(VolumeType::Gp2, 2_000) && !is_theirs(VolumeType::Gp3, 500));
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

    /// 60 of 600 s above the instance's IOPS, 120 above its throughput, all above the volume's IOPS.
    #[test]
    fn the_exceeded_limit_is_the_longer_one_of_the_instance() {
        let checks = DeviceChecks {
            instance_iops: check(600.0, 60.0),
            instance_throughput: check(600.0, 120.0),
            volume_iops: check(600.0, 600.0),
            ..DeviceChecks::default()
        };
        let (owner, limited) = (LimitOwner::Instance, Some(LimitKind::Throughput));
        assert_eq!(limits(checks, None).exceeded_limit(), Some(ProvenLimit { owner, limited, share: 0.2 }));
    }

    #[test]
    fn credits_that_were_spent_for_half_of_the_time_prove_the_baseline() {
        let spent = |spent_s| Some(Balance { least_pct: 0.0, known_s: 600.0, spent_s });
        let found = |io, burst| {
            let checks = DeviceChecks { io_balance: spent(io), burst_balance: spent(burst), ..DeviceChecks::default() };
            limits(checks, None).spent
        };
        assert_eq!(found(299.0, 0.0), None);
        let proven = |owner, limited, share| Some(ProvenLimit { owner, limited, share });
        assert_eq!(found(300.0, 0.0), proven(LimitOwner::Instance, Some(LimitKind::Iops), 0.5));
        assert_eq!(found(300.0, 600.0), proven(LimitOwner::Volume, None, 1.0));
    }
}
