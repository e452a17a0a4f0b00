//! The recorder turns what the probes read, tick after tick, into a block. It has no clock and opens nothing.

use std::collections::BTreeMap;
use std::hash::Hash;

use super::{Block, DeviceCounts, IoCounts, IoKey, Place, Reading, Tick, WaitKey, WalCounts};
use crate::counter::{Counters, Delta};

/// Which timing settings were on: without them PostgreSQL reports 0 ms, which is not a measurement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timing {
    /// track_io_timing.
    pub io: bool,
    /// track_wal_io_timing.
    pub wal: bool,
}

/// One reading of every probe. `None` is a probe that failed.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// Wall clock, microseconds since 1970.
    pub at_us: i64,
    /// Monotonic clock, microseconds from any origin.
    pub mono_us: u64,
    /// Cumulative counts by device name.
    pub devices: Option<BTreeMap<String, DeviceCounts>>,
    /// Cumulative counts of pg_stat_io's rows.
    pub io: Option<BTreeMap<IoKey, IoCounts>>,
    /// Cumulative WAL counts.
    pub wal: Option<WalCounts>,
    /// Changes whenever PostgreSQL's counters were reset, even where they have grown past their old values since.
    pub statistics_epoch: i64,
    /// Timing settings.
    pub timing: Timing,
}

/// Collects ticks until they are taken.
#[derive(Debug, Default)]
pub struct Recorder {
    previous: Option<Snapshot>,
    block: Block,
    wait_counts: BTreeMap<WaitKey, u32>,
    sweeps: u32,
}

impl Recorder {
    /// A recorder that begins a block on these devices.
    pub fn new(interval_us: u64, place: Place) -> Self {
        let block = Block { interval_us, place, ..Block::default() };
        Recorder { block, ..Recorder::default() }
    }

    /// Counts one sweep over the process array.
    pub fn sweep(&mut self, seen: impl IntoIterator<Item = WaitKey>) {
        self.sweeps += 1;
        for key in seen {
            *self.wait_counts.entry(key).or_default() += 1;
        }
    }

    /// Closes a tick: what was counted since the last reading. The first reading has nothing to be compared with.
    pub fn observe(&mut self, now: Snapshot) {
        let Some(before) = self.previous.take() else {
            self.previous = Some(now);
            return;
        };
        let wait_counts = std::mem::take(&mut self.wait_counts);
        let io = now.io_since(&before);
        let tick = Tick {
            at_us: now.at_us,
            dt_us: now.mono_us.saturating_sub(before.mono_us),
            devices: self.devices_since(&before, &now),
            io: indexed(&mut self.block.io_keys, io),
            wal: now.wal_since(&before),
            waits: wait_counts
                .into_iter()
                .map(|(key, seen)| (index_of(&mut self.block.wait_keys, key), seen))
                .collect(),
            sweeps: std::mem::take(&mut self.sweeps),
            io_timed: before.timing.io && now.timing.io,
            wal_timed: before.timing.wal && now.timing.wal,
        };
        self.block.ticks.push(tick);
        self.previous = Some(now);
    }

    /// Ticks held.
    pub fn ticks(&self) -> usize {
        self.block.ticks.len()
    }

    /// Hands over what was recorded and begins a new block on these devices; `None` if there is nothing. The last
    /// reading is kept, so that no interval is lost between blocks.
    pub fn take(&mut self, interval_us: u64, place: Place, sampler_cpu_us: u64) -> Option<Block> {
        let fresh = Block { interval_us, place, ..Block::default() };
        let mut full = std::mem::replace(&mut self.block, fresh);
        full.sampler_cpu_us = sampler_cpu_us;
        (!full.ticks.is_empty()).then_some(full)
    }

    fn devices_since(&self, before: &Snapshot, now: &Snapshot) -> Vec<(u16, Reading<DeviceCounts>)> {
        let delta_of = |device: &str| {
            let (Some(before), Some(now)) = (&before.devices, &now.devices) else { return Reading::Failed };
            let (Some(&before), Some(&now)) = (before.get(device), now.get(device)) else { return Reading::Failed };
            known(now.since(before))
        };
        let volumes = self.block.place.volumes.iter().zip(0u16..);
        volumes
            .map(|(volume, index)| (index, delta_of(&volume.device)))
            .filter(|(_, reading)| *reading != Reading::Known(DeviceCounts::default()))
            .collect()
    }
}

impl Snapshot {
    fn io_since(&self, before: &Snapshot) -> Reading<Vec<(IoKey, IoCounts)>> {
        let (Some(old), Some(new)) = (&before.io, &self.io) else { return Reading::Failed };
        if before.statistics_epoch != self.statistics_epoch || old.keys().any(|key| !new.contains_key(key)) {
            return Reading::Reset;
        }
        let mut changed = Vec::new();
        for (key, counts) in new {
            match counts.since(old.get(key).copied().unwrap_or_default()) {
                Delta::Advanced(delta) if delta.is_zero() => {}
                Delta::Advanced(delta) => changed.push((key.clone(), delta)),
                Delta::Reset => return Reading::Reset,
            }
        }
        Reading::Known(changed)
    }

    fn wal_since(&self, before: &Snapshot) -> Reading<WalCounts> {
        let (Some(old), Some(new)) = (before.wal, self.wal) else { return Reading::Failed };
        if before.statistics_epoch != self.statistics_epoch {
            return Reading::Reset;
        }
        known(new.since(old))
    }
}

fn known<T>(delta: Delta<T>) -> Reading<T> {
    match delta {
        Delta::Advanced(counts) => Reading::Known(counts),
        Delta::Reset => Reading::Reset,
    }
}

fn indexed<K: Eq + Hash, C>(keys: &mut Vec<K>, rows: Reading<Vec<(K, C)>>) -> Reading<Vec<(u16, C)>> {
    match rows {
        Reading::Known(rows) => {
            Reading::Known(rows.into_iter().map(|(key, counts)| (index_of(keys, key), counts)).collect())
        }
        Reading::Reset => Reading::Reset,
        Reading::Failed => Reading::Failed,
    }
}

/// The index of `key`, appended if new. Blocks hold tens of keys, so a scan beats a map.
fn index_of<K: Eq>(keys: &mut Vec<K>, key: K) -> u16 {
    let found = keys.iter().position(|known| *known == key);
    let index = found.unwrap_or_else(|| {
        keys.push(key);
        keys.len() - 1
    });
    u16::try_from(index).unwrap_or(u16::MAX)
}

#[cfg(test)]
#[path = "recorder_tests.rs"]
mod tests;
