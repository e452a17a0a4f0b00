//! A window: the evidence between two points in time, assembled from blocks.
//!
//! Devices are kept interval by interval, because percentiles and replay need them so; what blocks hold as totals is
//! added up as they come in. A long look-back stays small that way.

use std::ops::Range;

use super::sampling::{Sampling, Tier};
use super::totals::Totals;
use super::{
    Block, BlockIo, ConfigurationChange, CounterDelta, DeviceChecks, DeviceCounts, DeviceReadings, PendingChange,
    Sample, SpaceSeries, StorageLayout, Volume,
};
use ebs_base::pause::Pause;

/// One interval of a window.
#[derive(Clone, Debug, PartialEq)]
pub struct Interval {
    /// End of the interval, microseconds since 1970.
    pub at_us: i64,
    /// Its length, microseconds.
    pub dt_us: u64,
    /// The sampling interval that was set then, microseconds.
    pub interval_us: u64,
    /// Length of the span it was downsampled to, microseconds; 0 if it was not.
    pub downsampled_us: u64,
    /// Counts by index into the window's volumes; a volume without a reading was idle.
    pub devices: DeviceReadings,
    /// True if counters of PostgreSQL were reset in it.
    pub reset: bool,
}

/// Everything sampled between two points in time, in time order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Window {
    /// Beginning, microseconds since 1970.
    pub from_us: i64,
    /// End.
    pub to_us: i64,
    /// Maximum error of a rate of downsampled blocks against the seconds in them, per cent.
    pub rate_error_pct: u8,
    /// Source, cost and punctuality of the samples, over the blocks touched.
    pub sampling: Sampling,
    /// Every volume of the blocks, and the last unresolved roles. A volume is identified by its roles: a device that got
    /// another name is still the same volume.
    pub layout: StorageLayout,
    /// Volumes of the last block, by index.
    pub current: Vec<usize>,
    /// Used space of each volume over time, as far as blocks hold it; by index, as volumes are.
    pub space: Vec<SpaceSeries>,
    /// Intervals of which more than half lies in the window.
    pub intervals: Vec<Interval>,
    /// Sums of the totals of the blocks of which more than half lies in the window.
    pub totals: Totals,
    /// Facts that the source of the samples could not tell, for the report's limitations.
    pub caveats: Vec<String>,
    /// Changes of the configuration of its volumes.
    pub changes: Vec<ConfigurationChange>,
    /// States of its volumes that forbid the next change of them, or that it applies too.
    pub pending: Vec<PendingChange>,
    /// Checks of limits and balances of burst credits of imported devices.
    pub checks: Vec<DeviceChecks>,
    /// Function that long computations over it call.
    pub pause: Pause,
    /// Bytes of each block of which more than half lies in the window, as [`Window::totals`].
    pub block_io: Vec<BlockIo>,
    /// Index of an interval, and the volumes that are known from it on.
    pub known: Vec<(usize, Vec<u16>)>,
    /// The load driver of the run; `None` where it is not known.
    pub driver: Option<LoadDriver>,
}

/// Figures of a run's load driver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoadDriver {
    /// Client sessions.
    pub clients: f64,
    /// Transactions a second that it reported; `None` where it did not.
    pub tps: Option<f64>,
}

impl Window {
    /// Returns an empty window between two points in time.
    pub fn new(from_us: i64, to_us: i64) -> Window {
        Window { from_us, to_us, ..Window::default() }
    }

    /// True of imported counts without waits of sessions: nothing in them shows a database.
    pub fn has_counts_alone(&self) -> bool {
        self.sampling.tier == Tier::Imported && self.totals.waits.swept_us == 0
    }

    /// True where a state of a volume forbids the next change of it.
    pub fn has_forbidding_change(&self) -> bool {
        self.pending.iter().any(PendingChange::forbids_change)
    }

    /// The same, with a function that long computations over it call.
    pub fn pausing(self, pause: Pause) -> Window {
        Window { pause, ..self }
    }

    /// Puts together what `blocks` (in time order) hold between `from_us` and `to_us`.
    pub fn assemble(blocks: impl IntoIterator<Item = Block>, from_us: i64, to_us: i64) -> Window {
        let (mut window, blocks) = (Window::new(from_us, to_us), Vec::from_iter(blocks));
        window.intervals.reserve_exact(blocks.iter().map(|block| block.samples.len()).sum());
        for block in blocks {
            window.append(block);
        }
        window.finish()
    }

