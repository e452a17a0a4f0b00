//! One reading of every fast probe.

use std::collections::BTreeMap;

use ebs_linux::device_counts;
use ebs_samples::evidence::{DeviceCounts, Snapshot, StorageLayout, Timing};

use super::clock::{monotonic_us, wall_us};
use super::diskstats::read_disks;
use crate::ffi;

/// Completeness of a snapshot.
pub enum Completeness {
    /// Everything was read.
    Complete,
    /// Devices could not be read, for this reason.
    Incomplete(String),
}

/// Reads every fast probe. One that fails leaves its part out, with the reason; the others are read all the same.
pub fn take_snapshot(layout: &StorageLayout) -> (Snapshot, Completeness) {
    let statistics = ffi::read_io_statistics();
    let (devices, completeness) = read_devices(layout);
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
    (snapshot, completeness)
}

/// Timing settings of the server.
pub fn timing_settings() -> Timing {
    ffi::read_io_statistics().timing
}

fn read_devices(layout: &StorageLayout) -> (Option<BTreeMap<String, DeviceCounts>>, Completeness) {
    if let Some(part) = layout.unresolved.first().filter(|_| layout.volumes.is_empty()) {
        return (Some(BTreeMap::new()), Completeness::Incomplete(part.reason.clone()));
    }
    let disks = match read_disks() {
        Ok(disks) => disks,
        Err(reason) => return (None, Completeness::Incomplete(reason)),
    };
    let (counts, missing) = device_counts(disks, layout);
    let completeness = missing.map_or(Completeness::Complete, |disk| {
        Completeness::Incomplete(format!("device \"{disk}\" is no longer in diskstats"))
    });
    (Some(counts), completeness)
}
