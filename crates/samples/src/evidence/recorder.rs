//! The recorder turns what the probes read, sample after sample, into a block. It has no clock and opens nothing.

use std::collections::BTreeMap;

use super::accounts::Accounts;
use super::sampling::{CLOCK_STEP_US, ClockSource, Sampling, Tier};
use super::sessions::SessionTotals;
use super::totals::{Totals, WaitTotals, row_of};
use super::{
    Block, CounterDelta, DeviceCounts, DeviceReadings, IoCounts, IoKey, Sample, StorageLayout, Volume, WalCounts,
    WalWriteCounts,
};
use ebs_base::counter::{Counters, Delta};

/// Timing settings that were on. Where one is off, PostgreSQL reports 0 ms, which is not a measurement.
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
    /// Cumulative counts by disk.
    pub devices: Option<BTreeMap<String, DeviceCounts>>,
    /// Cumulative counts of pg_stat_io's rows.
    pub io: Option<BTreeMap<IoKey, IoCounts>>,
    /// Cumulative WAL counts.
    pub wal: Option<WalCounts>,
    /// Cumulative counts of calls that wrote WAL.
    pub wal_writes: Option<WalWriteCounts>,
    /// Changes whenever PostgreSQL's counters were reset, even where they have grown past their old values since.
    pub statistics_epoch: i64,
    /// Timing settings.
    pub timing: Timing,
}

/// Collects samples until they are taken.
#[derive(Debug, Default)]
pub struct Recorder {
    previous: Option<Snapshot>,
    accounts: Option<Accounts>,
    block: Block,
}

impl Recorder {
    /// Returns a recorder that begins a block on these devices.
    pub fn new(tier: Tier, clock: Option<ClockSource>, interval_us: u64, layout: StorageLayout) -> Self {
        let sampling = Sampling { tier, clock, ..Sampling::default() };
        let block = Block { interval_us, sampling, layout, ..Block::default() };
        Recorder { block, ..Recorder::default() }
    }

    /// Adds wait events, from sweeps over the process array.
    pub fn add_waits(&mut self, waits: WaitTotals) {
        self.block.totals.waits.add(waits);
    }

    /// Adds bytes read and written by session.
    pub fn add_io(&mut self, bytes: SessionTotals) {
        self.block.totals.sessions.add(bytes);
    }

    /// Adds a reading, and the sample since the last one; `late_us` is its delay, microseconds. There is no sample of the first
    /// reading.
    pub fn observe(&mut self, now: Snapshot, late_us: u64) {
        if let Some(before) = self.previous.take() {
            self.close_sample(&before, &now, late_us);
        }
        self.previous = Some(now);
    }

    /// Adds the counts of the slow probes since their last reading.
    pub fn add_slow_probes(&mut self, now: Accounts) {
        if let Some(before) = &self.accounts {
            now.count_since(before, &mut self.block);
        }
        self.block.totals.cpus = now.cpus.or(self.block.totals.cpus);
        self.accounts = Some(now);
    }

    /// Forgets the last readings, so that what happened between them and the next ones is in no sample: a gap.
    pub fn forget(&mut self) {
        self.previous = None;
        self.accounts = None;
    }

    /// Returns the block recorded since the last [`Self::take`].
    pub fn block(&self) -> &Block {
        &self.block
    }

    /// Returns the recorded block and begins a new one on these devices; `None` without samples. The last readings are kept, so
    /// that no interval is lost between blocks.
    pub fn take(&mut self, interval_us: u64, layout: StorageLayout) -> Option<Block> {
        let same = &self.block.sampling;
        let sampling = Sampling { tier: same.tier, clock: same.clock.clone(), ..Sampling::default() };
        let fresh = Block { interval_us, sampling, layout, ..Block::default() };
        let full = std::mem::replace(&mut self.block, fresh);
        (!full.samples.is_empty()).then_some(full)
    }