    /// A window of one volume, of its intervals of which more than half lies between two points in time; empty without any. As after
    /// [`Window::append`], [`Window::finish`] is still to come.
    pub fn from_intervals(
        volume: Volume,
        sampling: Sampling,
        mut intervals: Vec<Interval>,
        (from_us, to_us): (i64, i64),
    ) -> Window {
        let mut window = Window::new(from_us, to_us);
        intervals.retain(|interval| window.holds(interval.at_us, interval.dt_us));
        if intervals.is_empty() {
            return window;
        }
        window.sampling.add(&sampling);
        window.volume(volume, None);
        (window.current, window.known, window.intervals) = (vec![0], vec![(0, vec![0])], intervals);
        window
    }

    /// Adds the next block.
    pub fn append(&mut self, block: Block) {
        let downsampled_us = block.downsampled_us;
        // A block has the layout of its beginning, a downsampled one that of its end.
        let placed_us = if downsampled_us > 0 { block.ended_us() } else { block.started_us() };
        let inside =
            |sample: &Sample| self.holds(sample.at_us, if downsampled_us > 0 { downsampled_us } else { sample.dt_us });
        let block_io = BlockIo::from_block(&block);
        let time = |samples: &[Sample]| samples.iter().map(|sample| u128::from(sample.dt_us)).sum::<u128>();
        let all_us = time(&block.samples);
        let samples: Vec<Sample> = block.samples.into_iter().filter(inside).collect();
        if samples.is_empty() {
            return;
        }
        if 2 * time(&samples) > all_us {
            self.totals.add(block.totals);
            self.block_io.push(block_io);
        }
        self.sampling.add(&block.sampling);
        self.rate_error_pct = self.rate_error_pct.max(block.rate_error_pct);
        let volumes: Vec<u16> = block.layout.volumes.into_iter().map(|volume| self.volume(volume, placed_us)).collect();
        self.current = volumes.iter().map(|&index| usize::from(index)).collect();
        if self.known.last().is_none_or(|(_, known)| *known != volumes) {
            self.known.push((self.intervals.len(), volumes.clone()));
        }
        self.layout.unresolved = block.layout.unresolved;
        self.layout.instance = block.layout.instance.or(self.layout.instance.take());
        self.intervals.extend(samples.into_iter().map(|sample| Interval {
            at_us: sample.at_us,
            dt_us: sample.dt_us,
            interval_us: block.interval_us,
            downsampled_us,
            devices: renumbered(sample.devices, &volumes),
            reset: sample.reset,
        }));
    }

    /// Returns true if more than half of an interval with this end and length lies in the window.
    fn holds(&self, at_us: i64, length_us: u64) -> bool {
        let middle = at_us.saturating_sub(i64::try_from(length_us / 2).unwrap_or(i64::MAX));
        self.from_us <= middle && middle <= self.to_us
    }

    /// Maximum of bytes that [`Window::finish`] and the first computation after it allocate: a copy of every interval, and the volumes that
    /// are not known in it. A vector that grows is copied into one of twice its length, and then freed.
    pub fn bytes_to_finish(&self) -> usize {
        let all = self.layout.volumes.len();
        let unknown = |known: &[u16]| (0u16..).take(all).any(|volume| !known.contains(&volume));
        let readings = |(intervals, known): (Range<usize>, &[u16])| {
            if unknown(known) { intervals.len() * all.next_power_of_two() } else { 0 }
        };
        let grown: usize = self.segments().map(readings).fold(0, usize::saturating_add);
        let reading = 3 * size_of::<(u16, CounterDelta<DeviceCounts>)>();
        (self.intervals.len() * size_of::<Interval>()).saturating_add(grown.saturating_mul(reading))
    }

    /// Consecutive intervals in which the same volumes are known, and these volumes.
    fn segments(&self) -> impl Iterator<Item = (Range<usize>, &[u16])> {
        let ends = self.known.iter().skip(1).map(|(start, _)| *start).chain([self.intervals.len()]);
        self.known.iter().zip(ends).map(|((start, known), end)| (*start..end, known.as_slice()))
    }

