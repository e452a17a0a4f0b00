//! Readings: the values that an exporter's metrics had at one scrape, which all have its time.

use std::borrow::Cow;

use ebs_prometheus::Sample;

use crate::discovery::metric::{COLUMNS, Column};
use crate::series::index::Copy;

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

/// Counters of times, each with the requests that take time.
const STILL: [(Column, &[Column]); 4] = [
    (Column::ReadSeconds, &[Column::Reads]),
    (Column::WriteSeconds, &[Column::Writes]),
    (Column::BusySeconds, &[Column::Reads, Column::Writes]),
    (Column::QueueSeconds, &[Column::Reads, Column::Writes]),
];

/// Requests over which a counter of their time has to advance: a thousand of the fastest take some milliseconds. A choice.
const TIMED_REQUESTS: f64 = 1_000.0;

/// Times, each with the requests that they are of.
const TIMES: [(Column, Column); 2] = [(Column::ReadSeconds, Column::Reads), (Column::WriteSeconds, Column::Writes)];

/// Samples of a device's metrics, by column.
pub struct Columns<'a> {
    samples: [Option<Cow<'a, [Sample]>>; COLUMNS],
    /// True of a counter of time that stands still while requests are counted: it is exported, and tells nothing.
    is_still: [bool; COLUMNS],
}

/// State of a counter of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Timer {
    /// It is not exported.
    #[default]
    Missing,
    /// It is exported, and stands still while requests are counted.
    Still,
    /// It is exported.
    Running,
}

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

/// Values at one time, by column.
pub trait Values {
    /// Value of a column; `None` where it had none.
    fn value_of(&self, column: Column) -> Option<f64>;
}

impl Values for Reading {
    fn value_of(&self, column: Column) -> Option<f64> {
        self.value(column)
    }
}

/// A reading of columns that are whole: each has its sample at the same index.
pub struct Row<'a> {
    columns: &'a [&'a [Sample]; COLUMNS],
    index: usize,
}

impl Values for Row<'_> {
    #[inline]
    fn value_of(&self, column: Column) -> Option<f64> {
        self.columns[column as usize].get(self.index).map(|sample| sample.value)
    }
}

impl<'a> Columns<'a> {
    /// Columns of a copy of a device's series, by the names of its source.
    pub fn new(copy: &Copy<'a>, names: &[(&str, Column)]) -> Columns<'a> {
        let mut columns = [const { None }; COLUMNS];
        for (name, column) in names {
            columns[*column as usize] = copy.samples(name);
        }
        Columns { samples: columns, is_still: [false; COLUMNS] }
    }

    /// The same of cumulative counters: those of time that stand still while requests are counted are as if they were not exported.
    pub fn without_still(mut self) -> Columns<'a> {
        let advances = |column: Column| {
            let pairs = self.samples(column).windows(2).map(|pair| pair[1].value - pair[0].value);
            pairs.filter(|advance| *advance > 0.0)
        };
        let is_still = |(time, requests): &(Column, &[Column])| {
            self.has(*time)
                && advances(*time).next().is_none()
                && requests.iter().flat_map(|column| advances(*column)).sum::<f64>() >= TIMED_REQUESTS
        };
        let still: Vec<Column> = STILL.iter().filter(|one| is_still(one)).map(|(time, _)| *time).collect();
        for column in still {
            self.samples[column as usize] = None;
            self.is_still[column as usize] = true;
        }
        self
    }

    /// State of a counter of time.
    pub fn timer(&self, column: Column) -> Timer {
        match (self.is_still[column as usize], self.has(column)) {
            (true, _) => Timer::Still,
            (false, true) => Timer::Running,
            (false, false) => Timer::Missing,
        }
    }

    /// True where a column has samples.
    pub fn has(&self, column: Column) -> bool {
        self.samples[column as usize].as_ref().is_some_and(|samples| !samples.is_empty())
    }

    /// True where requests are exported, and their bytes are not.
    pub fn lacks_bytes(&self) -> bool {
        self.has(Column::Reads) && !(self.has(Column::ReadBytes) && self.has(Column::WriteBytes))
    }

