//! Rates and sums that CloudWatch computed and an exporter repeats: each value is of an interval before it.

use ebs_prometheus::Sample;
use ebs_samples::evidence::{CounterDelta, DeviceCounts};

use crate::discovery::fleet::Origin;
use crate::discovery::metric::{COLUMNS, Column};
use crate::discovery::source::Source;
use crate::series::enhanced::events;
use crate::series::period::sums;
use crate::series::readings::{Columns, Reading, usual_ms};
use crate::series::track::{GAP_FACTOR, Piece, Timers, Track, device_counts};

/// Shortest interval of CloudWatch's metrics, milliseconds.
const MINUTE_MS: i64 = 60_000;

/// Facts on rates and sums that other series tell.
pub struct Hints<'a> {
    /// Times of the events of Enhanced Monitoring, by scrape.
    pub event_times: Option<&'a [Sample]>,
    /// Period of the sums of other volumes, milliseconds.
    pub period_ms: Option<i64>,
}

/// Track of rates, or of sums; `None` where the period of sums cannot be told.
pub fn track(origin: &Origin, columns: &Columns, hints: &Hints) -> Option<Track> {
    let known = columns.readings();
    let readings: Vec<Reading> = known.each().collect();
    let pieces = match origin.source {
        Source::YaceEbs => sums(&readings, hints.period_ms)?,
        Source::RdsEnhanced => rates(&events(&readings, hints.event_times), 0),
        _ => rates(&readings, MINUTE_MS),
    };
    Some(Track {
        source: origin.source,
        host: origin.host.clone(),
        instance_type: None,
        pieces,
        exceeded: Vec::new(),
        checks: [false; 4],
        is_timed: known.is_timed(),
        timers: Timers::new(columns),
    })
}

/// Rates, each for the time since the reading before it. CloudWatch averages over a minute: scrapes closer together repeat a value.
fn rates(readings: &[Reading], least_ms: i64) -> Vec<Piece> {
    let times = readings.iter().map(|reading| reading.at_ms);
    let Some(usual_ms) = usual_ms(times) else { return Vec::new() };
    let mut kept: Vec<&Reading> = Vec::new();
    for reading in readings {
        let is_due = kept.last().is_none_or(|last| reading.at_ms - last.at_ms >= least_ms - usual_ms / 2);
        if is_due {
            kept.push(reading);
        }
    }
    let step_ms = usual_ms.max(least_ms);
    let piece = |pair: &[&Reading]| {
        let (before, now) = (pair[0], pair[1]);
        let is_gap = (now.at_ms - before.at_ms) as f64 > GAP_FACTOR * step_ms as f64;
        let counts = amount(now, (now.at_ms - before.at_ms) as f64 / 1e3).filter(|_| !is_gap)?;
        let (began_us, ended_us) = (before.at_ms * 1_000, now.at_ms * 1_000);
        Some(Piece { began_us, ended_us, counts: CounterDelta::Known(counts) })
    };
    kept.windows(2).filter_map(piece).collect()
}

/// Counts of so many seconds at the rates of a reading; latencies are means of a request.
fn amount(reading: &Reading, seconds: f64) -> Option<DeviceCounts> {
    let rate = |column| reading.value(column);
    let mut values = [None; COLUMNS];
    for column in [Column::Reads, Column::Writes, Column::ReadBytes, Column::WriteBytes] {
        values[column as usize] = Some(rate(column)? * seconds);
    }
    for column in [Column::QueueSeconds, Column::BusySeconds, Column::ReadMerges, Column::WriteMerges] {
        values[column as usize] = rate(column).map(|rate| rate * seconds);
    }
    for (time, requests) in [(Column::ReadSeconds, Column::Reads), (Column::WriteSeconds, Column::Writes)] {
        values[time as usize] = rate(time).zip(rate(requests)).map(|(each, rate)| each * rate * seconds);
    }
    device_counts(&Reading { values, ..*reading })
}

#[cfg(test)]
#[path = "rates_tests.rs"]
mod tests;
