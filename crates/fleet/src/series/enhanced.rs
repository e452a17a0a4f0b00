//! Enhanced Monitoring of RDS, whose last event Percona's exporter shows at each scrape.

use ebs_prometheus::Sample;

use crate::discovery::metric::Column;
use crate::series::readings::Reading;

/// Longest time from an event to the scrape that shows it, milliseconds: an exporter that has no newer one repeats it.
const MAX_AGE_MS: i64 = 600_000;
/// Queue from which on its two decimals are exact to 5 %: the time of requests gives a shorter one.
const MIN_QUEUE: f64 = 0.1;
/// Bytes of a KiB.
const KIB: f64 = 1_024.0;

/// Readings of events, each once and at its own time, in bytes and seconds. Where the exporter shows no times of events, each scrape is one.
pub fn events(readings: &[Reading], times: Option<&[Sample]>) -> Vec<Reading> {
    let mut events: Vec<Reading> = Vec::with_capacity(readings.len());
    let mut times = times.map(|times| times.iter().peekable());
    for reading in readings {
        let at_ms = match &mut times {
            None => Some(reading.at_ms),
            Some(times) => {
                while times.next_if(|time| time.at_ms < reading.at_ms).is_some() {}
                let time = times.peek().filter(|time| time.at_ms == reading.at_ms);
                time.map(|time| (time.value * 1e3) as i64)
            }
        };
        let is_near = |at_ms: &i64| (0..=MAX_AGE_MS).contains(&(reading.at_ms - at_ms));
        let Some(at_ms) = at_ms.filter(is_near) else { continue };
        if events.last().is_none_or(|last| at_ms > last.at_ms) {
            events.push(Reading { at_ms, ..converted(reading) });
        }
    }
    events
}

fn converted(reading: &Reading) -> Reading {
    let mut values = reading.values;
    for (column, factor) in
        [(Column::ReadBytes, KIB), (Column::WriteBytes, KIB), (Column::ReadSeconds, 1e-3), (Column::WriteSeconds, 1e-3)]
    {
        values[column as usize] = reading.value(column).map(|value| value * factor);
    }
    values[Column::BusySeconds as usize] = reading.value(Column::BusySeconds).map(|pct| (pct / 100.0).clamp(0.0, 1.0));
    values[Column::QueueSeconds as usize] = reading.value(Column::QueueSeconds).filter(|queue| *queue >= MIN_QUEUE);
    Reading { values, ..*reading }
}

#[cfg(test)]
#[path = "enhanced_tests.rs"]
mod tests;
