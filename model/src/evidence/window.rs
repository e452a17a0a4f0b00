//! A window: the evidence between two moments, put together from blocks.
//!
//! Devices are kept interval by interval, because percentiles and replay need them so; PostgreSQL's I/O and waits are
//! added up as blocks come in, because only their totals are asked for. A long look-back stays small that way.

use super::counts::{IoCounts, IoKey, WaitKey};
use super::{Block, DeviceCounts, Place, Reading, Tick, Volume};
use crate::counter::Counters;

/// One interval of a window.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// End of the interval, microseconds since 1970.
    pub at_us: i64,
    /// Its length, microseconds.
    pub dt_us: u64,
    /// The sampling interval that was set then, microseconds.
    pub interval_us: u64,
    /// By index into the window's volumes; a volume without a reading was idle.
    pub devices: Vec<(u16, Reading<DeviceCounts>)>,
    /// Whether counters of PostgreSQL were reset in it.
    pub reset: bool,
}

/// PostgreSQL's I/O over a window.
#[derive(Clone, Debug, PartialEq)]
pub struct IoTotals {
    /// What each row of pg_stat_io counted.
    pub rows: Vec<(IoKey, IoCounts)>,
    /// Time in which the rows were known, microseconds.
    pub known_us: u64,
    /// Whether track_io_timing was on all that time.
    pub io_timed: bool,
    /// Whether track_wal_io_timing was.
    pub wal_timed: bool,
}

impl Default for IoTotals {
    fn default() -> Self {
        IoTotals { rows: Vec::new(), known_us: 0, io_timed: true, wal_timed: true }
    }
}

/// What processes were seen in over a window.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WaitTotals {
    /// Processes seen in each state, summed over sweeps.
    pub rows: Vec<(WaitKey, u64)>,
    /// Sweeps.
    pub sweeps: u64,
}

/// Everything sampled between two moments, in time order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Window {
    /// Beginning, microseconds since 1970.
    pub from_us: i64,
    /// End.
    pub to_us: i64,
    /// CPU time of the sampler over the blocks touched, microseconds.
    pub sampler_cpu_us: u64,
    /// Every volume seen, and what was without one last. A volume is what carries a role: a device that got another name
    /// is still the same volume.
    pub place: Place,
    /// The volumes that the last block knew.
    pub current: Vec<usize>,
    /// Intervals of which more than half lies in the window.
    pub moments: Vec<Moment>,
    /// PostgreSQL's I/O.
    pub io: IoTotals,
    /// Waits.
    pub waits: WaitTotals,
    /// From which moment on which volumes were known.
    pub(crate) known: Vec<(usize, Vec<u16>)>,
}

impl Window {
    /// An empty window between two moments.
    pub fn new(from_us: i64, to_us: i64) -> Window {
        Window { from_us, to_us, ..Window::default() }
    }

    /// Puts together what `blocks` (in time order) hold between `from_us` and `to_us`.
    pub fn assemble(blocks: impl IntoIterator<Item = Block>, from_us: i64, to_us: i64) -> Window {
        let mut window = Window::new(from_us, to_us);
        for block in blocks {
            window.append(block);
        }
        window.finish()
    }

    /// Adds the next block.
    pub fn append(&mut self, block: Block) {
        let inside = |tick: &Tick| {
            let middle = tick.at_us.saturating_sub(i64::try_from(tick.dt_us / 2).unwrap_or(i64::MAX));
            self.from_us <= middle && middle <= self.to_us
        };
        let ticks: Vec<Tick> = block.ticks.into_iter().filter(inside).collect();
        if ticks.is_empty() {
            return;
        }
        let volumes: Vec<u16> = block.place.volumes.into_iter().map(|volume| self.volume(volume)).collect();
        self.current = volumes.iter().map(|&index| usize::from(index)).collect();
        if self.known.last().is_none_or(|(_, known)| *known != volumes) {
            self.known.push((self.moments.len(), volumes.clone()));
        }
        self.place.unplaced = block.place.unplaced;
        self.sampler_cpu_us = self.sampler_cpu_us.saturating_add(block.sampler_cpu_us);
        let io_rows: Vec<usize> = block.io_keys.into_iter().map(|key| row_of(&mut self.io.rows, key)).collect();
        let wait_rows: Vec<usize> = block.wait_keys.into_iter().map(|key| row_of(&mut self.waits.rows, key)).collect();
        for tick in ticks {
            let reset = tick.io == Reading::Reset || tick.wal == Reading::Reset;
            self.count_io(&tick, &io_rows);
            self.count_waits(&tick, &wait_rows);
            let renumbered = |(index, reading)| volumes.get(usize::from(index)).map(|&volume| (volume, reading));
            self.moments.push(Moment {
                at_us: tick.at_us,
                dt_us: tick.dt_us,
                interval_us: block.interval_us,
                devices: tick.devices.into_iter().filter_map(renumbered).collect(),
                reset,
            });
        }
    }

