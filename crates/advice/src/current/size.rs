//! Size of volumes.

use ebs_aws::catalogue::Platform;
use ebs_base::units::{GIB, gib};
use ebs_samples::evidence::{Role, Window};
use ebs_workload::attached::Attached;
use ebs_workload::declarations::Declarations;
use ebs_workload::exceeded::find_checks;
use ebs_workload::growth::{Growth, HORIZON_DAYS, Steps, since_fall};

/// Share of a volume that stays free: WAL, temporary files and a VACUUM FULL need room, and PostgreSQL stops when the disk is
/// full. A choice, not a measurement.
pub const FREE_SHARE: f64 = 0.2;

/// Size of a volume for WAL alone over max_wal_size, which is a soft limit: a failing archive_command, replication slots and
/// wal_keep_size exceed it (<https://www.postgresql.org/docs/18/runtime-config-wal.html#GUC-MAX-WAL-SIZE>). A choice.
const WAL_ROOM: u64 = 2;

/// GiB of a volume for WAL alone with this max_wal_size, bytes.
pub fn wal_size_gib(max_wal_bytes: u64) -> u64 {
    gib(max_wal_bytes.saturating_mul(WAL_ROOM)).max(1)
}

/// Basis of a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeBasis {
    /// min_size_gib.
    Requested,
    /// The forecast of use, and the free share.
    Forecast,
    /// Present use, and the free share: growth is not known.
    Used,
    /// The current EBS volumes, which cannot shrink.
    CurrentVolumes,
    /// The current storage of RDS, which no modification shrinks.
    CurrentStorage,
    /// The current filesystem: how much of it is used is not known.
    Filesystem,
    /// The size is not known.
    Unknown,
}

/// Required size of the volumes of a role together.
#[derive(Clone, Debug, PartialEq)]
pub struct RequiredSize {
    /// GiB; `None` where it is not known.
    pub size_gib: Option<u64>,
    /// Size of the current filesystems, bytes; `None` where it is not known.
    pub filesystem_bytes: Option<u64>,
    /// Current use, bytes; `None` where the evidence does not say.
    pub used_bytes: Option<u64>,
    /// Its growth; `None` where the evidence is too little.
    pub growth: Option<Growth>,
    /// Size by use and growth, GiB; `None` where the use is not known.
    pub by_use_gib: Option<u64>,
    /// Current size of RDS storage that is modified, GiB; `None` elsewhere.
    pub storage_gib: Option<u64>,
    /// Basis of the size.
    pub basis: SizeBasis,
    /// Remarks on it.
    pub remarks: Vec<SizeRemark>,
}

/// Used share of the space from which on it is nearly full. A choice.
const NEARLY_FULL: f64 = 0.9;

/// Used space of volumes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct UsedSpace {
    /// Used, bytes.
    pub used: f64,
    /// Size of the file systems, bytes.
    pub size: f64,
    /// Growth, bytes a day; `None` where it is not known.
    pub per_day: Option<f64>,
    /// Days until they are full at that growth; `None` where they do not grow.
    pub full_in_days: Option<f64>,
}

impl UsedSpace {
    /// Space of file systems with this growth.
    pub fn new(used_bytes: u64, filesystem_bytes: u64, growth: Option<&Growth>) -> UsedSpace {
        let (used, size) = (used_bytes as f64, filesystem_bytes as f64);
        let grows = growth.filter(|growth| growth.per_day > 0.0 && growth.per_day_interval.low > 0.0);
        UsedSpace {
            used,
            size,
            per_day: growth.map(|growth| growth.per_day),
            full_in_days: grows.map(|growth| (size - used).max(0.0) / growth.per_day),
        }
    }

    /// Space of the file system of a window's volume; `None` where it is not known.
    pub fn from_window(window: &Window, volume: usize) -> Option<UsedSpace> {
        let known = window.layout.volumes.get(volume)?;
        let points: Vec<(i64, u64)> = window.space.get(volume)?.points().collect();
        Some(UsedSpace::new(known.used_bytes?, known.filesystem_bytes?, Growth::from_points(&points).as_ref()))
    }

