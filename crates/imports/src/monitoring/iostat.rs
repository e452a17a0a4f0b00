//! Reports of iostat, from sysstat 9 to 12: text (`iostat -xt`), or JSON (`iostat -xt -o JSON`).
//!
//! Columns are known by their names, which stand in iostat.c (<https://github.com/sysstat/sysstat>): `r/s w/s` and one
//! of `rkB/s`, `rMB/s`, `rsec/s`; without `-x` only `tps`.

use super::iostat_report::IostatReport;
use super::rates::Rates;
use super::report_sequence::{Report, ReportSequence, imported};
use super::table::{Table, brief, lines, plain};
use super::{ImportError, ImportOptions, MAX_TABLES, MonitoringData, iostat_json};
use crate::format::arguments::{DEVICE, INTERVAL_S, LABEL, REPORT, SINCE_BOOT, STARTED_AT, TIME_ZONE, WAL_DEVICE};
use crate::format::{DemandReader, Format, Reader as FormatReader, Sign, SqlFunction};
use crate::import::civil::{self, Stamp};
#[cfg(any(test, feature = "made"))]
use crate::made::{self, Inputs, Made, recorded};
use ebs_base::input::WorkMeter;

/// Reports of iostat.
pub(super) const FORMAT: Format = Format {
    name: SOURCE,
    kind: "a report of iostat",
    command: "",
    page: "docs/importing.md",
    shape: "Accepted is what iostat -xt INTERVAL prints, or iostat -xt -o JSON INTERVAL, without -h or --human.",
    signs: &[
        Sign::Keys(&["sysstat"]),
        Sign::Line(|line| {
            let mut words = line.split_whitespace();
            let first = words.next().is_some_and(|word| ["Device", "Device:", "avg-cpu:"].contains(&word));
            // With a column behind it: a key of YAML has its value alone.
            first && words.nth(1).is_some()
        }),
    ],
    reader: FormatReader::Demand(DemandReader::Text(iostat)),
    sql: Some(SqlFunction {
        name: "ebs_import_iostat",
        arguments: &[&LABEL, &REPORT, &DEVICE, &WAL_DEVICE, &STARTED_AT, &INTERVAL_S, &TIME_ZONE, &SINCE_BOOT],
        document: &REPORT,
        comment: "Creates a run from iostat -xt output (text or JSON) of another server and returns the number of its intervals (docs/importing.md).",
        example: "SELECT ebs_import_iostat('db2', pg_read_file('/tmp/iostat.txt'))",
    }),
    #[cfg(any(test, feature = "made"))]
    inputs: Inputs {
        samples: &[
            recorded!("iostat-12.txt"),
            recorded!("iostat-12.json"),
            recorded!("iostat-10-en_US.txt"),
            recorded!("iostat-12-zh_CN.txt"),
        ],
        made: &[
            Made { what: "one device", make: |bytes| made::iostat(bytes / 93, 1) },
            Made { what: "many devices", make: |bytes| made::iostat(bytes / 30_000 + 1, 1_000) },
            Made { what: "JSON", make: |bytes| made::iostat_json(bytes / 113, 1) },
            Made { what: "JSON, many devices", make: |bytes| made::iostat_json(bytes / 66_000 + 1, 1_000) },
        ],
    },
};

/// The name of the source.
pub(super) const SOURCE: &str = "iostat";

/// The series of every device that the text reports on. `pause` is called between pieces of the work, and may unwind.
pub fn iostat(text: &str, options: &ImportOptions, pause: &dyn Fn()) -> Result<MonitoringData, ImportError> {
    let text = text.trim_start_matches('\u{feff}');
    let runs = match text.trim_start().starts_with('{') {
        true => iostat_json::read(text, pause)?,
        false => Reader::default().read(text, pause)?,
    };
    assembled(runs, options, pause)
}

/// Reads text, line by line.
#[derive(Default)]
struct Reader {
    /// Reports of each iostat whose output is in the text.
    runs: Vec<Vec<IostatReport>>,
    report: IostatReport,
    /// The table that is being read.
    table: Option<Table>,
    /// Tables that this report had.
    tables: Vec<Table>,
    /// A device whose values stand in the next line (`-h` before sysstat 11).
    device: Option<String>,
    /// The last line above the tables that is none of iostat's: a time in the form of some locale.
    unread: Option<(usize, String)>,
}

impl Reader {
    fn read(mut self, text: &str, pause: &dyn Fn()) -> Result<Vec<Vec<IostatReport>>, ImportError> {
        for line in lines(text, pause) {
            let (number, line) = line?;
            self.line(number, plain(line).trim())?;
        }
        self.end_report();
        Ok(self.runs)
    }

