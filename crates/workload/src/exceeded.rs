//! Share of time above each limit: as EBS counts it in its statistics of a volume, or as CloudWatch checks it each minute.

use ebs_samples::evidence::{CheckedTime, DeviceChecks, Volume, Window};

/// Share of time, 0 to 1, in which demand was above each limit; `None` where that is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ExceededShares {
    /// Share of time above the volume's IOPS.
    pub volume_iops: Option<f64>,
    /// Share of time above the volume's throughput.
    pub volume_throughput: Option<f64>,
    /// Share of time above the instance's IOPS.
    pub instance_iops: Option<f64>,
    /// Share of time above the instance's throughput.
    pub instance_throughput: Option<f64>,
}

/// Share of the window for which the counts of a volume must be known.
const MIN_KNOWN_SHARE: f64 = 0.5;

/// Computes the shares of the volumes with these ids: of each limit the largest. `None` where the counts of one of them are known for less
/// than half of the sampled seconds, or where there are none.
pub fn exceeded_shares<'a>(
    window: &Window,
    ids: impl Iterator<Item = &'a str>,
    sampled_s: f64,
) -> Option<ExceededShares> {
    let shares = |id: &str| {
        let (_, totals) = window.totals.ebs.iter().find(|(volume, _)| volume == id)?;
        let (counts, seconds) = (totals.counts.known()?, totals.counts.known_us as f64 / 1e6);
        let share = |us: u64| Some((us as f64 / 1e6 / seconds).min(1.0));
        (seconds >= MIN_KNOWN_SHARE * sampled_s).then(|| ExceededShares {
            volume_iops: share(counts.volume_iops_exceeded_us),
            volume_throughput: share(counts.volume_throughput_exceeded_us),
            instance_iops: share(counts.instance_iops_exceeded_us),
            instance_throughput: share(counts.instance_throughput_exceeded_us),
        })
    };
    largest(ids.map(shares).collect::<Option<Vec<_>>>()?)
}

/// Computes the same of imported volumes from the checks of a service, which are of whole minutes. A check that is known for less than half
/// of the time, and one that is absent, says nothing: it is not zero. `None` where no limit was checked.
pub fn checked_shares(window: &Window, volumes: &[usize]) -> Option<ExceededShares> {
    let shares = |volume: &Volume| {
        let Some(checks) = find_checks(window, volume) else { return ExceededShares::default() };
        let share = |check: Option<CheckedTime>| {
            check.filter(|check| check.known_s >= MIN_KNOWN_SHARE * checks.seconds)?.share()
        };
        ExceededShares {
            volume_iops: share(checks.volume_iops),
            volume_throughput: share(checks.volume_throughput),
            instance_iops: share(checks.instance_iops),
            instance_throughput: share(checks.instance_throughput),
        }
    };
    let each = volumes.iter().filter_map(|&volume| window.layout.volumes.get(volume)).map(shares);
    largest(each.collect()).filter(|shares| *shares != ExceededShares::default())
}

/// Finds the checks of an imported volume.
pub fn find_checks<'a>(window: &'a Window, volume: &Volume) -> Option<&'a DeviceChecks> {
    window.checks.iter().find(|checks| checks.device == volume.device)
}

/// Largest share of each limit of several volumes; not known where it is zero of some and not known of others.
fn largest(all: Vec<ExceededShares>) -> Option<ExceededShares> {
    let most = |a: Option<f64>, b: Option<f64>| match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (one, other) => one.or(other).filter(|share| *share > 0.0),
    };
    all.into_iter().reduce(|all, one| ExceededShares {
        volume_iops: most(all.volume_iops, one.volume_iops),
        volume_throughput: most(all.volume_throughput, one.volume_throughput),
        instance_iops: most(all.instance_iops, one.instance_iops),
        instance_throughput: most(all.instance_throughput, one.instance_throughput),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebs_samples::evidence::{EbsCounts, EbsTotals, StorageLayout, Timed, Totals};

    /// Two volumes, of which both were checked for throughput, and one for IOPS, by these shares of 600 s.
    fn window(iops: Option<CheckedTime>) -> Window {
        let volume = |device: &str| Volume { device: device.to_owned(), ..Volume::default() };
        let check = |known_s, exceeded_s| Some(CheckedTime { known_s, exceeded_s });
        let checks = |device: &str, volume_iops, exceeded_s| DeviceChecks {
            device: device.to_owned(),
            seconds: 600.0,
            volume_iops,
            volume_throughput: check(600.0, exceeded_s),
            ..DeviceChecks::default()
        };
        let layout = StorageLayout { volumes: vec![volume("a"), volume("b"), volume("c")], ..StorageLayout::default() };
        Window { layout, checks: vec![checks("a", iops, 60.0), checks("b", None, 0.0)], ..Window::default() }
    }

    /// 5 of 10 s above the volume's IOPS are a half; of 30 s sampled the counts know a third only.
    #[test]
    fn shares_above_each_limit_are_of_the_time_that_is_known() {
        let counts = EbsCounts { volume_iops_exceeded_us: 5_000_000, ..EbsCounts::default() };
        let totals = EbsTotals { counts: Timed { counts, known_us: 10_000_000 }, ..EbsTotals::default() };
        let ebs = vec![("vol-b".to_owned(), totals), ("vol-a".to_owned(), EbsTotals::default())];
        let seen = Window { totals: Totals { ebs, ..Totals::default() }, ..Window::default() };
        let shares = |ids: &[&'static str], sampled_s| exceeded_shares(&seen, ids.iter().copied(), sampled_s);
        let none = Some(0.0);
        let half = ExceededShares {
            volume_iops: Some(0.5),
            volume_throughput: none,
            instance_iops: none,
            instance_throughput: none,
        };
        assert_eq!(shares(&["vol-b"], 20.0), Some(half));
        assert_eq!(shares(&["vol-b"], 30.0), None);
        assert_eq!((shares(&["vol-b", "vol-a"], 20.0), shares(&["vol-c"], 1.0), shares(&[], 1.0)), (None, None, None));
    }

    #[test]
    fn what_was_not_checked_is_not_zero() {
        let check = |known_s, exceeded_s| Some(CheckedTime { known_s, exceeded_s });
        let shares = |iops, volumes: &[usize]| checked_shares(&window(iops), volumes);
        let one = shares(check(600.0, 0.0), &[0]).unwrap();
        assert_eq!((one.volume_iops, one.volume_throughput, one.instance_iops), (Some(0.0), Some(0.1), None));
        let both = |iops| shares(iops, &[0, 1]).unwrap().volume_iops;
        assert_eq!(
            (both(check(600.0, 0.0)), both(check(400.0, 100.0)), both(check(200.0, 100.0))),
            (None, Some(0.25), None)
        );
        assert_eq!((shares(None, &[2]), shares(None, &[])), (None, None));
    }
}
