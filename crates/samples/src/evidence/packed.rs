//! A block with its rows turned into columns, as it is stored.

use serde::{Deserialize, Serialize};

use super::columns::{self, Column};
use super::error::CodecError;
use super::limits::MAX_READINGS;
use super::{Block, CounterDelta, DeviceCounts, DeviceReadings, IoCounts, IoKey, Sample, WaitKey};
use ebs_base::input::WorkMeter;

/// A block as columns, the form that is stored.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Packed<Rest = Block> {
    /// Everything that is not a row.
    rest: Rest,
    io_keys: Vec<IoKey>,
    io: Vec<Column>,
    wait_keys: Vec<WaitKey>,
    waits: Column,
    samples: u32,
    /// End of each sample, as its distance from the end that the previous sample predicts: microseconds instead of decades.
    at: Vec<i64>,
    lengths: Column,
    /// Numbers of the samples in which counters were reset.
    resets: Vec<u32>,
    /// Number of readings per sample; volume and kind of each reading.
    readings: Column,
    volumes: Column,
    kinds: Column,
    devices: Vec<Column>,
}

const KNOWN: u64 = 0;
const RESET: u64 = 1;
const FAILED: u64 = 2;

impl Packed {
    /// The columns of this block; `pause` is called before each.
    pub(super) fn from_block(mut block: Block, pause: &dyn Fn()) -> Packed {
        let samples = std::mem::take(&mut block.samples);
        let mut io = std::mem::take(&mut block.totals.io.rows);
        let waits = std::mem::take(&mut block.totals.waits.rows);
        // In the dictionary's order, so that one match holds many keys.
        io.sort_by(|a, b| a.0.cmp(&b.0));
        let (io_keys, io_counts): (Vec<_>, Vec<_>) = io.into_iter().unzip();
        let (wait_keys, wait_us): (Vec<_>, Vec<_>) = waits.into_iter().unzip();
        let readings = || samples.iter().flat_map(|sample| &sample.devices);
        let of_samples = |value: fn(&Sample) -> u64| {
            pause();
            Column::pack(&samples.iter().map(value).collect::<Vec<_>>())
        };
        let of_readings = |value: fn(&(u16, CounterDelta<DeviceCounts>)) -> u64| {
            pause();
            Column::pack(&readings().map(value).collect::<Vec<_>>())
        };
        let known: Vec<DeviceCounts> = readings().filter_map(|(_, reading)| counts(reading)).collect();
        Packed {
            io_keys,
            io: columns::pack(&io_counts, pause),
            wait_keys,
            waits: Column::pack(&wait_us),
            samples: samples.len() as u32,
            at: relative(&samples, block.downsampled_us),
            lengths: of_samples(|sample| sample.dt_us),
            resets: (0..).zip(&samples).filter(|(_, sample)| sample.reset).map(|(index, _)| index).collect(),
            readings: of_samples(|sample| sample.devices.len() as u64),
            volumes: of_readings(|(volume, _)| u64::from(*volume)),
            kinds: of_readings(|(_, reading)| kind(reading)),
            devices: columns::pack(&known, pause),
            rest: block,
        }
    }
}

impl<Rest: Into<Block>> Packed<Rest> {
    /// The block of these columns, in whose layout a device has so many columns less than now; `pause` is called between pieces of
    /// the work.
    pub(super) fn block(self, missing: usize, pause: &dyn Fn()) -> Result<Block, CodecError> {
        let mut block = self.rest.into();
        let io = columns::unpack::<IoCounts>(self.io, self.io_keys.len(), 0)?;
        block.totals.io.rows = self.io_keys.into_iter().zip(io).collect();
        let waits = self.waits.unpack(self.wait_keys.len())?;
        block.totals.waits.rows = self.wait_keys.into_iter().zip(waits.iter()).collect();
        let samples = self.at.len();
        if samples != self.samples as usize || samples > MAX_READINGS {
            return Err(damaged());
        }
        let (lengths, readings) = (self.lengths.unpack(samples)?, self.readings.unpack(samples)?);
        let all = readings.iter().try_fold(0u64, |sum, count| sum.checked_add(count)).ok_or_else(damaged)?;
        let all = usize::try_from(all).ok().filter(|all| *all <= MAX_READINGS).ok_or_else(damaged)?;
        let (volumes, kinds) = (self.volumes.unpack(all)?, self.kinds.unpack(all)?);
        let known = kinds.iter().filter(|kind| *kind == KNOWN).count();
        let mut known = columns::unpack::<DeviceCounts>(self.devices, known, missing)?;
        let mut devices = volumes.iter().zip(kinds.iter()).map(|(volume, kind)| {
            let reading = match kind {
                KNOWN => CounterDelta::Known(known.next().unwrap_or_default()),
                RESET => CounterDelta::Reset,
                _ => CounterDelta::Failed,
            };
            (volume as u16, reading)
        });
        let ends = absolute(&self.at, lengths.iter(), block.downsampled_us);
        let meter = WorkMeter::new(pause);
        block.samples.try_reserve_exact(samples)?;
        for ((at_us, dt_us), count) in ends.zip(lengths.iter()).zip(readings.iter()) {
            meter.step();
            let mut of_sample = DeviceReadings::new();
            of_sample.try_reserve_exact(count as usize).map_err(|_| CodecError::OutOfMemory)?;
            of_sample.extend(devices.by_ref().inspect(|_| meter.step()).take(count as usize));
            block.samples.push(Sample { at_us, dt_us, devices: of_sample, reset: false });
        }
        for index in self.resets {
            block.samples.get_mut(index as usize).ok_or_else(damaged)?.reset = true;
        }
        Ok(block)
    }
}

fn damaged() -> CodecError {
    CodecError::Damaged("its columns do not fit each other".to_owned())
}

fn counts(reading: &CounterDelta<DeviceCounts>) -> Option<DeviceCounts> {
    match reading {
        CounterDelta::Known(counts) => Some(*counts),
        _ => None,
    }
}

fn kind(reading: &CounterDelta<DeviceCounts>) -> u64 {
    match reading {
        CounterDelta::Known(_) => KNOWN,
        CounterDelta::Reset => RESET,
        CounterDelta::Failed => FAILED,
    }
}

/// Distance from the end of one sample to that of the next, microseconds; in a downsampled block the samples of a span end
/// together.
fn step(downsampled_us: u64, dt_us: u64) -> u64 {
    if downsampled_us > 0 { 0 } else { dt_us }
}

/// Distances modulo 2^64, so that any times can be restored.
fn relative(samples: &[Sample], downsampled_us: u64) -> Vec<i64> {
    let mut expected = 0i128;
    let distance = |sample: &Sample| {
        let distance = i128::from(sample.at_us) - i128::from(step(downsampled_us, sample.dt_us)) - expected;
        expected = i128::from(sample.at_us);
        distance as i64
    };
    samples.iter().map(distance).collect()
}

fn absolute(distances: &[i64], lengths: impl Iterator<Item = u64>, downsampled_us: u64) -> impl Iterator<Item = i64> {
    let mut expected = 0i128;
    distances.iter().zip(lengths).map(move |(distance, length)| {
        let end = (expected + i128::from(step(downsampled_us, length)) + i128::from(*distance)) as i64;
        expected = i128::from(end);
        end
    })
}
