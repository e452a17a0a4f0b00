//! Sums of CloudWatch's periods, as YACE repeats them. It writes the length of a period nowhere.

use std::collections::BTreeMap;

use ebs_samples::evidence::{CounterDelta, DeviceCounts};

use crate::discovery::fleet::{FleetVolume, Origin};
use crate::discovery::metric::Column;
use crate::discovery::source::Source;
use crate::series::index::{Copy, Index};
use crate::series::readings::{Columns, Reading, usual_ms};
use crate::series::track::{GAP_FACTOR, Piece, device_counts};

/// Unit of CloudWatch's periods of EBS, milliseconds.
const MINUTE_MS: i64 = 60_000;

/// Readings of a copy of an origin's series.
fn readings(copy: &Copy, origin: &Origin) -> Vec<Reading> {
    Columns::new(copy, origin.source.columns()).readings().each().collect()
}

/// Period of most volumes whose sums tell it; `None` without any.
pub fn usual_period_ms(volumes: &[FleetVolume], index: &Index) -> Option<i64> {
    let mut periods: BTreeMap<i64, usize> = BTreeMap::new();
    for volume in volumes {
        for origin in volume.origins.iter().filter(|origin| origin.source == Source::YaceEbs) {
            let copies = index.copies(&origin.target, &volume.id);
            let own = copies.filter_map(|(_, copy)| period_ms(&readings(copy, origin)));
            own.for_each(|period_ms| *periods.entry(period_ms).or_default() += 1);
        }
    }
    periods.into_iter().max_by_key(|(_, count)| *count).map(|(period_ms, _)| period_ms)
}

/// Sums of periods. An exporter repeats a sum until CloudWatch has the next: one that stays for several periods is that of each of them.
/// `None` where neither the sums nor the other volumes tell the period.
pub fn sums(readings: &[Reading], others_ms: Option<i64>) -> Option<Vec<Piece>> {
    let period_ms = period_ms(readings).or(others_ms)?;
    let holds = holds(readings);
    // The first value may have been there for any time, unless it never changes.
    let known = if holds.len() > 1 { &holds[1..] } else { &holds[..] };
    let mut pieces: Vec<Piece> = Vec::new();
    for hold in known {
        let periods = ((hold.until_ms - hold.reading.at_ms + period_ms / 2) / period_ms).max(1);
        for period in 0..periods {
            let ended_ms = hold.reading.at_ms + period * period_ms;
            let (began_us, ended_us) = ((ended_ms - period_ms) * 1_000, ended_ms * 1_000);
            // Scrapes come later or earlier than the exporter's: a period never begins before the end of the one before it.
            let began_us = pieces.last().map_or(began_us, |last| began_us.max(last.ended_us));
            let counts = device_counts(hold.reading).map(|counts| with_busy_time(counts, hold.reading, period_ms));
            let counts = counts.map(CounterDelta::Known);
            if let Some(counts) = counts.filter(|_| 2 * (ended_us - began_us) >= period_ms * 1_000) {
                pieces.push(Piece { began_us, ended_us, counts });
            }
        }
    }
    Some(pieces)
}

/// The counts with the time of the period that was not idle.
fn with_busy_time(counts: DeviceCounts, reading: &Reading, period_ms: i64) -> DeviceCounts {
    let idle_ms = reading.value(Column::IdleSeconds).map(|seconds| 1e3 * seconds);
    let busy_ms = idle_ms.map_or(counts.busy_ms, |idle_ms| (period_ms as f64 - idle_ms).max(0.0).round() as u64);
    DeviceCounts { busy_ms, ..counts }
}

/// Values that stay, with the time until which they are seen.
struct Hold<'a> {
    reading: &'a Reading,
    until_ms: i64,
    /// True where another follows at once.
    is_followed: bool,
}

fn holds(readings: &[Reading]) -> Vec<Hold<'_>> {
    let longest_ms =
        usual_ms(readings.iter().map(|reading| reading.at_ms)).map_or(0.0, |usual_ms| GAP_FACTOR * usual_ms as f64);
    let mut holds: Vec<Hold> = Vec::new();
    for reading in readings {
        if let Some(last) = holds.last_mut() {
            let is_gap = (reading.at_ms - last.until_ms) as f64 > longest_ms;
            let is_same = last.reading.values == reading.values;
            if !is_gap {
                last.until_ms = reading.at_ms;
                last.is_followed = !is_same;
            }
            if is_same && !is_gap {
                continue;
            }
        }
        holds.push(Hold { reading, until_ms: reading.at_ms, is_followed: false });
    }
    holds
}

/// Period that sums tell, in whole minutes: the idle time of one without requests, or else the time for which most sums stay. The exporter's own
/// interval may be longer than the period: the idle time tells it then, too.
fn period_ms(readings: &[Reading]) -> Option<i64> {
    if let Some(period_ms) = idle_period_ms(readings) {
        return Some(period_ms);
    }
    let holds = holds(readings);
    let followed = holds.iter().skip(1).filter(|hold| hold.is_followed);
    let minutes = |hold: &Hold| (hold.until_ms - hold.reading.at_ms + MINUTE_MS / 2) / MINUTE_MS;
    let mut distances: Vec<i64> = followed.map(minutes).collect();
    distances.sort_unstable();
    let median = *distances.get(distances.len() / 2)?;
    let agreeing = distances.iter().filter(|distance| **distance == median).count();
    // Two sums may be equal, and one may be seen late; most are neither.
    (median > 0 && 2 * agreeing > distances.len() && distances.len() >= 3).then_some(median * MINUTE_MS)
}

/// Idle time of periods without requests, which is their whole length, in whole minutes.
fn idle_period_ms(readings: &[Reading]) -> Option<i64> {
    let is_idle =
        |reading: &&Reading| [Column::Reads, Column::Writes].iter().all(|one| reading.value(*one) == Some(0.0));
    let idle = readings.iter().filter(is_idle).filter_map(|reading| reading.value(Column::IdleSeconds));
    let idle_ms = 1e3 * idle.fold(0.0, f64::max);
    let period_ms = (idle_ms / MINUTE_MS as f64).round() as i64 * MINUTE_MS;
    (period_ms > 0 && (idle_ms - period_ms as f64).abs() < 1e3).then_some(period_ms)
}

#[cfg(test)]
#[path = "period_tests.rs"]
mod tests;
