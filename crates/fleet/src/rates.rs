//! Rates and sums that CloudWatch computed and an exporter repeats: each value is of an interval before it.

use ebs_samples::evidence::{CounterDelta, DeviceCounts};

use super::fleet::Origin;
use super::metric::{COLUMNS, Column};
use super::readings::{Columns, Reading, usual_ms};
use super::source::Source;
use super::track::{GAP_FACTOR, Piece, Track, device_counts};

/// Shortest interval of CloudWatch's metrics, milliseconds.
const MINUTE_MS: i64 = 60_000;

/// Track of rates, or of sums; `None` where the period of sums cannot be told from them.
pub fn track(origin: &Origin, columns: &Columns) -> Option<Track> {
    let readings = columns.readings();
    let pieces = if origin.source == Source::YaceEbs { sums(&readings)? } else { rates(&readings) };
    Some(Track {
        source: origin.source,
        host: origin.host.clone(),
        instance_type: None,
        pieces,
        exceeded: Vec::new(),
        checks: [false; 4],
        is_timed: columns.has(Column::ReadSeconds) && columns.has(Column::WriteSeconds),
    })
}

/// Rates, each for the time since the reading before it. CloudWatch averages over a minute: scrapes closer together repeat a value.
fn rates(readings: &[Reading]) -> Vec<Piece> {
    let Some(usual_ms) = usual_ms(readings) else { return Vec::new() };
    let mut kept: Vec<&Reading> = Vec::new();
    for reading in readings {
        let is_due = kept.last().is_none_or(|last| reading.at_ms - last.at_ms >= MINUTE_MS - usual_ms / 2);
        if is_due {
            kept.push(reading);
        }
    }
    let step_ms = usual_ms.max(MINUTE_MS);
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
    for (time, requests) in [(Column::ReadSeconds, Column::Reads), (Column::WriteSeconds, Column::Writes)] {
        values[time as usize] = rate(time).zip(rate(requests)).map(|(each, rate)| each * rate * seconds);
    }
    device_counts(&Reading { values, ..*reading })
}

/// Sums of periods. An exporter repeats a sum until CloudWatch has the next: the period is the distance of changes.
fn sums(readings: &[Reading]) -> Option<Vec<Piece>> {
    let mut changes: Vec<&Reading> = Vec::new();
    for reading in readings {
        if changes.last().is_none_or(|last| last.values != reading.values) {
            changes.push(reading);
        }
    }
    // The first value may have been there for any time.
    let changes = changes.get(1..)?;
    let period_ms = period_ms(changes)?;
    let mut pieces: Vec<Piece> = Vec::new();
    for reading in changes {
        let (began_us, ended_us) = ((reading.at_ms - period_ms) * 1_000, reading.at_ms * 1_000);
        // Scrapes come later or earlier than the exporter's: a period never begins before the end of the one before it.
        let began_us = pieces.last().map_or(began_us, |last| began_us.max(last.ended_us));
        let counts = device_counts(reading).map(CounterDelta::Known);
        if let Some(counts) = counts.filter(|_| 2 * (ended_us - began_us) >= period_ms * 1_000) {
            pieces.push(Piece { began_us, ended_us, counts });
        }
    }
    Some(pieces)
}

/// Period of sums, in whole minutes; `None` where their distances do not agree on one.
fn period_ms(changes: &[&Reading]) -> Option<i64> {
    let minutes = |pair: &[&Reading]| (pair[1].at_ms - pair[0].at_ms + MINUTE_MS / 2) / MINUTE_MS;
    let mut distances: Vec<i64> = changes.windows(2).map(minutes).collect();
    distances.sort_unstable();
    let median = *distances.get(distances.len() / 2)?;
    let agreeing = distances.iter().filter(|distance| **distance == median).count();
    // Two sums may be equal, and one may be seen late; most are neither.
    (median > 0 && 2 * agreeing > distances.len() && distances.len() >= 3).then_some(median * MINUTE_MS)
}

#[cfg(test)]
#[path = "rates_tests.rs"]
mod tests;