    /// To be called after the last block. Volumes that a moment did not know yet, or no longer, are not known in it.
    ///
    /// Intervals shorter than half of what was set (a run that begins or ends between two grid points makes them) are
    /// joined with the next: over a few milliseconds a handful of requests looks like a peak.
    pub fn finish(mut self) -> Window {
        self.mark_unknown();
        let mut joined: Vec<Moment> = Vec::with_capacity(self.moments.len());
        let short = |moment: &Moment| moment.dt_us < moment.interval_us / 2;
        for moment in std::mem::take(&mut self.moments) {
            match joined.last_mut() {
                Some(last) if (short(last) || short(&moment)) && adjacent(last, &moment) => join(last, moment),
                _ => joined.push(moment),
            }
        }
        self.moments = joined;
        self
    }

    fn count_io(&mut self, tick: &Tick, rows: &[usize]) {
        let Reading::Known(counted) = &tick.io else { return };
        self.io.known_us = self.io.known_us.saturating_add(tick.dt_us);
        self.io.io_timed &= tick.io_timed;
        self.io.wal_timed &= tick.wal_timed;
        for (index, counts) in counted {
            if let Some(&row) = rows.get(usize::from(*index)) {
                self.io.rows[row].1 = self.io.rows[row].1.plus(*counts);
            }
        }
    }

    fn count_waits(&mut self, tick: &Tick, rows: &[usize]) {
        self.waits.sweeps += u64::from(tick.sweeps);
        for (index, seen) in &tick.waits {
            if let Some(&row) = rows.get(usize::from(*index)) {
                self.waits.rows[row].1 += u64::from(*seen);
            }
        }
    }

    /// The index of the volume with these roles, its device and sizes brought up to date.
    fn volume(&mut self, volume: Volume) -> u16 {
        let volumes = &mut self.place.volumes;
        let index = match volumes.iter().position(|known| known.roles == volume.roles) {
            Some(index) => {
                volumes[index] = volume;
                index
            }
            None => {
                volumes.push(volume);
                volumes.len() - 1
            }
        };
        u16::try_from(index).unwrap_or(u16::MAX)
    }

    fn mark_unknown(&mut self) {
        let all = self.place.volumes.len();
        let mut ends: Vec<usize> = self.known.iter().skip(1).map(|(start, _)| *start).collect();
        ends.push(self.moments.len());
        for ((start, known), end) in self.known.iter().zip(ends) {
            let unknown: Vec<u16> = (0u16..).take(all).filter(|volume| !known.contains(volume)).collect();
            for moment in &mut self.moments[*start..end] {
                moment.devices.extend(unknown.iter().map(|&volume| (volume, Reading::Failed)));
            }
        }
    }
}

/// The row with this key, appended with nothing counted if new. There are tens of keys, so a scan beats a map.
fn row_of<K: PartialEq, C: Default>(rows: &mut Vec<(K, C)>, key: K) -> usize {
    let found = rows.iter().position(|(known, _)| *known == key);
    found.unwrap_or_else(|| {
        rows.push((key, C::default()));
        rows.len() - 1
    })
}

/// Whether `next` begins where `last` ends, to within 5 ms: the two clocks are read one after the other.
fn adjacent(last: &Moment, next: &Moment) -> bool {
    let next_start = next.at_us.saturating_sub(i64::try_from(next.dt_us).unwrap_or(i64::MAX));
    next_start.abs_diff(last.at_us) < 5_000
}

fn join(last: &mut Moment, next: Moment) {
    last.at_us = next.at_us;
    last.dt_us = last.dt_us.saturating_add(next.dt_us);
    last.interval_us = last.interval_us.max(next.interval_us);
    last.reset |= next.reset;
    for (index, reading) in next.devices {
        match last.devices.iter_mut().find(|(known, _)| *known == index) {
            Some((_, sum)) => *sum = both(*sum, reading),
            None => last.devices.push((index, reading)),
        }
    }
}

fn both(a: Reading<DeviceCounts>, b: Reading<DeviceCounts>) -> Reading<DeviceCounts> {
    match (a, b) {
        (Reading::Known(a), Reading::Known(b)) => Reading::Known(a.plus(b)),
        (Reading::Failed, _) | (_, Reading::Failed) => Reading::Failed,
        _ => Reading::Reset,
    }
}

#[cfg(test)]
#[path = "window_tests.rs"]
mod tests;
