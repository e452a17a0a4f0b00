//! Reports of `sar -d`, from sysstat 9 to 12, as text; `sadf -d` and `sadf -j` print the same for programs.
//!
//! The first line has the date, the others have times of day, by a clock of 12 or 24 hours; a line of names has the
//! beginning of the first interval below it. Averages have no time, in whatever language they are called so
//! (<https://github.com/sysstat/sysstat>, pr_stats.c).

use jiff::civil::{Date, Time};

use super::report_sequence::{Report, ReportSequence, imported};
use super::table::{Table, brief, lines, plain};
use super::{ImportError, MonitoringData, sadf_csv, sadf_json};
use crate::format::arguments::{DEVICE, LABEL, REPORT, TIME_ZONE, WAL_DEVICE};
use crate::format::{DemandReader, Format, Reader as FormatReader, Sign, SqlFunction};
use crate::import::civil::{self, Calendar};
#[cfg(any(test, feature = "made"))]
use crate::made::{self, Inputs, Made, recorded};

/// The name of the source.
const SOURCE: &str = "sar";

/// Reports of sar and sadf.
pub(super) const FORMAT: Format = Format {
    name: SOURCE,
    kind: "a report of sar or sadf",
    command: "",
    page: "docs/importing.md",
    shape: "Accepted is what sar -d, sadf -d FILE -- -d or sadf -j FILE -- -d prints, without --human.",
    signs: &[
        Sign::Keys(&["file-date"]),
        Sign::Keys(&["disk-device"]),
        Sign::Text(|text| text.starts_with("# hostname;interval;timestamp")),
        Sign::Line(is_header),
    ],
    reader: FormatReader::Demand(DemandReader::Text(|text, options, pause| sar(text, &options.calendar, pause))),
    sql: Some(SqlFunction {
        name: "ebs_import_sar",
        arguments: &[&LABEL, &REPORT, &DEVICE, &WAL_DEVICE, &TIME_ZONE],
        document: &REPORT,
        comment: "Creates a run from sar -d or sadf output of another server and returns the number of its intervals (docs/importing.md).",
        example: "SELECT ebs_import_sar('db2', pg_read_file('/tmp/sar.txt'))",
    }),
    #[cfg(any(test, feature = "made"))]
    inputs: Inputs {
        samples: &[
            recorded!("sar-10-en_US.txt"),
            recorded!("sar-12.txt"),
            recorded!("sadf-12.csv"),
            recorded!("sadf-12.json"),
            recorded!("sadf-12.7.json"),
            recorded!("sar-12-all.txt"),
        ],
        made: &[
            Made { what: "one device", make: |bytes| made::sar(bytes / 24, 1) },
            Made { what: "many devices", make: |bytes| made::sar(bytes / 26_000 + 1, 1_000) },
            Made { what: "CSV", make: |bytes| made::sadf(bytes / 28, 1) },
            Made { what: "CSV, many devices", make: |bytes| made::sadf(bytes / 30_000 + 1, 1_000) },
        ],
    },
};

/// `09:00:01 AM DEV tps …`, or with the device at the end.
fn is_header(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with(|c: char| c.is_ascii_digit()) && line.split_whitespace().any(|word| word == "DEV")
}

/// A beginning this close to the last end is that end, microseconds.
const CLOSE_US: u64 = 1_500_000;

/// The series of every device that the text reports on: of `sar -d`, `sadf -d` or `sadf -j`. `pause` is called between pieces of
/// the work, and may unwind.
pub fn sar(text: &str, calendar: &Calendar, pause: &dyn Fn()) -> Result<MonitoringData, ImportError> {
    let text = text.trim_start_matches('\u{feff}');
    let first = text.trim_start();
    let sequences = match first.chars().next() {
        Some('{') => sadf_json::read(text, calendar, pause)?,
        Some('#') => sadf_csv::read(text, calendar, pause)?,
        Some('<') => return Err(ImportError::line(1, "XML (sadf -x) cannot be read")),
        _ => Reader::new(calendar).read(text, pause)?,
    };
    if sequences.iter().all(|sequence| sequence.reports.is_empty()) {
        return Err(ImportError::Foreign("report of sar -d or sadf"));
    }
    imported(SOURCE, sequences, pause)
}

struct Reader<'a> {
    calendar: &'a Calendar,
    /// The calendar of the date in the first line.
    dated: Calendar,
    date: Option<Date>,
    last_us: i64,
    table: Option<Table>,
    /// Time zone behind the times of the table, as en_IN writes it.
    zone: Option<String>,
    /// The reports since the last break; none after one.
    sequences: Vec<ReportSequence>,
    broken: bool,
}