    fn line(&mut self, number: usize, line: &str) -> Result<(), ImportError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.is_empty() || words[0] == "avg-cpu:" {
            self.table = None;
        } else if words[0] == "Linux" && line.contains('(') {
            self.end_report();
            self.unread = None;
            self.runs.push(Vec::new());
        } else if let Some(stamp) = civil::stamp(line.strip_prefix("Time:").unwrap_or(line)) {
            self.end_report();
            self.unread = None;
            self.report = IostatReport { at: format!("line {number}"), stamp: Some(stamp), ..IostatReport::default() };
        } else if let Some(table) = Table::from_header(number, &words)? {
            self.begin_table(number, table)?;
        } else if let Some(table) = &self.table {
            let device = self.device.take();
            let values: Vec<&str> = device.as_deref().into_iter().chain(words).collect();
            if values.len() == 1 && table.width() > 1 && device.is_none() {
                self.device = Some(values[0].to_owned());
                return Ok(());
            }
            if table.is_foreign(&values) {
                self.table = None;
                return Ok(());
            }
            table.row(number, &values, &mut self.report.rows)?;
        } else if words.iter().any(|word| Rates::number(word).is_none()) {
            // Values of the CPUs are numbers alone.
            self.unread = Some((number, line.to_owned()));
        }
        Ok(())
    }

    /// Begins a report where a table repeats, in text without times.
    fn begin_table(&mut self, number: usize, table: Table) -> Result<(), ImportError> {
        match (self.tables.contains(&table), self.report.stamp) {
            (true, Some(_)) => {
                let none = || ImportError::line(number, "there is no time above this report");
                return Err(self.unread.take().map_or_else(none, |(line, text)| unreadable_time(line, &text)));
            }
            (true, None) => self.end_report(),
            (false, _) => {}
        }
        if self.report.unread.is_none() {
            self.report.unread = self.unread.take();
        }
        if self.tables.len() >= MAX_TABLES {
            return Err(ImportError::beyond(number, MAX_TABLES, "tables in a report"));
        }
        if self.report.at.is_empty() {
            self.report.at = format!("line {number}");
        }
        self.tables.push(table.clone());
        self.table = Some(table);
        Ok(())
    }

    fn end_report(&mut self) {
        let report = std::mem::take(&mut self.report);
        (self.table, self.device) = (None, None);
        self.tables.clear();
        if report.rows.is_empty() {
            return;
        }
        match self.runs.last_mut() {
            Some(run) => run.push(report),
            None => self.runs.push(vec![report]),
        }
    }
}

/// Adds the reports of each iostat as a sequence of its own: the time between two is unknown.
fn assembled(
    runs: Vec<Vec<IostatReport>>,
    options: &ImportOptions,
    pause: &dyn Fn(),
) -> Result<MonitoringData, ImportError> {
    if runs.iter().all(Vec::is_empty) {
        return Err(ImportError::Foreign("report of iostat"));
    }
    let days = runs.iter().flatten().filter_map(|report| match report.stamp? {
        Stamp::Civil(day, _) | Stamp::Offset(day, _, _) => Some(day),
        Stamp::Absolute(_) => None,
    });
    let calendar = options.calendar.infer_order(days);
    let meter = WorkMeter::new(pause);
    let mut sequences = Vec::with_capacity(runs.len());
    let mut last_us = i64::MIN;
    for run in runs {
        let mut sequence = ReportSequence::default();
        for (index, read) in (0i64..).zip(run) {
            meter.step();
            let at_us = match (read.stamp, options.untimed) {
                (Some(stamp), _) => calendar.moment(stamp, last_us).ok_or_else(|| no_moment(&read.at))?,
                (None, Some((began_us, length_us))) => {
                    let passed = if options.since_boot { index } else { index + 1 };
                    began_us.saturating_add(length_us.saturating_mul(passed))
                }
                (None, None) => {
                    let unread = read.unread.map(|(line, text)| unreadable_time(line, &text));
                    return Err(unread.unwrap_or(ImportError::Untimed));
                }
            };
            last_us = at_us;
            match options.since_boot && index == 0 {
                true => sequence.began_us = Some(at_us),
                false => sequence.reports.push(Report { at: read.at, ended_us: at_us, rows: read.rows }),
            }
        }
        sequences.push(sequence);
    }
    if sequences.iter().all(|sequence| sequence.reports.is_empty()) {
        return Err(ImportError::Foreign("report of iostat beside the one since boot"));
    }
    imported(SOURCE, sequences, pause)
}

fn unreadable_time(line: usize, text: &str) -> ImportError {
    ImportError::UnreadableTime { at: format!("line {line}"), text: brief(text) }
}

fn no_moment(at: &str) -> ImportError {
    ImportError::Malformed { at: at.to_owned(), problem: "there is no such date or time".to_owned() }
}

#[cfg(test)]
#[path = "iostat_tests.rs"]
mod tests;
