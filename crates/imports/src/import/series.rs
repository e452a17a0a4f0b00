//! Series of device counters from another source, and their conversion to evidence.

use super::ImportError;
use ebs_base::format::count;
use ebs_base::input::{WorkMeter, is_short};
use ebs_base::units::SECOND_US;
use ebs_samples::evidence::{
    Block, CounterDelta, DeviceChecks, DeviceCounts, Punctuality, Role, Sample, Sampling, StorageLayout, Tier, Volume,
    missed_samples,
};

/// Counts of a device over an interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SeriesPoint {
    /// Beginning, microseconds since 1970.
    pub began_us: i64,
    /// End.
    pub ended_us: i64,
    /// Counts of the interval.
    pub counts: DeviceCounts,
}

/// The points of one device, in time order. Counts between them are unknown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Its name.
    pub device: String,
    /// The points.
    pub points: Vec<SeriesPoint>,
    /// True if all counts include times: a missing time would be a zero in every sum.
    pub timed: bool,
    /// Facts about it that the source does not tell.
    pub limitations: Vec<String>,
    /// Checks of limits and balances that the source kept of it.
    pub checks: DeviceChecks,
    /// The first thing of it that cannot be read, for which it is refused where it is asked for; another device costs nothing.
    pub problem: Option<ImportError>,
}

/// Contents of an imported report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MonitoringData {
    /// The program or service it comes from, as users know it: `iostat`.
    pub source: &'static str,
    /// Series by device, in the order of the source.
    pub series: Vec<Series>,
    /// Limitations of the source, for the report's list of what is not known.
    pub limitations: Vec<String>,
}

/// Shortest interval that anything can be counted in, microseconds.
const MIN_INTERVAL_US: i64 = 1_000;

impl Series {
    /// Time of all points, microseconds.
    fn sampled_us(&self) -> f64 {
        self.points.iter().map(|point| (point.ended_us - point.began_us) as f64).sum()
    }

    /// Mean interval, seconds; infinite without points.
    pub fn interval_s(&self) -> f64 {
        if self.points.is_empty() {
            return f64::INFINITY;
        }
        self.sampled_us() / self.points.len() as f64 / SECOND_US as f64
    }

    /// Mean requests a second; 0 without points.
    fn requests_s(&self) -> f64 {
        let requests: f64 = self.points.iter().map(|point| (point.counts.reads + point.counts.writes) as f64).sum();
        requests * SECOND_US as f64 / self.sampled_us().max(1.0)
    }

    /// Name with its requests a second, by which a reader finds the busy one: `nvme1n1 (1,234 requests/s)`.
    fn describe(&self) -> String {
        format!("{} ({} requests/s)", self.device, count(self.requests_s()))
    }

    /// Adds points of another file, in time order; those that both have count once, and others of one time are refused.
    fn merge(&mut self, other: Series) -> Result<(), ImportError> {
        self.points.extend(other.points);
        self.points.sort_by_key(|point| (point.began_us, point.ended_us));
        self.points.dedup();
        if let Some(pair) = self.points.windows(2).find(|pair| pair[1].began_us < pair[0].ended_us) {
            return Err(ImportError::Overlapping { device: self.device.clone(), at_us: pair[1].began_us });
        }
        self.timed &= other.timed;
        add_missing(&mut self.limitations, other.limitations);
        self.problem = self.problem.take().or(other.problem);
        Ok(())
    }
}

/// Descriptions of devices, the busiest first.
fn busiest_first(series: &[Series]) -> Vec<String> {
    let mut sorted: Vec<&Series> = series.iter().collect();
    sorted.sort_by(|one, other| other.requests_s().total_cmp(&one.requests_s()));
    sorted.into_iter().map(Series::describe).collect()
}

/// Adds texts that are not there yet.
fn add_missing(texts: &mut Vec<String>, others: Vec<String>) {
    for other in others {
        if !texts.contains(&other) {
            texts.push(other);
        }
    }
}

impl MonitoringData {
    /// Adds what another file of the same source has: other devices, or another time.
    pub fn merge(&mut self, other: MonitoringData) -> Result<(), ImportError> {
        for series in other.series {
            match self.series.iter_mut().find(|known| known.device == series.device) {
                Some(known) => known.merge(series)?,
                None => self.series.push(series),
            }
        }
        add_missing(&mut self.limitations, other.limitations);
        Ok(())
    }

    /// Moves all points by so many microseconds.
    pub fn shift(&mut self, us: i64) {
        for point in self.series.iter_mut().flat_map(|series| &mut series.points) {
            point.began_us += us;
            point.ended_us += us;
        }
    }

    /// Beginning of the first point and end of the last, microseconds since 1970; `None` without points.
    pub fn span_us(&self) -> Option<(i64, i64)> {
        let points = || self.series.iter().flat_map(|series| &series.points);
        points().map(|point| point.began_us).min().zip(points().map(|point| point.ended_us).max())
    }

    /// Shortest mean interval of its devices, seconds; infinite without points.
    pub fn interval_s(&self) -> f64 {
        self.series.iter().map(Series::interval_s).fold(f64::INFINITY, f64::min)
    }

