//! Identity of a disk: device names are given anew, and serial numbers are not.

use ebs_prometheus::Labels;

use crate::discovery::device::volume_id;
use crate::discovery::metric;
use crate::discovery::source::Source;
use crate::series::index::Copy;

/// Identity of a device over time, by its serial numbers.
pub enum DiskIdentity {
    /// It was one disk all the time.
    Single(bool),
    /// Times of its serial numbers, milliseconds since 1970, and whether they were the volume's.
    Several(Vec<(i64, bool)>),
}

/// Time without a serial number over which a device is taken for the same disk, milliseconds: five minutes, in which scrapes may be missed.
/// A choice.
const MAX_SILENCE_MS: i64 = 300_000;

impl DiskIdentity {
    /// Identity of the device of these series as the volume of this ID. Only node_exporter names a device that may be another disk later.
    pub fn new(source: Source, copy: &Copy, id: &str) -> DiskIdentity {
        if source != Source::NodeExporter {
            return DiskIdentity::Single(true);
        }
        let is_volume = |labels: &Labels| labels.get("serial").and_then(volume_id).as_deref() == Some(id);
        let series = copy.series(metric::NODE_DISK_INFO);
        let all = || series.iter().map(|one| is_volume(&one.labels));
        if series.is_empty() || all().all(|is_volume| is_volume) {
            // Without serial numbers in this time, those of the label sets count.
            return DiskIdentity::Single(true);
        }
        if !all().any(|is_volume| is_volume) {
            return DiskIdentity::Single(false);
        }
        let mut times = Vec::new();
        for one in series {
            let is_volume = is_volume(&one.labels);
            let present = one.samples.iter().filter(|sample| sample.value.is_finite());
            times.extend(present.map(|sample| (sample.at_ms, is_volume)));
        }
        // Of several at one time the last counts, as a stable order keeps it.
        times.sort_by_key(|(at_ms, _)| *at_ms);
        DiskIdentity::Several(times)
    }

    /// True at a time, milliseconds since 1970, at which the device was the volume.
    #[inline]
    pub fn is_volume(&self, at_ms: i64) -> bool {
        match self {
            DiskIdentity::Single(is_volume) => *is_volume,
            DiskIdentity::Several(times) => {
                let known = times.partition_point(|(known_ms, _)| *known_ms <= at_ms);
                let last = times[..known].last();
                last.is_some_and(|(known_ms, is_volume)| *is_volume && at_ms - known_ms <= MAX_SILENCE_MS)
            }
        }
    }
}
