//! Demand on a volume, interval by interval.

use crate::exceeded::find_checks;
use ebs_aws::catalogue::LimitKind;
use ebs_base::counter::Counters;
use ebs_base::pause::Pause;
use ebs_base::units::{MIB, SECOND_US};
use ebs_samples::evidence::{CounterDelta, DeviceCounts, Interval, SSD_IO_BYTES, Window};
use ebs_stats::WeightedSample;

/// Shares of the requests of an interval that are taken as merged up to 256 KiB, from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Merging {
    /// Share of the reads.
    pub reads: f64,
    /// Share of the writes.
    pub writes: f64,
}

/// One interval of demand on one volume (or on several together).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DemandInterval {
    /// Its end, microseconds since 1970.
    pub ended_us: i64,
    /// Its length, seconds; never zero.
    pub seconds: f64,
    /// Counts of the device in the interval.
    pub counts: DeviceCounts,
    /// Shares of its requests that EBS is taken to merge (`merging.rs`); none as the device counts.
    pub merging: Merging,
    /// True for a group of similar seconds of a downsampled span: their rates differ by up to 5 % or more (the widths of bins in
    /// `crates/samples/src/evidence/downsampling.rs`), and only their mean is known.
    pub is_grouped: bool,
}

impl DemandInterval {
    /// Requests as EBS counts them on an SSD volume. Only totals are known per interval, so a mix of small and large
    /// requests gives a lower bound: at least one per request, at least one per 256 KiB, reads and writes apart.
    #[inline]
    pub fn ssd_requests(&self) -> u64 {
        let (counts, merging) = (&self.counts, self.merging);
        if merging == Merging::default() {
            return counts.ssd_requests();
        }
        let counted = |requests: u64, bytes: u64, merged: f64| {
            let least = bytes.div_ceil(SSD_IO_BYTES);
            let more = requests.saturating_sub(least);
            least + more.saturating_sub((more as f64 * merged).round() as u64)
        };
        let reads = counted(counts.reads, counts.read_bytes, merging.reads);
        reads.saturating_add(counted(counts.writes, counts.write_bytes, merging.writes))
    }

    /// Bytes read and written.
    #[inline]
    pub fn bytes(&self) -> u64 {
        self.counts.read_bytes.saturating_add(self.counts.write_bytes)
    }

    /// [`Self::ssd_requests`] per second.
    #[inline]
    pub fn iops(&self) -> f64 {
        self.ssd_requests() as f64 / self.seconds
    }

    /// [`Self::bytes`] in MiB per second.
    #[inline]
    pub fn mibps(&self) -> f64 {
        self.bytes() as f64 / MIB as f64 / self.seconds
    }

    /// [`Self::iops`] or [`Self::mibps`].
    pub fn rate(&self, limited: LimitKind) -> f64 {
        match limited {
            LimitKind::Iops => self.iops(),
            LimitKind::Throughput => self.mibps(),
        }
    }
}

/// The demand on one volume over a window.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Demand {
    /// True if the counts hold times.
    pub timed: bool,
    /// True if the counts lack bytes, which then stand as zero.
    pub bytes_unknown: bool,
    /// Seconds that a sample is an average over: the longest interval that was set. Samples of a downsampled span are groups of
    /// similar seconds, whatever their total length.
    pub averaged_s: f64,
    /// Intervals in which the device could be read, in time order.
    pub intervals: Vec<DemandInterval>,
    /// Function that long computations over it call.
    pub pause: Pause,
}

impl Demand {
    /// The demand on the volume with this index in the window's layout.
    pub fn from_window(window: &Window, volume: usize) -> Demand {
        let timed = window.layout.volumes.get(volume).is_some_and(|volume| volume.timed);
        let demand = Demand::collect(window, timed, |interval| counts_of(interval, volume));
        Demand { bytes_unknown: are_bytes_unknown(window, &[volume]), ..demand }
    }

    /// The demand on all current volumes together, over the intervals in which each could be read.
    pub fn from_all_volumes(window: &Window) -> Demand {
        Demand::from_volumes(window, &window.current)
    }

    /// The demand on the volumes with these indexes together, over the intervals in which each could be read.
    pub fn from_volumes(window: &Window, volumes: &[usize]) -> Demand {
        let each = || volumes.iter().filter_map(|&volume| window.layout.volumes.get(volume));
        let counts = |interval: &Interval| counts_together(interval, volumes);
        let demand = Demand::collect(window, each().all(|volume| volume.timed), counts);
        Demand { bytes_unknown: are_bytes_unknown(window, volumes), ..demand }
    }

