//! A window: the evidence between two moments, put together from blocks.

use super::recorder::index_of;
use super::{Block, IoKey, Place, Reading, Tick, Volume, WaitKey};
use crate::counter::Counters;

/// Everything sampled between two moments, in time order, with one set of names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Window {
    /// Beginning, microseconds since 1970.
    pub from_us: i64,
    /// End.
    pub to_us: i64,
    /// The sampling interval that was set last, microseconds.
    pub interval_us: u64,
    /// CPU time of the sampler over the blocks touched, microseconds.
    pub sampler_cpu_us: u64,
    /// Every device seen; roles and sizes as seen last.
    pub place: Place,
    /// Names of pg_stat_io rows.
    pub io_keys: Vec<IoKey>,
    /// Names of waits.
    pub wait_keys: Vec<WaitKey>,
    /// Ticks of which more than half lies in the window.
    pub ticks: Vec<Tick>,
}

impl Window {
    /// Puts together what `blocks` (in time order) hold between `from_us` and `to_us`.
    ///
    /// Ticks shorter than half the interval (a run that begins or ends between two grid points makes them) are joined
    /// with the next: over a few milliseconds a handful of requests looks like a peak.
    pub fn assemble(blocks: impl IntoIterator<Item = Block>, from_us: i64, to_us: i64) -> Window {
        let mut window = Window { from_us, to_us, ..Window::default() };
        for block in blocks {
            window.append(block);
        }
        window.join_short_ticks();
        window
    }

    fn append(&mut self, block: Block) {
        let (from, to) = (self.from_us, self.to_us);
        let inside = |tick: &Tick| {
            let middle = tick.at_us - i64::try_from(tick.dt_us / 2).unwrap_or(i64::MAX);
            from <= middle && middle <= to
        };
        let ticks: Vec<Tick> = block.ticks.into_iter().filter(inside).collect();
        if ticks.is_empty() {
            return;
        }
        let volumes: Vec<u16> = block.place.volumes.into_iter().map(|volume| self.volume(volume)).collect();
        let io_keys: Vec<u16> = block.io_keys.into_iter().map(|key| index_of(&mut self.io_keys, key)).collect();
        let wait_keys: Vec<u16> = block.wait_keys.into_iter().map(|key| index_of(&mut self.wait_keys, key)).collect();
        self.place.unplaced = block.place.unplaced;
        self.interval_us = block.interval_us;
        self.sampler_cpu_us += block.sampler_cpu_us;
        self.ticks.extend(ticks.into_iter().map(|tick| Tick {
            devices: renumbered(tick.devices, &volumes),
            io: match tick.io {
                Reading::Known(rows) => Reading::Known(renumbered(rows, &io_keys)),
                other => other,
            },
            waits: renumbered(tick.waits, &wait_keys),
            ..tick
        }));
    }

    /// The index of this volume, its roles and sizes brought up to date.
    fn volume(&mut self, volume: Volume) -> u16 {
        let position = self.place.volumes.iter().position(|known| known.device == volume.device);
        let index = match position {
            Some(index) => {
                self.place.volumes[index] = volume;
                index
            }
            None => {
                self.place.volumes.push(volume);
                self.place.volumes.len() - 1
            }
        };
        u16::try_from(index).unwrap_or(u16::MAX)
    }

    fn join_short_ticks(&mut self) {
        let short = self.interval_us / 2;
        let mut joined: Vec<Tick> = Vec::with_capacity(self.ticks.len());
        for tick in std::mem::take(&mut self.ticks) {
            match joined.last_mut() {
                Some(last) if (last.dt_us < short || tick.dt_us < short) && adjacent(last, &tick) => join(last, tick),
                _ => joined.push(tick),
            }
        }
        self.ticks = joined;
    }
}

/// Whether `next` begins where `last` ends, to within 5 ms: the two clocks are read one after the other.
fn adjacent(last: &Tick, next: &Tick) -> bool {
    let next_start = next.at_us - i64::try_from(next.dt_us).unwrap_or(i64::MAX);
    next_start.abs_diff(last.at_us) < 5_000
}

fn join(last: &mut Tick, next: Tick) {
    last.at_us = next.at_us;
    last.dt_us += next.dt_us;
    last.sweeps += next.sweeps;
    last.io_timed &= next.io_timed;
    last.wal_timed &= next.wal_timed;
    for (index, reading) in next.devices {
        match last.devices.iter_mut().find(|(known, _)| *known == index) {
            Some((_, sum)) => *sum = both(*sum, reading, Counters::plus),
            None => last.devices.push((index, reading)),
        }
    }
    last.wal = both(last.wal, next.wal, Counters::plus);
    let before = std::mem::replace(&mut last.io, Reading::Failed);
    last.io = both(before, next.io, |mut a, b| {
        for (index, counts) in b {
            match a.iter_mut().find(|(known, _)| *known == index) {
                Some((_, sum)) => *sum = sum.plus(counts),
                None => a.push((index, counts)),
            }
        }
        a
    });
    for (index, seen) in next.waits {
        match last.waits.iter_mut().find(|(known, _)| *known == index) {
            Some((_, sum)) => *sum += seen,
            None => last.waits.push((index, seen)),
        }
    }
}

fn both<T>(a: Reading<T>, b: Reading<T>, plus: impl FnOnce(T, T) -> T) -> Reading<T> {
    match (a, b) {
        (Reading::Known(a), Reading::Known(b)) => Reading::Known(plus(a, b)),
        (Reading::Failed, _) | (_, Reading::Failed) => Reading::Failed,
        _ => Reading::Reset,
    }
}

fn renumbered<T>(rows: Vec<(u16, T)>, to: &[u16]) -> Vec<(u16, T)> {
    let known = |(index, row)| to.get(usize::from(index)).map(|&to| (to, row));
    rows.into_iter().filter_map(known).collect()
}

#[cfg(test)]
#[path = "window_tests.rs"]
mod tests;