    /// Days until they are full and their growth, bytes a day; `None` where that is not within the horizon of the forecast.
    pub fn fills_up(&self) -> Option<(f64, f64)> {
        self.full_in_days.filter(|days| *days <= HORIZON_DAYS).zip(self.per_day)
    }

    /// Used share, 0 to 1, of file systems of which hardly any space is left; `None` of others.
    pub fn nearly_full(&self) -> Option<f64> {
        Some(self.used / self.size.max(1.0)).filter(|used| *used >= NEARLY_FULL)
    }

    /// True of volumes that are nearly full, or will be within the horizon of the forecast: only then their size, which never shrinks
    /// again, grows for itself.
    pub fn is_filling(&self) -> bool {
        self.nearly_full().is_some() || self.fills_up().is_some()
    }
}

impl RequiredSize {
    /// Used space; `None` where it is not known.
    pub fn used_space(&self) -> Option<UsedSpace> {
        Some(UsedSpace::new(self.used_bytes?, self.filesystem_bytes?, self.growth.as_ref()))
    }
}

/// A remark on the size of a role's volumes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SizeRemark {
    /// The current volumes are larger than required.
    CannotShrink {
        /// Size of new volumes, GiB.
        required_gib: u64,
    },
    /// The current storage of RDS is larger than required.
    LargerStorage {
        /// Size of storage by a Blue/Green deployment, GiB.
        required_gib: u64,
    },
    /// min_size_gib is below the size by use and growth.
    BelowForecast {
        /// min_size_gib, of all volumes, GiB.
        requested_gib: u64,
        /// The size by use and growth, GiB.
        required_gib: u64,
    },
    /// Space grew in steps, which are no trend; the forecast allows for more of them.
    GrowthInSteps {
        /// The steps.
        steps: Steps,
        /// Days in which the forecast allows for as much again.
        step_days: f64,
    },
    /// There are too few samples of the space for a trend.
    GrowthUnknown,
}

/// Space that a role takes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Space {
    /// Size of its filesystems, bytes.
    pub filesystem_bytes: Option<u64>,
    /// Bytes of it in use.
    pub used_bytes: Option<u64>,
    /// Its growth.
    pub growth: Option<Growth>,
}

impl Space {
    /// Sums the space of these volumes of the window; a figure that one of them lacks is not known.
    pub fn from_window(window: &Window, indexes: &[usize]) -> Space {
        let volumes = || indexes.iter().filter_map(|&index| window.layout.volumes.get(index));
        let growth = |index: &usize| Growth::from_points(&window.space.get(*index)?.points().collect::<Vec<_>>());
        let growths: Option<Vec<Growth>> = indexes.iter().map(growth).collect();
        Space {
            filesystem_bytes: volumes().map(|volume| volume.filesystem_bytes).sum(),
            used_bytes: volumes().map(|volume| volume.used_bytes).sum(),
            growth: growths.and_then(|growths| growths.into_iter().reduce(Growth::plus)),
        }
    }
}

impl Space {
    /// The same with the use of RDS's storage by its free space, where the samples show no use.
    fn with_free(self, window: &Window, indexes: &[usize], attached: Option<&Attached>) -> Space {
        let Some(storage) = attached.filter(|attached| attached.is_rds()).filter(|_| self.used_bytes.is_none()) else {
            return self;
        };
        let checks = |&index: &usize| find_checks(window, window.layout.volumes.get(index)?);
        let free = indexes.iter().filter_map(checks).map(|checks| &checks.free_space).find(|free| !free.is_empty());
        let used = storage.declared_gib().zip(free).and_then(|(gib, free)| used_space(gib.saturating_mul(GIB), free));
        let Some(used) = used else { return self };
        let used_bytes = since_fall(&used).iter().map(|point| point.1).max();
        Space { used_bytes, growth: Growth::from_points(&used), ..self }
    }
}

/// Use of storage of this size by its free space, with the times of that: too much before the storage grew to it. `None` where they
/// contradict each other: all of it is never free, and no more than all.
fn used_space(size_bytes: u64, free: &[(i64, u64)]) -> Option<Vec<(i64, u64)>> {
    let used = |&(at_us, free): &(i64, u64)| (free < size_bytes).then(|| (at_us, size_bytes - free));
    free.iter().map(used).collect()
}