    fn close_sample(&mut self, before: &Snapshot, now: &Snapshot, late_us: u64) {
        let dt_us = now.mono_us.saturating_sub(before.mono_us);
        let (io, wal) = (now.io_since(before), now.wal_since(before));
        let sample = Sample {
            at_us: now.at_us,
            dt_us,
            devices: devices_since(&self.block.layout.volumes, before, now),
            reset: matches!(io, CounterDelta::Reset) || wal == CounterDelta::Reset,
        };
        let totals = &mut self.block.totals;
        count_io(totals, io, dt_us, before.timing, now.timing);
        totals.wal.add_delta(wal, dt_us);
        totals.wal_writes.add_delta(now.wal_writes_since(before), dt_us);
        let punctuality = &mut self.block.sampling.punctuality;
        punctuality.samples += 1;
        punctuality.missed += missed(dt_us, self.block.interval_us);
        punctuality.late_us = punctuality.late_us.saturating_add(late_us);
        punctuality.latest_us = punctuality.latest_us.max(late_us);
        let moved_us = now.at_us.saturating_sub(before.at_us);
        punctuality.clock_steps += u64::from(moved_us.abs_diff(dt_us as i64) > CLOCK_STEP_US);
        self.block.samples.push(sample);
    }
}

/// Number of due times that passed within an interval of this length. A quarter of an interval does not count, since samples
/// come late and the next one makes up for it.
pub fn missed(dt_us: u64, interval_us: u64) -> u64 {
    let interval = interval_us.max(1);
    let passed_us = dt_us.saturating_add(interval / 4);
    // Mostly none, for which no division is needed.
    if passed_us / 2 < interval { 0 } else { passed_us / interval - 1 }
}

fn devices_since(volumes: &[Volume], before: &Snapshot, now: &Snapshot) -> DeviceReadings {
    let disk = |name: &str| {
        let (Some(before), Some(now)) = (&before.devices, &now.devices) else { return CounterDelta::Failed };
        let (Some(&before), Some(&now)) = (before.get(name), now.get(name)) else { return CounterDelta::Failed };
        CounterDelta::from(now.since(before))
    };
    let volume = |volume: &Volume| {
        volume.disks().map(disk).fold(CounterDelta::Known(DeviceCounts::default()), |sum, next| sum.plus(next))
    };
    let readings = (0u16..).zip(volumes.iter().map(volume));
    readings.filter(|(_, reading)| *reading != CounterDelta::Known(DeviceCounts::default())).collect()
}

fn count_io(totals: &mut Totals, io: CounterDelta<Vec<(IoKey, IoCounts)>>, dt_us: u64, before: Timing, now: Timing) {
    let CounterDelta::Known(rows) = io else { return };
    let sum = &mut totals.io;
    sum.known_us = sum.known_us.saturating_add(dt_us);
    sum.io_timed &= before.io && now.io;
    sum.wal_timed &= before.wal && now.wal;
    for (key, counts) in rows {
        let row = row_of(&mut sum.rows, key);
        *row = row.plus(counts);
    }
}

impl Snapshot {
    fn io_since(&self, before: &Snapshot) -> CounterDelta<Vec<(IoKey, IoCounts)>> {
        let (Some(old), Some(new)) = (&before.io, &self.io) else { return CounterDelta::Failed };
        if before.statistics_epoch != self.statistics_epoch || old.keys().any(|key| !new.contains_key(key)) {
            return CounterDelta::Reset;
        }
        let mut changed = Vec::new();
        for (key, counts) in new {
            match counts.since(old.get(key).copied().unwrap_or_default()) {
                Delta::Advanced(delta) if delta.is_zero() => {}
                Delta::Advanced(delta) => changed.push((key.clone(), delta)),
                Delta::Reset => return CounterDelta::Reset,
            }
        }
        CounterDelta::Known(changed)
    }

    fn wal_since(&self, before: &Snapshot) -> CounterDelta<WalCounts> {
        if before.statistics_epoch != self.statistics_epoch && before.wal.is_some() && self.wal.is_some() {
            return CounterDelta::Reset;
        }
        CounterDelta::between(before.wal, self.wal)
    }

    fn wal_writes_since(&self, before: &Snapshot) -> CounterDelta<WalWriteCounts> {
        if before.statistics_epoch != self.statistics_epoch {
            return CounterDelta::Reset;
        }
        CounterDelta::between(before.wal_writes, self.wal_writes)
    }
}

#[cfg(test)]
#[path = "recorder_tests.rs"]
mod tests;
