//! Readings: the values that an exporter's metrics had at one scrape, which all have its time.

use std::borrow::Cow;

use ebs_prometheus::Sample;

use super::index::Copy;
use super::metric::{COLUMNS, Column};

/// Columns without which a reading counts nothing.
const REQUIRED: [Column; 4] = [Column::Reads, Column::Writes, Column::ReadBytes, Column::WriteBytes];

/// Columns that an exporter may lack, but for those above limits.
const OPTIONAL: [Column; 6] = [
    Column::ReadSeconds,
    Column::WriteSeconds,
    Column::BusySeconds,
    Column::QueueSeconds,
    Column::ReadMerges,
    Column::WriteMerges,
];

/// Times, each with the requests that they are of.
const TIMES: [(Column, Column); 2] = [(Column::ReadSeconds, Column::Reads), (Column::WriteSeconds, Column::Writes)];

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
    /// missing scrapes: not every engine keeps them, and every transport has to give the same readings. An optional column counts as not
    /// exported where most readings lack it, and else as required: its missing values are no zeros.
    pub fn readings(&self) -> Vec<Reading> {
        let Some(reference) = &self.0[Column::Reads as usize] else { return Vec::new() };
        let mut next = [0usize; COLUMNS];
        let mut readings: Vec<Reading> = Vec::with_capacity(reference.len());
        for sample in reference.iter() {
            let mut values = [None; COLUMNS];
            for (column, samples) in self.0.iter().enumerate() {
                let Some(samples) = samples else { continue };
                let position = &mut next[column];
                while samples.get(*position).is_some_and(|other| other.at_ms < sample.at_ms) {
                    *position += 1;
                }
                let value = samples.get(*position).filter(|other| other.at_ms == sample.at_ms).map(|other| other.value);
                values[column] = value.filter(|value| value.is_finite());
            }
            self.add_times_of_no_requests(&mut values);
            let is_later = readings.last().is_none_or(|last| sample.at_ms > last.at_ms);
            let is_complete = REQUIRED.iter().all(|column| values[*column as usize].is_some());
            if is_complete && is_later {
                readings.push(Reading { at_ms: sample.at_ms, values });
            }
        }
        OPTIONAL.into_iter().for_each(|column| require_or_drop(&mut readings, column));
        readings
    }

    /// Adds the time of no requests, zero: CloudWatch has no latency of a minute without them.
    fn add_times_of_no_requests(&self, values: &mut [Option<f64>; COLUMNS]) {
        for (time, requests) in TIMES {
            if self.has(time) && values[requests as usize] == Some(0.0) {
                values[time as usize].get_or_insert(0.0);
            }
        }
    }
}

/// Leaves out the readings without a value of a column, or where most lack it, the column.
fn require_or_drop(readings: &mut Vec<Reading>, column: Column) {
    let known = readings.iter().filter(|reading| reading.value(column).is_some()).count();
    if 2 * known > readings.len() {
        readings.retain(|reading| reading.value(column).is_some());
    } else {
        readings.iter_mut().for_each(|reading| reading.values[column as usize] = None);
    }
}

/// True of readings with the times of requests.
pub fn is_timed(readings: &[Reading]) -> bool {
    readings.first().is_some_and(|reading| TIMES.iter().all(|(time, _)| reading.value(*time).is_some()))
}

/// Usual distance of readings, milliseconds: the median, since scrapes are missed and moved; `None` of fewer than two readings.
pub fn usual_ms(readings: &[Reading]) -> Option<i64> {
    let mut distances: Vec<i64> = readings.windows(2).map(|pair| pair[1].at_ms - pair[0].at_ms).collect();
    let middle = distances.len() / 2;
    (!distances.is_empty()).then(|| *distances.select_nth_unstable(middle).1)
}
