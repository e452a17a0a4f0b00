//! One reading of every probe.

use std::collections::BTreeMap;

use ebs_advisor_model::evidence::{DeviceCounts, Place, Snapshot, Timing, WaitKey};

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
    let statistics = ffi::statistics();
    let (devices, probe) = devices(place);
    let snapshot = Snapshot {
        at_us: wall_us(),
        mono_us: monotonic_us(),
        devices,
        io: Some(statistics.io),
        wal: Some(statistics.wal),
        statistics_epoch: statistics.epoch,
        timing: statistics.timing,
    };
    (snapshot, probe)
}

/// What every process of the server is and waits for, now.
pub fn sweep() -> Vec<WaitKey> {
    ffi::sweep()
}

/// Which timing settings are on.
pub fn timing() -> Timing {
    ffi::statistics().timing
}

fn devices(place: &Place) -> (Option<BTreeMap<String, DeviceCounts>>, Probe) {
    if let Some(part) = place.unplaced.first().filter(|_| place.volumes.is_empty()) {
        return (Some(BTreeMap::new()), Probe::Incomplete(part.reason.clone()));
    }
    let disks = match disks() {
        Ok(disks) => disks,
        Err(reason) => return (None, Probe::Incomplete(reason)),
    };
    let ours = |name: &str| place.volumes.iter().any(|volume| volume.device == name);
    let found: BTreeMap<_, _> =
        disks.into_iter().filter(|disk| ours(&disk.name)).map(|disk| (disk.name, disk.counts)).collect();
    let gone = place.volumes.iter().find(|volume| !found.contains_key(&volume.device));
    let probe = gone.map_or(Probe::Complete, |volume| {
        Probe::Incomplete(format!("device \"{}\" is no longer in diskstats", volume.device))
    });
    (Some(found), probe)
}
