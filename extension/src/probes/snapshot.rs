//! One reading of every probe.

use std::collections::BTreeMap;

use ebs_samples::evidence::{DeviceCounts, Place, Snapshot, Timing, Volume};

use super::clock::{monotonic_us, wall_us};
use super::devices::disks;
use crate::ffi;

/// What a probe could not do.
pub enum Probe {
    /// Everything was read.
    Complete,
    /// Devices could not be read, and why.
    Incomplete(String),
}

/// Reads every probe. A probe that fails leaves its part out and says why; the others are read all the same.
pub fn snapshot(place: &Place) -> (Snapshot, Probe) {
    let statistics = ffi::read_io_statistics();
    let (devices, probe) = devices(place);
    let snapshot = Snapshot {
        at_us: wall_us(),
        mono_us: monotonic_us(),
        devices,
        io: Some(statistics.io),
        wal: Some(statistics.wal),
        wal_writes: Some(statistics.wal_writes),
        statistics_epoch: statistics.epoch,
        timing: statistics.timing,
    };
    (snapshot, probe)
}

/// Which timing settings are on.
pub fn timing() -> Timing {
    ffi::read_io_statistics().timing
}

fn devices(place: &Place) -> (Option<BTreeMap<String, DeviceCounts>>, Probe) {
    if let Some(part) = place.unplaced.first().filter(|_| place.volumes.is_empty()) {
        return (Some(BTreeMap::new()), Probe::Incomplete(part.reason.clone()));
    }
    let disks = match disks() {
        Ok(disks) => disks,
        Err(reason) => return (None, Probe::Incomplete(reason)),
    };
    let ours: Vec<&str> = place.volumes.iter().flat_map(Volume::disks).collect();
    let counted = disks.into_iter().filter(|disk| ours.contains(&disk.name.as_str()));
    let found: BTreeMap<_, _> = counted.map(|disk| (disk.name, disk.counts)).collect();
    let gone = ours.into_iter().find(|disk| !found.contains_key(*disk));
    let probe =
        gone.map_or(Probe::Complete, |disk| Probe::Incomplete(format!("device \"{disk}\" is no longer in diskstats")));
    (Some(found), probe)
}