impl Reader<'_> {
    fn new(calendar: &Calendar) -> Reader<'_> {
        let dated = calendar.clone();
        Reader {
            calendar,
            dated,
            date: None,
            last_us: i64::MIN,
            table: None,
            zone: None,
            sequences: Vec::new(),
            broken: true,
        }
    }

    fn read(mut self, text: &str, pause: &dyn Fn()) -> Result<Vec<ReportSequence>, ImportError> {
        for line in lines(text, pause) {
            let (number, line) = line?;
            self.line(number, plain(line).trim())?;
        }
        Ok(self.sequences)
    }

    fn line(&mut self, number: usize, line: &str) -> Result<(), ImportError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.first() == Some(&"Linux") && line.contains('(') {
            return self.begin(number, line);
        }
        let Some((time, taken)) = civil::clock(&words) else {
            // A blank line ends a table; anything else without a time is an average.
            self.table = self.table.take().filter(|_| !words.is_empty());
            return Ok(());
        };
        let words = self.skip_zone(&words[taken..]);
        if words.iter().any(|word| word.ends_with("RESTART")) {
            (self.table, self.broken) = (None, true);
        } else if let Some(table) = Table::from_header(number, words)? {
            self.table = Some(table);
            let began_us = self.at(number, time)?;
            let last_us = self.sequences.last().and_then(|sequence| sequence.reports.last()).map(|last| last.ended_us);
            if self.broken || last_us.is_none_or(|last_us| last_us.abs_diff(began_us) > CLOSE_US) {
                self.sequences.push(ReportSequence { began_us: Some(began_us), reports: Vec::new() });
                self.broken = false;
            }
        } else if let Some(table) = self.table.clone().filter(|_| words.first() != Some(&"COM")) {
            if table.is_foreign(words) {
                self.table = None;
                return Ok(());
            }
            let ended_us = self.at(number, time)?;
            return self.row(number, ended_us, &table, words);
        }
        Ok(())
    }

    /// The words behind the time and its zone, of which a header of the devices shows that there is one.
    fn skip_zone<'w, 'a>(&mut self, words: &'w [&'a str]) -> &'w [&'a str] {
        if let [zone, "DEV", ..] = words
            && civil::is_zone(zone)
        {
            self.zone = Some((*zone).to_owned());
        }
        match words {
            [first, rest @ ..] if self.zone.as_deref() == Some(*first) => rest,
            _ => words,
        }
    }

    /// The output of another sar begins, with its date: `Linux RELEASE (HOST) DATE _MACHINE_ (N CPU)`, where a release and a host may
    /// look like dates.
    fn begin(&mut self, number: usize, line: &str) -> Result<(), ImportError> {
        let text = line.split_once(')').map_or("", |(_, rest)| rest);
        let text = text.split(['_', '(']).next().unwrap_or_default().trim();
        let day = civil::day(text);
        self.dated = self.calendar.infer_order(day.into_iter());
        let date = day.and_then(|day| self.dated.date(day));
        let unreadable = || ImportError::UnreadableTime { at: format!("line {number}"), text: brief(text) };
        self.date = Some(date.ok_or_else(unreadable)?);
        self.zone = None;
        (self.table, self.broken, self.last_us) = (None, true, i64::MIN);
        Ok(())
    }

    /// A time of day that is before the last one is of the next day.
    fn at(&mut self, number: usize, time: Time) -> Result<i64, ImportError> {
        let date = self.date.ok_or_else(|| ImportError::line(number, "a time without the date above it"))?;
        let none = || ImportError::line(number, "there is no such time");
        let utc = self.dated.utc();
        let calendar = if self.zone.as_deref().and_then(civil::offset) == Some(0) { &utc } else { &self.dated };
        let mut at_us = calendar.instant(date, time, self.last_us).ok_or_else(none)?;
        if at_us < self.last_us {
            let tomorrow = date.tomorrow().map_err(|_| none())?;
            self.date = Some(tomorrow);
            at_us = calendar.instant(tomorrow, time, self.last_us).ok_or_else(none)?;
        }
        self.last_us = at_us;
        Ok(at_us)
    }

    fn row(&mut self, number: usize, ended_us: i64, table: &Table, values: &[&str]) -> Result<(), ImportError> {
        let Some(sequence) = self.sequences.last_mut() else { return Ok(()) };
        let device = table.device(values);
        // At a report a second two of them may have the same time.
        let open = sequence.reports.last().is_some_and(|report| {
            report.ended_us == ended_us && report.rows.iter().all(|(known, _)| Some(known.as_str()) != device)
        });
        if !open {
            sequence.reports.push(Report { at: format!("line {number}"), ended_us, rows: Vec::new() });
        }
        match sequence.reports.last_mut() {
            Some(report) => table.row(number, values, &mut report.rows),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
#[path = "sar_tests.rs"]
mod tests;
