//! Size of volumes.

use ebs_aws::catalogue::Platform;
use ebs_base::units::gib;
use ebs_samples::evidence::Window;
use ebs_workload::attached::Attached;
use ebs_workload::declarations::Declarations;
use ebs_workload::growth::{Growth, Steps};

/// Share of a volume that is to stay free: WAL, temporary files and a VACUUM FULL need room, and PostgreSQL stops when the
/// disk is full. A choice, not a measurement.
pub const FREE_SHARE: f64 = 0.2;

/// Basis of a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeBasis {
    /// It was asked for.
    Asked,
    /// The forecast of use, and the free share.
    Forecast,
    /// Present use, and the free share: growth is not known.
    Used,
    /// The EBS volumes of now: they cannot shrink.
    Present,
    /// The filesystem of now: how much of it is used is not known.
    Filesystem,
    /// Nothing says how large.
    Unknown,
}

/// Size of the volumes of a role together.
#[derive(Clone, Debug, PartialEq)]
pub struct SizeNeed {
    /// GiB; `None` where nothing says.
    pub size_gib: Option<u64>,
    /// In use now, bytes; `None` where the evidence does not say.
    pub used_bytes: Option<u64>,
    /// Its growth; `None` where the evidence is too little.
    pub growth: Option<Growth>,
    /// Basis of the size.
    pub basis: SizeBasis,
    /// Remarks on it.
    pub remarks: Vec<SizeRemark>,
}

/// A remark on the size of a role's volumes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SizeRemark {
    /// The present volumes are larger than needed.
    CannotShrink {
        /// Size of new volumes, GiB.
        needed_gib: u64,
    },
    /// min_size_gib is below what use and growth need.
    BelowForecast {
        /// min_size_gib, of all volumes, GiB.
        requested_gib: u64,
        /// The size by use and growth, GiB.
        needed_gib: u64,
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
    /// Of these volumes of the window together; what is not known of one is not known of all.
    pub fn new(window: &Window, indexes: &[usize]) -> Space {
        let volumes = || indexes.iter().filter_map(|&index| window.layout.volumes.get(index));
        let growth = |index: &usize| Growth::from_points(&window.space.get(*index)?.points().collect::<Vec<_>>());
        let each: Option<Vec<Growth>> = indexes.iter().map(growth).collect();
        Space {
            filesystem_bytes: volumes().map(|volume| volume.filesystem_bytes).sum(),
            used_bytes: volumes().map(|volume| volume.used_bytes).sum(),
            growth: each.and_then(|each| each.into_iter().reduce(Growth::plus)),
        }
    }
}

impl SizeNeed {
    /// Of these volumes of the window together, on `platform`; `asked` is of each role. Going to RDS is copying: volumes that
    /// cannot shrink stay behind.
    pub fn of_volumes(
        window: &Window,
        indexes: &[usize],
        platform: Platform,
        asked: Option<u64>,
        declared: &Declarations,
    ) -> SizeNeed {
        let stays = match indexes {
            [volume] if !platform.is_rds() => window.layout.volumes.get(*volume),
            _ => None,
        };
        let attached = stays.and_then(|volume| Attached::find(volume, declared));
        let roles = if platform.is_rds() { 1 } else { indexes.len() as u64 };
        let asked = asked.map(|gib| gib.saturating_mul(roles));
        SizeNeed::new(&Space::new(window, indexes), asked, attached.as_ref())
    }

    /// The size that was asked for; or what will be used at most, with [`FREE_SHARE`] of it free, but never less than the EBS
    /// volumes that are there, which cannot shrink; or the filesystem's.
    pub fn new(space: &Space, asked: Option<u64>, attached: Option<&Attached>) -> SizeNeed {
        let Space { filesystem_bytes, used_bytes, growth } = *space;
        let most = used_bytes.map(|used| growth.map_or(used as f64, |growth| growth.forecast_interval.high));
        let needed = most.map(|bytes| gib((bytes / (1.0 - FREE_SHARE)).ceil() as u64).max(1));
        let now = attached.and_then(Attached::size_gib);
        let by_use = if growth.is_some() { SizeBasis::Forecast } else { SizeBasis::Used };
        let (size_gib, basis) = match (asked, now, needed) {
            (Some(asked), _, _) => (Some(asked), SizeBasis::Asked),
            (None, Some(now), needed) if needed.is_none_or(|needed| needed <= now) => (Some(now), SizeBasis::Present),
            (None, _, Some(needed)) => (Some(needed), by_use),
            (None, _, None) => match filesystem_bytes {
                Some(bytes) => (Some(gib(bytes)), SizeBasis::Filesystem),
                None => (None, SizeBasis::Unknown),
            },
        };
        let remarks = remarks(space, basis, size_gib, needed);
        SizeNeed { size_gib, used_bytes, growth, basis, remarks }
    }
}

fn remarks(space: &Space, basis: SizeBasis, size_gib: Option<u64>, needed_gib: Option<u64>) -> Vec<SizeRemark> {
    let by_basis = size_gib.zip(needed_gib).and_then(|(size_gib, needed_gib)| match basis {
        SizeBasis::Present if needed_gib < size_gib => Some(SizeRemark::CannotShrink { needed_gib }),
        SizeBasis::Asked if size_gib < needed_gib => {
            Some(SizeRemark::BelowForecast { requested_gib: size_gib, needed_gib })
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