impl RequiredSize {
    /// Required size of these volumes of the window on `platform`; `min_size_gib` is that of each role. A move to RDS, or from RDS,
    /// copies the data, so that the size of the current volumes does not bind. RDS's storage is that of the data volume.
    pub fn from_window(
        window: &Window,
        indexes: &[usize],
        platform: Platform,
        min_size_gib: Option<u64>,
        declared: &Declarations,
    ) -> RequiredSize {
        let volume = |index: &usize| window.layout.volumes.get(*index);
        let modified = match indexes {
            [one] => volume(one),
            several if platform.is_rds() => {
                several.iter().filter_map(volume).find(|one| one.roles.contains(&Role::Data))
            }
            _ => None,
        };
        let attached = modified.and_then(|volume| Attached::find(volume, declared));
        let attached = attached.filter(|attached| attached.is_rds() == platform.is_rds());
        let roles = if platform.is_rds() { 1 } else { indexes.len() as u64 };
        let requested_gib = min_size_gib.map(|gib| gib.saturating_mul(roles));
        let space = Space::from_window(window, indexes).with_free(window, indexes, attached.as_ref());
        RequiredSize::new(&space, requested_gib, attached.as_ref())
    }

    /// The requested size; or the upper end of the forecast of use, with [`FREE_SHARE`] of it free, but never less than the
    /// current EBS volumes, which cannot shrink; or the filesystem's.
    pub fn new(space: &Space, requested_gib: Option<u64>, attached: Option<&Attached>) -> RequiredSize {
        let Space { filesystem_bytes, used_bytes, growth } = *space;
        let max_bytes = used_bytes.map(|used| growth.map_or(used as f64, |growth| growth.forecast_interval.high));
        let required_gib = max_bytes.map(|bytes| gib((bytes / (1.0 - FREE_SHARE)).ceil() as u64).max(1));
        let current_gib = attached.and_then(Attached::size_gib);
        let by_use = if growth.is_some() { SizeBasis::Forecast } else { SizeBasis::Used };
        let (size_gib, basis) = match (requested_gib, current_gib, required_gib) {
            (Some(_), _, _) => (requested_gib, SizeBasis::Requested),
            (None, Some(current), _) if required_gib.is_none_or(|required| required <= current) => {
                let is_rds = attached.is_some_and(Attached::is_rds);
                (current_gib, if is_rds { SizeBasis::CurrentStorage } else { SizeBasis::CurrentVolumes })
            }
            (None, _, Some(_)) => (required_gib, by_use),
            (None, _, None) => match filesystem_bytes {
                Some(bytes) => (Some(gib(bytes)), SizeBasis::Filesystem),
                None => (None, SizeBasis::Unknown),
            },
        };
        let remarks = remarks(space, basis, size_gib, required_gib);
        let storage_gib = current_gib.filter(|_| attached.is_some_and(Attached::is_rds));
        let by_use_gib = required_gib;
        RequiredSize { size_gib, filesystem_bytes, used_bytes, growth, by_use_gib, storage_gib, basis, remarks }
    }
}

fn remarks(space: &Space, basis: SizeBasis, size_gib: Option<u64>, required_gib: Option<u64>) -> Vec<SizeRemark> {
    let by_basis = size_gib.zip(required_gib).and_then(|(size_gib, required_gib)| match basis {
        SizeBasis::CurrentVolumes if required_gib < size_gib => Some(SizeRemark::CannotShrink { required_gib }),
        SizeBasis::CurrentStorage if required_gib < size_gib => Some(SizeRemark::LargerStorage { required_gib }),
        SizeBasis::Requested if size_gib < required_gib => {
            Some(SizeRemark::BelowForecast { requested_gib: size_gib, required_gib })
        }
        _ => None,
    });
    let steps = space.growth.and_then(|growth| {
        let steps = growth.steps?;
        Some(SizeRemark::GrowthInSteps { steps, step_days: growth.step_days() })
    });
    let unknown = (space.used_bytes.is_some() && space.growth.is_none()).then_some(SizeRemark::GrowthUnknown);
    [by_basis, steps, unknown].into_iter().flatten().collect()
}

#[cfg(test)]
#[path = "size_tests.rs"]
mod tests;