    /// The intervals of [`Self::from_all_volumes`], for one pass.
    pub fn each_of_all_volumes(window: &Window) -> impl Iterator<Item = DemandInterval> {
        let demand = |interval: &Interval| demand_interval(interval, counts_together(interval, &window.current)?);
        window.pause.each(&window.intervals).filter_map(demand)
    }

    fn collect(window: &Window, timed: bool, counts: impl Fn(&Interval) -> Option<DeviceCounts>) -> Demand {
        let demand = |interval: &Interval| demand_interval(interval, counts(interval)?);
        let mut intervals = Vec::with_capacity(window.intervals.len());
        intervals.extend(window.pause.each(&window.intervals).filter_map(demand));
        Demand { timed, averaged_s: averaged_s(window), intervals, pause: window.pause, ..Demand::default() }
    }

    /// A figure of each interval, with the time it stands for; intervals without one are left out.
    pub fn samples(&self, figure: impl Fn(&DemandInterval) -> Option<f64>) -> Vec<WeightedSample> {
        let sample =
            |interval: &DemandInterval| Some(WeightedSample { value: figure(interval)?, seconds: interval.seconds });
        let mut samples = Vec::with_capacity(self.intervals.len());
        samples.extend(self.each().filter_map(sample));
        samples
    }

    /// Its intervals, for a pass that calls the pause.
    pub fn each(&self) -> impl Iterator<Item = &DemandInterval> {
        self.pause.each(&self.intervals)
    }

    /// Everything counted.
    pub fn total(&self) -> DeviceCounts {
        self.each().fold(DeviceCounts::default(), |sum, interval| sum.plus(interval.counts))
    }

    /// Seconds covered.
    pub fn seconds(&self) -> f64 {
        self.each().map(|interval| interval.seconds).sum()
    }

    /// Reads in all requests; `None` without requests.
    pub fn read_share(&self) -> Option<f64> {
        let total = self.total();
        ratio(total.reads, total.requests())
    }
}

fn averaged_s(window: &Window) -> f64 {
    window.pause.each(&window.intervals).map(|interval| interval.interval_us).max().unwrap_or(0) as f64
        / SECOND_US as f64
}

/// True where the bytes of one of these volumes are not known.
fn are_bytes_unknown(window: &Window, volumes: &[usize]) -> bool {
    let mut each = volumes.iter().filter_map(|&volume| find_checks(window, window.layout.volumes.get(volume)?));
    each.any(|checks| checks.bytes_unknown)
}

/// Counts of a volume in one interval; `None` if they are not known.
fn counts_of(interval: &Interval, volume: usize) -> Option<DeviceCounts> {
    match interval.devices.iter().find(|(index, _)| usize::from(*index) == volume) {
        None => Some(DeviceCounts::default()),
        Some((_, CounterDelta::Known(counts))) => Some(*counts),
        Some(_) => None,
    }
}

/// Counts of volumes together in one interval; `None` if those of one are not known.
fn counts_together(interval: &Interval, volumes: &[usize]) -> Option<DeviceCounts> {
    let mut each = volumes.iter().map(|&volume| counts_of(interval, volume));
    each.try_fold(DeviceCounts::default(), |sum, counts| Some(sum.plus(counts?)))
}

fn demand_interval(interval: &Interval, counts: DeviceCounts) -> Option<DemandInterval> {
    (interval.dt_us > 0).then(|| DemandInterval {
        ended_us: interval.at_us,
        seconds: interval.dt_us as f64 / SECOND_US as f64,
        counts,
        is_grouped: interval.downsampled_us > 0,
        ..DemandInterval::default()
    })
}

/// `part / whole`; `None` for an empty whole: 0 of 0 is not known.
pub fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebs_base::units::KIB;

    fn second(counts: DeviceCounts) -> DemandInterval {
        DemandInterval { seconds: 1.0, counts, ..DemandInterval::default() }
    }

    #[test]
    fn a_request_over_256_kib_counts_once_per_256_kib() {
        let large = second(DeviceCounts { reads: 10, read_bytes: 10 * MIB, ..Default::default() });
        assert_eq!(large.ssd_requests(), 40);
        let small = second(DeviceCounts { reads: 10, read_bytes: 80 * KIB, ..Default::default() });
        assert_eq!(small.ssd_requests(), 10);
        let mixed =
            second(DeviceCounts { reads: 10, read_bytes: 80 * KIB, writes: 1, write_bytes: MIB, ..Default::default() });
        assert_eq!(mixed.ssd_requests(), 14);
    }

    #[test]
    fn no_requests_have_no_read_share() {
        assert_eq!(Demand::default().read_share(), None);
    }
}
