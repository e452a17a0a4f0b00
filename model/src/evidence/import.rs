//! Samples taken elsewhere, made into a block.

use super::{Block, DeviceCounts, Place, Reading, Role, Tick, Volume};

/// One imported sample: what a device counted over the interval that ends at `at_us`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// End of the interval, microseconds since 1970; `None` where the source had none.
    pub at_us: Option<i64>,
    /// Counts of the interval: reads, writes, read_bytes, write_bytes, read_ms, write_ms; `None` where missing.
    pub counts: [Option<f64>; 6],
}

/// Names of the counts, in the order of [`Sample::counts`].
pub const FIELDS: [&str; 6] = ["reads", "writes", "read_bytes", "write_bytes", "read_ms", "write_ms"];
/// Of these, the ones every sample must have.
const REQUIRED: usize = 4;

/// Why samples cannot be imported; rows are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// One interval is the distance of two samples.
    #[error("at least two samples are needed, not {0}")]
    TooFew(usize),
    /// No time.
    #[error("sample {0} has no \"ts\"")]
    NoTime(usize),
    /// Not after the one before.
    #[error("sample {0} is not later than the one before it")]
    OutOfOrder(usize),
    /// A count is missing or negative.
    #[error("sample {0} has no \"{1}\" that is a number of at least 0")]
    NotACount(usize, &'static str),
}

/// The samples of one device, which carries data and WAL. The first interval is as long as the second.
pub fn block(device: &str, samples: &[Sample]) -> Result<Block, ImportError> {
    if samples.len() < 2 {
        return Err(ImportError::TooFew(samples.len()));
    }
    let times = times(samples)?;
    let first_dt = times[1] - times[0];
    let starts = [times[0] - first_dt].into_iter().chain(times.iter().copied());
    let mut ticks = Vec::with_capacity(samples.len());
    for ((row, sample), (start, &end)) in (1..).zip(samples).zip(starts.zip(&times)) {
        let counts = counts(row, sample)?;
        ticks.push(Tick {
            at_us: end,
            dt_us: (end - start).unsigned_abs(),
            devices: vec![(0, Reading::Known(counts))],
            io: Reading::Failed,
            wal: Reading::Failed,
            waits: vec![],
            sweeps: 0,
            io_timed: false,
            wal_timed: false,
        });
    }
    let volume = Volume {
        device: device.to_owned(),
        roles: vec![Role::Data, Role::Wal],
        // A time that is missing once would be a zero in every sum.
        timed: samples.iter().all(|sample| sample.counts[REQUIRED..].iter().all(Option::is_some)),
        filesystem_bytes: None,
        used_bytes: None,
    };
    let place = Place { volumes: vec![volume], unplaced: vec![] };
    Ok(Block { interval_us: median_interval(&ticks), place, ticks, ..Block::default() })
}

/// Counter resets elsewhere are not ours to judge, and lengths differ: the usual interval is the median.
fn median_interval(ticks: &[Tick]) -> u64 {
    let mut lengths: Vec<u64> = ticks.iter().map(|tick| tick.dt_us).collect();
    lengths.sort_unstable();
    lengths[lengths.len() / 2]
}

fn times(samples: &[Sample]) -> Result<Vec<i64>, ImportError> {
    let mut times: Vec<i64> = Vec::with_capacity(samples.len());
    for (row, sample) in (1..).zip(samples) {
        let at_us = sample.at_us.ok_or(ImportError::NoTime(row))?;
        if times.last().is_some_and(|last| *last >= at_us) {
            return Err(ImportError::OutOfOrder(row));
        }
        times.push(at_us);
    }
    Ok(times)
}

fn counts(row: usize, sample: &Sample) -> Result<DeviceCounts, ImportError> {
    let mut whole = [0u64; FIELDS.len()];
    for (index, (value, field)) in sample.counts.iter().zip(FIELDS).enumerate() {
        whole[index] = match *value {
            Some(count) if (0.0..9e15).contains(&count) => count.round() as u64,
            None if index >= REQUIRED => 0,
            _ => return Err(ImportError::NotACount(row, field)),
        };
    }
    let [reads, writes, read_bytes, write_bytes, read_ms, write_ms] = whole;
    let weighted_ms = read_ms + write_ms;
    Ok(DeviceCounts { reads, writes, read_bytes, write_bytes, read_ms, write_ms, busy_ms: 0, weighted_ms })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(second: i64, reads: f64) -> Sample {
        Sample {
            at_us: Some(second * 1_000_000),
            counts: [Some(reads), Some(0.0), Some(reads * 8192.0), Some(0.0), None, None],
        }
    }

    #[test]
    fn intervals_are_the_distances_of_samples() {
        let made = block("sdf", &[sample(60, 5.0), sample(120, 6.0), sample(150, 7.0)]).unwrap();
        let lengths: Vec<u64> = made.ticks.iter().map(|tick| tick.dt_us / 1_000_000).collect();
        assert_eq!((lengths, made.interval_us), (vec![60, 60, 30], 60_000_000));
        assert!(!made.place.volumes[0].timed);
    }

    #[test]
    fn what_cannot_be_imported_is_named_by_its_row() {
        let refused = |samples: &[Sample]| block("sdf", samples).unwrap_err().to_string();
        assert_eq!(refused(&[sample(1, 1.0)]), "at least two samples are needed, not 1");
        assert_eq!(refused(&[sample(1, 1.0), sample(1, 1.0)]), "sample 2 is not later than the one before it");
        assert_eq!(
            refused(&[sample(1, -1.0), sample(2, 1.0)]),
            "sample 1 has no \"reads\" that is a number of at least 0"
        );
        assert_eq!(refused(&[Sample::default(), sample(2, 1.0)]), "sample 1 has no \"ts\"");
        assert_eq!(
            refused(&[sample(1, f64::NAN), sample(2, 1.0)]),
            "sample 1 has no \"reads\" that is a number of at least 0"
        );
    }
}