    /// Finishes the window after the last block. A volume that is not part of an interval's block is not known in
    /// that interval.
    ///
    /// Intervals shorter than half of the sampling interval (a run that begins or ends between two grid points makes them) are
    /// joined with the next: over a few milliseconds a handful of requests looks like a peak.
    pub fn finish(mut self) -> Window {
        self.mark_unknown();
        let short = |interval: &Interval| interval.dt_us < interval.interval_us / 2;
        // Never to more than one and a half intervals: many marks in a row would become one long average.
        let fits = |last: &Interval, next: &Interval| last.dt_us + next.dt_us <= last.interval_us / 2 * 3;
        let mut passed = self.pause.each(0..self.intervals.len());
        self.intervals.dedup_by(|next, last| {
            passed.next();
            let is_joined = (short(last) || short(next) && fits(last, next)) && adjacent(last, next);
            if is_joined {
                join(last, next);
            }
            is_joined
        });
        self
    }

    /// Begins the window where its first interval does.
    pub fn begin_at_first_sample(&mut self) {
        if let Some(first) = self.intervals.first() {
            self.from_us = first.at_us.saturating_sub(i64::try_from(first.dt_us).unwrap_or(0));
        }
    }

    /// Ends the window at its last sample if that is at most so long before its end, microseconds: later samples may not have been
    /// taken or written yet, and are not missing.
    pub fn end_at_last_sample(&mut self, pending_us: i64) {
        if let Some(last) = self.intervals.last().filter(|last| self.to_us.saturating_sub(last.at_us) <= pending_us) {
            self.to_us = last.at_us;
        }
    }

    /// The index of the volume with these roles, its device and sizes brought up to date: where sizes could not be read,
    /// the last ones known stay.
    fn volume(&mut self, volume: Volume, placed_us: Option<i64>) -> u16 {
        let used = placed_us.zip(volume.used_bytes);
        let volumes = &mut self.layout.volumes;
        let index = match volumes.iter().position(|known| known.roles == volume.roles) {
            Some(index) => {
                let known = std::mem::replace(&mut volumes[index], volume);
                volumes[index].filesystem_bytes = volumes[index].filesystem_bytes.or(known.filesystem_bytes);
                volumes[index].used_bytes = volumes[index].used_bytes.or(known.used_bytes);
                index
            }
            None => {
                volumes.push(volume);
                self.space.push(SpaceSeries::default());
                volumes.len() - 1
            }
        };
        if let Some((at_us, bytes)) = used {
            self.space[index].push(at_us, bytes);
        }
        u16::try_from(index).unwrap_or(u16::MAX)
    }

    fn mark_unknown(&mut self) {
        let all = self.layout.volumes.len();
        let segments: Vec<(Range<usize>, Vec<u16>)> =
            self.segments().map(|(intervals, known)| (intervals, known.to_vec())).collect();
        for (intervals, known) in segments {
            let unknown: Vec<u16> = (0u16..).take(all).filter(|volume| !known.contains(volume)).collect();
            if unknown.is_empty() {
                continue;
            }
            for interval in self.pause.each(&mut self.intervals[intervals]) {
                interval.devices.extend(unknown.iter().map(|&volume| (volume, CounterDelta::Failed)));
            }
        }
    }
}

fn renumbered(mut readings: DeviceReadings, volumes: &[u16]) -> DeviceReadings {
    readings.retain_mut(|(index, _)| {
        let of_window = volumes.get(usize::from(*index));
        *index = of_window.copied().unwrap_or_default();
        of_window.is_some()
    });
    readings
}

/// Returns true if `next` begins where `last` ends, to within 5 ms: the two clocks are read one after the other.
fn adjacent(last: &Interval, next: &Interval) -> bool {
    let next_start = next.at_us.saturating_sub(i64::try_from(next.dt_us).unwrap_or(i64::MAX));
    next_start.abs_diff(last.at_us) < 5_000
}

fn join(last: &mut Interval, next: &Interval) {
    last.at_us = next.at_us;
    last.dt_us = last.dt_us.saturating_add(next.dt_us);
    last.interval_us = last.interval_us.max(next.interval_us);
    last.reset |= next.reset;
    for &(index, reading) in &next.devices {
        match last.devices.iter_mut().find(|(known, _)| *known == index) {
            Some((_, sum)) => *sum = sum.plus(reading),
            None => last.devices.push((index, reading)),
        }
    }
}

#[cfg(test)]
#[path = "window_tests.rs"]
mod tests;
