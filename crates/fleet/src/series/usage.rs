//! Usage of a volume that documents attach to no instance: its I/O within the time, by its series.

use ebs_prometheus::Sample;

use crate::discovery::fleet::{FleetVolume, Origin};
use crate::discovery::metric::Column;
use crate::discovery::source::Source;
use crate::series::disk_identity::DiskIdentity;
use crate::series::index::{Copy, Index};
use crate::series::readings::Columns;

/// Counters of requests; their sums by histograms are beside them.
const REQUESTS: [Column; 2] = [Column::Reads, Column::Writes];

/// Counter of the histograms' seconds, of which those without requests are in the bucket of zero.
const DEMAND_SUM: &str = "ebs_demand_requests_sum";

/// Time after the beginning, in milliseconds, within which the first sample of a counter that was there before is expected: a few scrapes,
/// or so many intervals of the samples, which may be of hours. A choice.
const FIRST_SCRAPES_MS: i64 = 300_000;
const FIRST_INTERVALS: i64 = 3;

/// Reads by which a kernel looks for partitions and file systems on a disk that is attached, at most: they are no use of it. It writes nothing.
const MAX_PROBES: f64 = 1_000.0;

/// Usage of a volume within the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usage {
    /// No series has a sample of it.
    NoSamples,
    /// Its counters stand still all the time, and it has no file system.
    Unused {
        /// Time of the last sample, microseconds since 1970.
        last_us: i64,
    },
    /// Its counters stand still, and it was mounted.
    Mounted {
        /// Time of the last sample, microseconds since 1970.
        last_us: i64,
    },
    /// It had I/O.
    Used {
        /// Time of the last sample that shows some, microseconds since 1970.
        last_us: i64,
    },
    /// It has samples, and none of them tells of I/O or of its absence within the time.
    Unknown {
        /// Time of the last sample, microseconds since 1970.
        last_us: i64,
    },
}

/// Samples of some series of counters.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// Beginning of the time.
    from_ms: i64,
    /// Time of the last sample.
    sampled_ms: Option<i64>,
    /// True where two samples of a counter are known.
    is_counted: bool,
    /// True where a counter that appears within the time is above zero: a kernel counts from zero when the disk is attached, so that its
    /// requests may be of the time too.
    begins_used: bool,
    /// Time of the last sample that shows I/O.
    last_ms: Option<i64>,
}

impl Usage {
    /// Finds the usage of a volume by all its series, over gaps, resets and too few samples for advice too. The time begins at
    /// `from_us`, microseconds since 1970.
    pub fn find(volume: &FleetVolume, index: &Index, from_us: i64) -> Usage {
        let mut seen = Seen { from_ms: from_us.div_euclid(1_000), ..Seen::default() };
        for origin in &volume.origins {
            let own = origin.own_label(&volume.id);
            index.copies(&origin.target, own).for_each(|(_, copy)| seen.add_counters(origin, &volume.id, copy));
        }
        for target in &volume.histograms {
            let sums = index.copies(target, &volume.id).filter_map(|(_, copy)| copy.samples(DEMAND_SUM));
            sums.for_each(|samples| seen.add_cumulative(&samples, MAX_PROBES, &DiskIdentity::Single(true)));
        }
        for space in &volume.spaces {
            let copies = index.copies(&space.target, space.device.as_deref().unwrap_or_default());
            seen.sampled_ms = copies.into_iter().filter_map(|(_, copy)| copy.last_ms()).max().max(seen.sampled_ms);
        }
        // The CSI driver counts volumes that a pod has mounted, a kubelet's claim is one of them.
        let is_of_pod = volume.origins.iter().any(|origin| origin.source == Source::CsiDriver);
        let is_mounted = is_of_pod || !volume.mountpoints.is_empty() || !volume.spaces.is_empty();
        seen.usage(is_mounted)
    }
}

impl Seen {
    fn usage(self, is_mounted: bool) -> Usage {
        if let Some(last_ms) = self.last_ms {
            return Usage::Used { last_us: last_ms.saturating_mul(1_000) };
        }
        let Some(sampled_ms) = self.sampled_ms else { return Usage::NoSamples };
        let last_us = sampled_ms.saturating_mul(1_000);
        match (self.is_counted && !self.begins_used, is_mounted) {
            (false, _) => Usage::Unknown { last_us },
            (true, true) => Usage::Mounted { last_us },
            (true, false) => Usage::Unused { last_us },
        }
    }

    fn add_counters(&mut self, origin: &Origin, id: &str, copy: &Copy) {
        let identity = DiskIdentity::new(origin.source, copy, id);
        let columns = Columns::new(copy, origin.source.columns());
        for column in REQUESTS {
            match origin.source.is_cumulative() {
                true => self.add_cumulative(columns.samples(column), probes(column), &identity),
                false => self.add_amounts(columns.samples(column)),
            }
        }
    }

    /// Adds samples of a cumulative counter: each change is I/O, and so is a reset to more than nothing. The first may have these probes
    /// alone.
    fn add_cumulative(&mut self, samples: &[Sample], probes: f64, identity: &DiskIdentity) {
        let mut before: Option<f64> = None;
        let interval_ms = samples.windows(2).map(|pair| pair[1].at_ms - pair[0].at_ms).min().unwrap_or_default();
        let late_ms = self.from_ms.saturating_add(FIRST_SCRAPES_MS.max(FIRST_INTERVALS.saturating_mul(interval_ms)));
        for sample in samples.iter().filter(|sample| sample.value.is_finite()) {
            if !identity.is_volume(sample.at_ms) {
                before = None;
                continue;
            }
            self.sampled_ms = self.sampled_ms.max(Some(sample.at_ms));
            match before {
                Some(before) => {
                    self.is_counted = true;
                    if sample.value != before && sample.value > 0.0 {
                        self.last_ms = self.last_ms.max(Some(sample.at_ms));
                    }
                }
                None => {
                    self.begins_used |= sample.at_ms > late_ms && sample.value > probes;
                }
            }
            before = Some(sample.value);
        }
    }

    /// Adds samples that are amounts of an interval.
    fn add_amounts(&mut self, samples: &[Sample]) {
        for sample in samples.iter().filter(|sample| sample.value.is_finite()) {
            (self.sampled_ms, self.is_counted) = (self.sampled_ms.max(Some(sample.at_ms)), true);
            if sample.value > 0.0 {
                self.last_ms = self.last_ms.max(Some(sample.at_ms));
            }
        }
    }
}

/// Requests of a kernel's own in a counter of these.
fn probes(column: Column) -> f64 {
    if column == Column::Writes { 0.0 } else { MAX_PROBES }
}

#[cfg(test)]
#[path = "usage_tests.rs"]
mod tests;
