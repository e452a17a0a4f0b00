//! Readings: the values that an exporter's metrics had at one scrape, which all have its time.

use std::borrow::Cow;

use ebs_prometheus::Sample;

use super::index::Copy;
use super::metric::{COLUMNS, Column};

/// Columns without which a reading counts nothing.
const REQUIRED: [Column; 4] = [Column::Reads, Column::Writes, Column::ReadBytes, Column::WriteBytes];

/// Samples of a device's metrics, by column.
pub struct Columns<'a>([Option<Cow<'a, [Sample]>>; COLUMNS]);

/// Values at one time.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// Time of the scrape, milliseconds since 1970.
    pub at_ms: i64,
    /// Values by column; `None` where a column had none.
    pub values: [Option<f64>; COLUMNS],
}

impl Reading {
    /// Value of a column.
    pub fn value(&self, column: Column) -> Option<f64> {
        self.values[column as usize]
    }
}

impl<'a> Columns<'a> {
    /// Columns of a copy of a device's series, by the names of its source.
    pub fn new(copy: &Copy<'a>, names: &[(&str, Column)]) -> Columns<'a> {
        let mut columns = [const { None }; COLUMNS];
        for (name, column) in names {
            columns[*column as usize] = copy.samples(name);
        }
        Columns(columns)
    }

    /// True where a column has samples.
    pub fn has(&self, column: Column) -> bool {
        self.0[column as usize].as_ref().is_some_and(|samples| !samples.is_empty())
    }

    /// True where requests are exported, and their bytes are not.
    pub fn lacks_bytes(&self) -> bool {
        self.has(Column::Reads) && !(self.has(Column::ReadBytes) && self.has(Column::WriteBytes))
    }

    /// Readings in which every required column has a value, in time order. Markers of staleness and values that are no numbers count as
    /// missing scrapes: not every engine keeps them, and every transport has to give the same readings.
    pub fn readings(&self) -> impl Iterator<Item = Reading> {
        let reference = self.0[Column::Reads as usize].as_deref().unwrap_or_default();
        let columns: Vec<(usize, &[Sample])> =
            self.0.iter().enumerate().filter_map(|(column, samples)| Some((column, samples.as_deref()?))).collect();
        let mut next = [0usize; COLUMNS];
        let mut last_ms = i64::MIN;
        reference.iter().filter_map(move |sample| {
            let mut values = [None; COLUMNS];
            for &(column, samples) in &columns {
                let position = &mut next[column];
                while samples.get(*position).is_some_and(|other| other.at_ms < sample.at_ms) {
                    *position += 1;
                }
                let value = samples.get(*position).filter(|other| other.at_ms == sample.at_ms).map(|other| other.value);
                values[column] = value.filter(|value| value.is_finite());
            }
            let is_complete = REQUIRED.iter().all(|column| values[*column as usize].is_some());
            if !is_complete || sample.at_ms <= last_ms {
                return None;
            }
            last_ms = sample.at_ms;
            Some(Reading { at_ms: sample.at_ms, values })
        })
    }

    /// Largest number of readings.
    pub fn max_readings(&self) -> usize {
        self.0[Column::Reads as usize].as_ref().map_or(0, |samples| samples.len())
    }
}

/// Usual distance of readings, milliseconds: the median, since scrapes are missed and moved; `None` of fewer than two readings.
pub fn usual_ms(readings: &[Reading]) -> Option<i64> {
    usual_distance(readings, |reading| reading.at_ms)
}

/// [`usual_ms`] of what has such times, milliseconds.
pub fn usual_distance<T>(readings: &[T], at_ms: impl Fn(&T) -> i64) -> Option<i64> {
    let mut distances: Vec<i64> = readings.windows(2).map(|pair| at_ms(&pair[1]) - at_ms(&pair[0])).collect();
    let middle = distances.len() / 2;
    (!distances.is_empty()).then(|| *distances.select_nth_unstable(middle).1)
}
