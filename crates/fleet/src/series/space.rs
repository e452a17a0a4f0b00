//! Used space of a volume over time, from the file systems on it or the kubelet's claim.

use std::collections::BTreeMap;

use ebs_base::units::GIB;
use ebs_prometheus::{Labels, Sample};

use crate::discovery::fleet::{FleetVolume, SpaceOrigin};
use crate::discovery::metric;
use crate::series::index::{Copy, Index};

/// Used space of a volume.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Space {
    /// Time, microseconds since 1970, and bytes in use, in time order.
    pub points: Vec<(i64, u64)>,
    /// Size of the file systems at the last of these times, bytes.
    pub size: u64,
}

/// Distance of the points that are kept, milliseconds: growth is of days.
const STEP_MS: i64 = 3_600_000;

/// Reads the used space of a volume: the sum over its file systems at times at which all of them were read; `None` without any.
pub fn space(volume: &FleetVolume, index: &Index) -> Option<Space> {
    let mut targets: BTreeMap<&Labels, Vec<&SpaceOrigin>> = BTreeMap::new();
    volume.spaces.iter().for_each(|origin| targets.entry(&origin.target).or_default().push(origin));
    let mut points: BTreeMap<i64, (u64, u64)> = BTreeMap::new();
    for (target, origins) in targets {
        let devices: Vec<&str> = origins.iter().map(|origin| origin.device.as_deref().unwrap_or_default()).collect();
        let Some(first) = devices.first() else { continue };
        for (replica, _) in index.copies(target, first) {
            let each = devices.iter().map(|device| readings(index.copy(target, device, replica)?));
            let Some(each) = each.collect::<Option<Vec<BTreeMap<i64, (f64, f64)>>>>() else { continue };
            for (at_ms, sum) in sums(&each) {
                points.entry(at_ms).or_insert(sum);
            }
        }
    }
    let (_, &(_, size)) = points.last_key_value()?;
    Some(Space { points: points.into_iter().map(|(at_ms, (used, _))| (at_ms * 1_000, used)).collect(), size })
}

/// Reads the used space of an RDS instance: what is allocated, less what is free, or else that of its file system; `None` where an exporter has
/// neither.
pub fn storage_space(volume: &FleetVolume, index: &Index, allocated_gib: Option<u64>) -> Option<Space> {
    let copies = || volume.origins.iter().flat_map(|origin| index.copies(&origin.target, ""));
    for (_, copy) in copies() {
        let free = first(copy, metric::RDS_FREE_STORAGE).or_else(|| first(copy, metric::AWS_RDS_FREE_STORAGE));
        let shown = first(copy, metric::RDS_ALLOCATED_STORAGE).and_then(|samples| samples.last());
        let size = allocated_gib.map(|gib| gib as f64 * GIB as f64).or(shown.map(|sample| sample.value));
        let (Some(free), Some(size)) = (free, size) else { continue };
        let sizes: Vec<Sample> = free.iter().map(|sample| Sample { value: size, ..*sample }).collect();
        let points = pairs(&sizes, free, |size, free| size - free);
        if !points.is_empty() {
            let points = points.into_iter().map(|(at_ms, (used, _))| (at_ms * 1_000, used.round() as u64)).collect();
            return Some(Space { points, size: size.round() as u64 });
        }
    }
    copies().find_map(|(_, copy)| file_system(copy))
}

/// Used space of the data's file system by Enhanced Monitoring.
fn file_system(copy: &Copy) -> Option<Space> {
    let (used, size) = (first(copy, metric::RDS_OS_USED)?, first(copy, metric::RDS_OS_SIZE)?);
    let bytes = |kib: f64| (kib * 1_024.0).round() as u64;
    let points = pairs(size, used, |_, used| used);
    let (_, (_, last)) = points.last_key_value()?;
    let size = bytes(*last);
    Some(Space { points: points.into_iter().map(|(at_ms, (used, _))| (at_ms * 1_000, bytes(used))).collect(), size })
}

/// Used bytes and size at the times at which every device was read.
fn sums(each: &[BTreeMap<i64, (f64, f64)>]) -> impl Iterator<Item = (i64, (u64, u64))> {
    let times = each.first().into_iter().flat_map(BTreeMap::keys);
    times.filter_map(|at_ms| {
        let mut values = each.iter().map(|readings| readings.get(at_ms));
        let sum = values.try_fold((0.0, 0.0), |sum, value| value.map(|value| (sum.0 + value.0, sum.1 + value.1)))?;
        Some((*at_ms, (sum.0.round() as u64, sum.1.round() as u64)))
    })
}

/// Used bytes and size of a file system, about one pair an hour.
fn readings(copy: &Copy) -> Option<BTreeMap<i64, (f64, f64)>> {
    let node = (metric::NODE_FILESYSTEM_SIZE, metric::NODE_FILESYSTEM_AVAIL);
    let (size, avail) = (first(copy, node.0), first(copy, node.1));
    if let (Some(size), Some(avail)) = (size, avail) {
        return Some(pairs(size, avail, |size, avail| size - avail));
    }
    let size = first(copy, metric::KUBELET_CAPACITY)?;
    Some(pairs(size, first(copy, metric::KUBELET_USED)?, |_, used| used))
}

/// Samples of the first series: a file system that is mounted at several paths has a series for each.
fn first<'a>(copy: &Copy<'a>, name: &str) -> Option<&'a [Sample]> {
    let longest = copy.series(name).iter().max_by_key(|series| series.samples.len())?;
    Some(longest.samples.as_slice())
}

fn pairs(sizes: &[Sample], others: &[Sample], used: impl Fn(f64, f64) -> f64) -> BTreeMap<i64, (f64, f64)> {
    let mut pairs = BTreeMap::new();
    let mut next_ms = i64::MIN;
    let mut others = others.iter().peekable();
    for size in sizes {
        while others.next_if(|other| other.at_ms < size.at_ms).is_some() {}
        let Some(other) = others.peek().filter(|other| other.at_ms == size.at_ms) else { continue };
        let used = used(size.value, other.value);
        if size.at_ms >= next_ms && used.is_finite() && used >= 0.0 && size.value > 0.0 {
            pairs.insert(size.at_ms, (used, size.value));
            next_ms = (size.at_ms.div_euclid(STEP_MS) + 1) * STEP_MS;
        }
    }
    pairs
}
