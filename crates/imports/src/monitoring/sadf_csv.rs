//! Parser of `sadf -d`: semicolons, and lines that begin with `#` and have the names of the columns
//! (<https://github.com/sysstat/sysstat>, format.c and rndr_stats.c).

use super::ImportError;
use super::report_sequence::{Report, ReportSequence, append};
use super::table::{Table, brief, lines};
use crate::import::civil::{self, Calendar};
use ebs_base::units::SECOND_US;

/// Columns in front of the device's: host name, interval in seconds, time.
const IN_FRONT: usize = 3;

/// Longest interval that is accepted, seconds: a year.
const MAX_INTERVAL_S: i64 = 366 * 86_400;

/// The reports in the text.
pub(super) fn read(text: &str, calendar: &Calendar, pause: &dyn Fn()) -> Result<Vec<ReportSequence>, ImportError> {
    let mut sequences: Vec<ReportSequence> = Vec::new();
    let mut table: Option<Table> = None;
    let mut host: Option<&str> = None;
    for line in lines(text, pause) {
        let (number, line) = line?;
        let line = line.trim();
        if let Some(names) = line.strip_prefix('#') {
            // With -h all devices stand in one line: their columns repeat.
            let names: Vec<&str> = names.trim().trim_end_matches("[...]").split(';').collect();
            table = names.get(IN_FRONT..).map_or(Ok(None), |names| Table::from_header(number, names))?;
            continue;
        }
        let values: Vec<&str> = line.split(';').collect();
        let (Some(table), [of_host, interval, time, rest @ ..]) = (&table, values.as_slice()) else { continue };
        if rest.first().is_none_or(|first| first.contains("RESTART") || *first == "COM") {
            continue;
        }
        match host {
            Some(known) if known != *of_host => {
                return Err(ImportError::line(number, format!("\"{}\" is another host", brief(of_host))));
            }
            _ => host = Some(of_host),
        }
        let ended_us = moment(time, calendar).ok_or_else(|| unreadable_time(number, time))?;
        let interval_s: Option<i64> = interval.parse().ok().filter(|seconds| (1..=MAX_INTERVAL_S).contains(seconds));
        let interval_us = interval_s.ok_or_else(|| no(number, "interval", interval))? * SECOND_US as i64;
        for values in rest.chunks(table.width()) {
            row(&mut sequences, number, table, values, (ended_us, interval_us))?;
        }
    }
    Ok(sequences)
}

/// Adds a row to the report of its time; a device that this report has begins another.
fn row(
    sequences: &mut Vec<ReportSequence>,
    number: usize,
    table: &Table,
    values: &[&str],
    (ended_us, interval_us): (i64, i64),
) -> Result<(), ImportError> {
    let device = table.device(values);
    let known = |report: &Report| report.rows.iter().any(|(known, _)| Some(known.as_str()) == device);
    let last = sequences.last_mut().and_then(|sequence| sequence.reports.last_mut());
    if let Some(report) = last.filter(|report| report.ended_us == ended_us && !known(report)) {
        return table.row(number, values, &mut report.rows);
    }
    let mut report = Report { at: format!("line {number}"), ended_us, rows: Vec::new() };
    table.row(number, values, &mut report.rows)?;
    append(sequences, report, interval_us);
    Ok(())
}

fn unreadable_time(number: usize, text: &str) -> ImportError {
    ImportError::UnreadableTime { at: format!("line {number}"), text: brief(text) }
}

fn no(number: usize, what: &str, text: &str) -> ImportError {
    ImportError::line(number, format!("no {what}: \"{}\"", brief(text)))
}

/// `2026-11-21 17:19:44 UTC`, by the server's clock with or without the abbreviation of its zone (`-T`, `-t`), which
/// several zones may share, or seconds since 1970 (`-U`).
fn moment(text: &str, calendar: &Calendar) -> Option<i64> {
    calendar.moment(civil::stamp(text)?, 0)
}