    /// Readings in which every required column has a value, in time order. Markers of staleness and values that are no numbers count as
    /// missing scrapes: not every engine keeps them, and every transport has to give the same readings. An optional column counts as not
    /// exported where most readings lack it, and else as required: its missing values are no zeros.
    pub fn readings(&self) -> Readings<'_> {
        let reference = self.samples(Column::Reads);
        let is_whole = |samples: &[Sample]| {
            let is_beside = |(one, other): (&Sample, &Sample)| one.at_ms == other.at_ms && one.value.is_finite();
            samples.len() == reference.len() && samples.iter().zip(reference).all(is_beside)
        };
        let columns: [&[Sample]; COLUMNS] =
            std::array::from_fn(|column| self.samples[column].as_deref().unwrap_or_default());
        let are_whole = columns.map(|samples| samples.is_empty() || is_whole(samples));
        let exported = OPTIONAL.into_iter().filter(|column| self.has(*column));
        // Mostly all of them are whole, and need not be counted reading by reading.
        let is_kept = match exported.clone().all(|column| are_whole[column as usize]) {
            true => exported.fold([false; COLUMNS], with),
            false => self.mostly_known(),
        };
        let has_required = REQUIRED.into_iter().all(|column| self.has(column));
        let ascends = || reference.windows(2).all(|pair| pair[0].at_ms < pair[1].at_ms);
        let is_whole = has_required && are_whole == [true; COLUMNS] && ascends();
        Readings { columns: self, is_kept, whole: is_whole.then_some(columns) }
    }

    /// Samples of a column; none where it is not exported.
    pub fn samples(&self, column: Column) -> &[Sample] {
        self.samples[column as usize].as_deref().unwrap_or_default()
    }

    /// Optional columns that more than half of the complete readings have.
    fn mostly_known(&self) -> [bool; COLUMNS] {
        let (mut known, mut all) = ([0usize; COLUMNS], 0);
        for reading in self.complete() {
            all += 1;
            OPTIONAL
                .into_iter()
                .for_each(|column| known[column as usize] += usize::from(reading.value(column).is_some()));
        }
        let is_kept = |column: &Column| 2 * known[*column as usize] > all;
        OPTIONAL.into_iter().filter(is_kept).fold([false; COLUMNS], with)
    }

    /// Readings in which every required column has a value.
    fn complete(&self) -> impl Iterator<Item = Reading> {
        let columns: Vec<(usize, &[Sample])> = self
            .samples
            .iter()
            .enumerate()
            .filter_map(|(column, samples)| Some((column, samples.as_deref()?)))
            .collect();
        let mut next = [0usize; COLUMNS];
        let mut last_ms = None;
        self.samples(Column::Reads).iter().filter_map(move |sample| {
            let mut values = [None; COLUMNS];
            for &(column, samples) in &columns {
                let position = &mut next[column];
                while samples.get(*position).is_some_and(|other| other.at_ms < sample.at_ms) {
                    *position += 1;
                }
                let value = samples.get(*position).filter(|other| other.at_ms == sample.at_ms).map(|other| other.value);
                values[column] = value.filter(|value| value.is_finite());
            }
            self.add_times_of_no_requests(&mut values);
            let is_complete = REQUIRED.iter().all(|column| values[*column as usize].is_some());
            if !is_complete || last_ms.is_some_and(|last_ms| sample.at_ms <= last_ms) {
                return None;
            }
            last_ms = Some(sample.at_ms);
            Some(Reading { at_ms: sample.at_ms, values })
        })
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

fn with(mut kept: [bool; COLUMNS], column: Column) -> [bool; COLUMNS] {
    kept[column as usize] = true;
    kept
}

/// Readings of columns, in time order.
pub struct Readings<'a> {
    columns: &'a Columns<'a>,
    is_kept: [bool; COLUMNS],
    /// The columns, where all have a number at the times of all others.
    whole: Option<[&'a [Sample]; COLUMNS]>,
}

impl Readings<'_> {
    /// Each of them, for one pass.
    pub fn each(&self) -> impl Iterator<Item = Reading> {
        let known = move |mut reading: Reading| {
            for column in OPTIONAL {
                match self.is_kept[column as usize] {
                    true => _ = reading.value(column)?,
                    false => reading.values[column as usize] = None,
                }
            }
            Some(reading)
        };
        self.columns.complete().filter_map(known)
    }

    /// Rows of columns that are all whole, with their times, in place of [`Self::each`], which looks for each value; `None` of others.
    pub fn rows(&self) -> Option<impl Iterator<Item = (i64, Row<'_>)>> {
        let columns = self.whole.as_ref()?;
        let row = move |(index, sample): (usize, &Sample)| (sample.at_ms, Row { columns, index });
        Some(self.columns.samples(Column::Reads).iter().enumerate().map(row))
    }

    /// True with the times of requests.
    pub fn is_timed(&self) -> bool {
        TIMES.iter().all(|(time, _)| self.is_kept[*time as usize])
    }

    /// Times of the requests that are counted, milliseconds since 1970: of [`Self::rows`] those of the readings.
    pub fn times(&self) -> impl Iterator<Item = i64> {
        self.columns.samples(Column::Reads).iter().map(|sample| sample.at_ms)
    }
}

/// Usual distance of readings at these times, milliseconds: the median, since scrapes are missed and moved; `None` of fewer than two.
pub fn usual_ms(times: impl Iterator<Item = i64>) -> Option<i64> {
    let mut last = None;
    let mut distances: Vec<i64> = times.filter_map(|at_ms| Some(at_ms - last.replace(at_ms)?)).collect();
    let middle = distances.len() / 2;
    (!distances.is_empty()).then(|| *distances.select_nth_unstable(middle).1)
}
