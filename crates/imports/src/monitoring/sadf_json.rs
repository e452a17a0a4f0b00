//! Parser of `sadf -j` (<https://github.com/sysstat/sysstat>, json_stats.c).

use serde::Deserialize;

use super::ImportError;
use super::iostat_json::{Document, Statistics, device, malformed, unreadable_time};
use super::report_sequence::{Report, ReportSequence, append};
use crate::import::civil::{self, Calendar};
use ebs_base::input::WorkMeter;
use ebs_base::units::SECOND_US;

/// Time of a report.
#[derive(Deserialize)]
struct Timestamp {
    /// `2026-11-21`.
    date: String,
    /// `17:19:44`.
    time: String,
    /// 1 if it is in UTC; up to sysstat 12.7.0.
    #[serde(default)]
    utc: u8,
    /// Zone of the time, `UTC` or the abbreviation of another; from 12.7.1 on.
    #[serde(default)]
    tz: String,
    /// Seconds since the report before.
    interval: u32,
}

/// The reports of the documents in the text: sadf writes one for each file of sar.
pub(super) fn read(text: &str, calendar: &Calendar, pause: &dyn Fn()) -> Result<Vec<ReportSequence>, ImportError> {
    let meter = WorkMeter::new(pause);
    let mut sequences = Vec::new();
    for document in Document::parse_all(text, pause)? {
        let [host] = document.sysstat.hosts.as_slice() else {
            let hosts = document.sysstat.hosts.len();
            return Err(ImportError::Malformed { at: "hosts".to_owned(), problem: format!("{hosts} instead of one") });
        };
        for (number, statistics) in (1..).zip(&host.statistics) {
            if !statistics.disk.is_empty() {
                report(number, statistics, calendar, &mut sequences, &meter)?;
            }
        }
    }
    Ok(sequences)
}

/// Adds a report, of this number in its document.
fn report(
    number: usize,
    statistics: &Statistics,
    calendar: &Calendar,
    sequences: &mut Vec<ReportSequence>,
    meter: &WorkMeter,
) -> Result<(), ImportError> {
    let at = format!("report {number}");
    let timestamp = statistics.timestamp.clone().unwrap_or_default();
    let problem = || unreadable_time(&at, &timestamp);
    let taken: Timestamp = serde_json::from_value(timestamp.clone()).map_err(|_| problem())?;
    let zone = if taken.utc > 0 { "UTC" } else { &taken.tz };
    let stamp = civil::stamp(&format!("{} {} {zone}", taken.date, taken.time)).ok_or_else(problem)?;
    let ended_us = calendar.moment(stamp, 0).ok_or_else(problem)?;
    if taken.interval == 0 {
        return Err(malformed(&at, "its interval is 0 s".to_owned()));
    }
    let mut report = Report { at, ended_us, rows: Vec::new() };
    for disk in &statistics.disk {
        meter.step();
        device(&report.at, disk, "disk-device", &mut report.rows)?;
    }
    append(sequences, report, i64::from(taken.interval) * SECOND_US as i64);
    Ok(())
}