    /// The series of the data device, and of the WAL device if one is named. A device need not be named where only one
    /// is left.
    pub fn select(
        mut self,
        device: Option<&str>,
        wal_device: Option<&str>,
    ) -> Result<(Series, Option<Series>), ImportError> {
        if device.is_some() && device == wal_device {
            return Err(ImportError::SameDevice);
        }
        let devices: Vec<String> = self.series.iter().map(|series| series.device.clone()).collect();
        let position = |series: &[Series], name: &str| {
            let found = series.iter().position(|series| series.device == name);
            found.ok_or_else(|| ImportError::UnknownDevice { name: name.to_owned(), devices: devices.clone() })
        };
        let wal = match wal_device {
            Some(name) => Some(self.series.remove(position(&self.series, name)?)),
            None => None,
        };
        let data = match (device, self.series.len()) {
            (Some(name), _) => self.series.remove(position(&self.series, name)?),
            (None, 1) => self.series.remove(0),
            (None, 0) => return Err(ImportError::Argument("there is no device beside that of WAL".to_owned())),
            (None, _) => return Err(ImportError::SeveralDevices(busiest_first(&self.series))),
        };
        [Some(&data), wal.as_ref()]
            .into_iter()
            .flatten()
            .find_map(|series| series.problem.clone())
            .map_or(Ok(()), Err)?;
        Ok((data, wal))
    }
}

/// The points as evidence: one volume of data and WAL, or one of each; of WAL alone where there are no points of data beside it. `pause` is
/// called between pieces of the work.
pub fn block(data: &Series, wal: Option<&Series>, pause: &dyn Fn()) -> Result<Block, ImportError> {
    let meter = WorkMeter::new(pause);
    let data = Some(data).filter(|data| wal.is_none() || !data.points.is_empty());
    let mut samples: Vec<Sample> = Vec::with_capacity(data.or(wal).map_or(0, |series| series.points.len()));
    let each: Vec<&Series> = [data, wal].into_iter().flatten().collect();
    for (index, series) in (0u16..).zip(&each) {
        check(series, &meter)?;
        samples.extend(series.points.iter().inspect(|_| meter.step()).map(|point| sample(index, point)));
    }
    // By time, and what both counted over the same interval in one sample; a device without a reading was not idle.
    samples.sort_by_key(|sample| (sample.at_us, sample.dt_us));
    samples.dedup_by(|next, sample| {
        let same = (next.at_us, next.dt_us) == (sample.at_us, sample.dt_us);
        if same {
            sample.devices.append(&mut next.devices);
        }
        same
    });
    let unread = |sample: &Sample, index: u16| sample.devices.iter().all(|(known, _)| *known != index);
    for sample in &mut samples {
        meter.step();
        let missing: Vec<u16> = (0u16..).take(each.len()).filter(|&index| unread(sample, index)).collect();
        sample.devices.extend(missing.into_iter().map(|index| (index, CounterDelta::Failed)));
    }
    let roles = |index: usize| match (index, data, wal) {
        (_, _, None) => vec![Role::Data, Role::Wal],
        (0, Some(_), Some(_)) => vec![Role::Data],
        _ => vec![Role::Wal],
    };
    let volume = |(index, series): (usize, &&Series)| Volume {
        device: series.device.clone(),
        roles: roles(index),
        timed: series.timed,
        ..Volume::default()
    };
    let layout = StorageLayout { volumes: each.iter().enumerate().map(volume).collect(), ..StorageLayout::default() };
    let interval_us = median_interval(&samples);
    let sampling =
        Sampling { tier: Tier::Imported, punctuality: punctuality(&samples, interval_us), ..Sampling::default() };
    Ok(Block { interval_us, sampling, layout, samples, ..Block::default() })
}

/// Longest name of a device: the kernel's are at most 31 bytes.
const MAX_DEVICE_NAME: usize = 63;

/// Refuses a name of a device that is longer than any, or that cannot be printed.
pub fn check_device(device: &str) -> Result<(), ImportError> {
    match is_short(device, MAX_DEVICE_NAME) && !device.chars().any(char::is_control) {
        true => Ok(()),
        false => Err(ImportError::DeviceName(MAX_DEVICE_NAME)),
    }
}

fn check(series: &Series, meter: &WorkMeter) -> Result<(), ImportError> {
    if series.points.is_empty() {
        return Err(ImportError::TooFew(0));
    }
    let mut last_us = i64::MIN;
    for (row, point) in (1..).zip(&series.points) {
        meter.step();
        if point.began_us < last_us || point.ended_us <= point.began_us {
            return Err(ImportError::OutOfOrder(row));
        }
        if point.ended_us - point.began_us < MIN_INTERVAL_US {
            return Err(ImportError::TooShort(row));
        }
        last_us = point.ended_us;
    }
    Ok(())
}

fn sample(index: u16, point: &SeriesPoint) -> Sample {
    let dt_us = (point.ended_us - point.began_us).unsigned_abs();
    Sample { at_us: point.ended_us, dt_us, devices: [(index, CounterDelta::Known(point.counts))].into(), reset: false }
}

/// The delays of imported samples are unknown.
fn punctuality(samples: &[Sample], interval_us: u64) -> Punctuality {
    let missed = samples.iter().map(|sample| missed_samples(sample.dt_us, interval_us)).sum();
    Punctuality { samples: samples.len() as u64, missed, ..Punctuality::default() }
}

/// The usual interval: the median, since lengths differ.
fn median_interval(samples: &[Sample]) -> u64 {
    let mut lengths: Vec<u64> = samples.iter().map(|sample| sample.dt_us).collect();
    lengths.sort_unstable();
    lengths.get(lengths.len() / 2).copied().unwrap_or(0)
}

#[cfg(test)]
#[path = "series_tests.rs"]
mod tests;
