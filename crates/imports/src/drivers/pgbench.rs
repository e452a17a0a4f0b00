//! pgbench's progress and summary, as of PostgreSQL 9.6 to 18: lines that stand in `printProgressReport` and `printResults` of
//! pgbench.c (<https://github.com/postgres/postgres/blob/master/src/bin/pgbench/pgbench.c>).

use super::event::{Event, Progress, ReportedError};
use super::figure::{count, figure, leading};
use super::reader::{LineError, LineReader, LineResult};
use super::report::{Figures, Report};
#[cfg(any(test, feature = "made"))]
use crate::drivers::samples;
use crate::format::{COMMAND, Driver, Format, Kind, PAGE, Reader, Sign};
#[cfg(any(test, feature = "made"))]
use crate::made::{Inputs, Made, Sample};

/// Output of pgbench.
pub(super) const FORMAT: Format = Format {
    name: "pgbench",
    kind: "output of pgbench",
    command: COMMAND,
    page: PAGE,
    shape: "Accepted is what pgbench prints, standard output and standard error.",
    signs: &[Sign::Line(|line| {
        ["pgbench (", "progress: ", "starting vacuum", "transaction type: "].iter().any(|sign| line.starts_with(sign))
    })],
    reader: Reader::Driver(Kind::Output(Driver::Pgbench)),
    sql: None,
    #[cfg(any(test, feature = "made"))]
    inputs: Inputs {
        samples: &[Sample::text(samples::PGBENCH), Sample::text(samples::PGBENCH_SCRIPTS)],
        made: &[Made {
            what: "progress",
            make: |bytes| "progress: 5.0 s, 988.6 tps, lat 4.003 ms stddev 4.967, 0 failed\n".repeat(bytes / 64),
        }],
    },
};

/// Elapsed seconds never reach this; seconds since 1970, as of `--progress-timestamp`, always exceed it.
const MIN_EPOCH_S: f64 = 1e9;

/// A run may outlast its duration while the last transactions end: by this part of it, or by these seconds.
const OVERTIME: f64 = 0.2;
const MIN_OVERTIME_S: f64 = 5.0;

/// Transactions of the progress over those of the summary, at most: rates and times are rounded.
const MAX_EXCESS: f64 = 2.0;

/// Reads pgbench's lines. The progress is on standard error, the summary on standard output, all of it at the end: of one run
/// either may come first.
#[derive(Default)]
pub(super) struct Pgbench {
    /// Lines that come once a run, of those that were read: the version, the vacuum, the beginning of the summary.
    begun: [bool; 3],
    /// Time of the last progress.
    last_s: Option<f64>,
    /// True once progress was read before the end of the summary.
    showed_progress: bool,
    /// Lines since the first progress behind such a summary, of which the reader of a pipe may have one late.
    late: Option<usize>,
    /// Progress behind the summary: lines since the first of it, and the transactions that it has.
    behind: Option<(usize, f64)>,
}

/// Begins of lines that come once a run.
const ONCE: [&str; 3] = ["pgbench (", "starting vacuum", "transaction type: "];

impl LineReader for Pgbench {
    fn line(&mut self, line: &str, report: &mut Report) -> Result<LineResult, LineError> {
        self.late = self.late.map(|lines| lines + 1);
        self.behind = self.behind.map(|(lines, transactions)| (lines + 1, transactions));
        if let Some(version) = line.strip_prefix("pgbench (PostgreSQL) ") {
            report.version = version.split(' ').next().map(str::to_owned);
            return Ok(LineResult::Ignored);
        }
        if let Some(begun) =
            ONCE.iter().zip(&mut self.begun).find_map(|(once, begun)| line.starts_with(once).then_some(begun))
            && std::mem::replace(begun, true)
        {
            return Err(LineError::SecondRun { lines_ago: 0 });
        }
        // Lines of single scripts and statements, which are indented, have the same words.
        if let Some(rest) = line.strip_prefix("progress: ") {
            let Some(progress) = progress(rest) else {
                return Ok(LineResult::Misread("progress: … s, … tps, lat … ms stddev …"));
            };
            self.progress_of_one_run(&progress, &report.figures)?;
            return Ok(LineResult::Event(Event::Progress(progress)));
        }
        if let Some(rest) = line.strip_prefix("pgbench (") {
            let version = rest.split([' ', ',', ')']).next().unwrap_or_default();
            report.version = Some(version.to_owned());
            return Ok(LineResult::Ignored);
        }
        if line.starts_with("starting vacuum") && line.ends_with("end.") {
            return Ok(LineResult::Event(Event::LoadBegins));
        }
        if line.starts_with("transaction type: ") {
            return Ok(LineResult::Event(Event::MeasuringEnds));
        }
        if let Some(message) = ["pgbench: error: ", "pgbench: fatal: "].iter().find_map(|says| line.strip_prefix(says))
        {
            return Ok(LineResult::Event(Event::Failed(ReportedError { user: None, message: message.to_owned() })));
        }
        if report.figures.tps.is_some() && is_of_summary(line) {
            return Err(LineError::SecondRun { lines_ago: 0 });
        }
        Ok(summary(line, report)?)
    }

    fn missing_line(&self, report: &Report) -> Option<&'static str> {
        report.figures.tps.is_none().then_some("the line tps = … of pgbench's summary")
    }

    fn description(&self) -> &'static str {
        "output of pgbench"
    }
}

impl Pgbench {
    /// Refuses progress whose time is not later than the last one's, and progress on both sides of a summary.
    fn progress_of_one_run(&mut self, progress: &Progress, figures: &Figures) -> Result<(), LineError> {
        let has_summary = figures.tps.is_some();
        let at_s = progress.elapsed_s.or(progress.epoch_s);
        if self.last_s.zip(at_s).is_some_and(|(last_s, at_s)| at_s <= last_s) {
            return Err(LineError::SecondRun { lines_ago: self.late.unwrap_or(0) });
        }
        if has_summary {
            self.progress_fits_summary(progress, figures)?;
        }
        self.last_s = at_s.or(self.last_s);
        if has_summary && self.showed_progress {
            return match self.late {
                Some(lines_ago) => Err(LineError::SecondRun { lines_ago }),
                None => {
                    self.late = Some(0);
                    Ok(())
                }
            };
        }
        self.showed_progress |= !has_summary;
        Ok(())
    }

    /// Refuses progress behind the summary that is not of its run: standard error behind standard output ends with the run, and has no
    /// more transactions than the summary counts.
    fn progress_fits_summary(&mut self, progress: &Progress, figures: &Figures) -> Result<(), LineError> {
        let Some(elapsed_s) = progress.elapsed_s else { return Ok(()) };
        if figures.seconds.is_some_and(|seconds| elapsed_s > seconds + (OVERTIME * seconds).max(MIN_OVERTIME_S)) {
            return Err(LineError::SecondRun { lines_ago: 0 });
        }
        let (lines_ago, transactions) = self.behind.get_or_insert((0, 0.0));
        *transactions += progress.tps.unwrap_or(0.0) * (elapsed_s - self.last_s.unwrap_or(0.0));
        if figures.transactions.is_some_and(|counted| *transactions > MAX_EXCESS * counted as f64) {
            return Err(LineError::SecondRun { lines_ago: *lines_ago });
        }
        Ok(())
    }
}

/// `5.0 s, 988.6 tps, lat 4.003 ms stddev 4.967, 0 failed`, and whatever later versions add behind it.
fn progress(rest: &str) -> Option<Progress> {
    let mut parts = rest.split(", ");
    let at = figure(parts.next()?.strip_suffix(" s")?)?;
    let tps = figure(parts.next()?.strip_suffix(" tps")?)?;
    let (latency, stddev) = parts.next()?.strip_prefix("lat ")?.split_once(" ms stddev ")?;
    let measured = |text: &str| figure(text).map(Some).or_else(|| text.ends_with(['N', 'n']).then_some(None));
    // Of no transaction there is no latency: pgbench prints 0.000, and NaN before version 15.
    let latency_ms = measured(latency)?.filter(|_| tps > 0.0);
    measured(stddev)?;
    let failed = parts.find_map(|part| part.strip_suffix(" failed").map(figure));
    let (elapsed_s, epoch_s) = if at < MIN_EPOCH_S { (Some(at), None) } else { (None, Some(at)) };
    let failed = failed.map_or(Some(None), |failed| failed.map(Some))?;
    Some(Progress { elapsed_s, epoch_s, tps: Some(tps), latency_ms, failed, ..Progress::default() })
}

/// True of a line of a summary that has not ended: the rate is its last. Before version 14 there are two, of which the second leaves
/// out what connecting took.
fn is_of_summary(line: &str) -> bool {
    let is_second_rate = line.starts_with("tps = ") && line.contains("(excluding ");
    SUMMARY.iter().any(|key| line.starts_with(key)) && !is_second_rate
}

/// Beginnings of a summary's lines; of the first, which is in `ONCE`, and those of single scripts, which are indented, not.
const SUMMARY: [&str; 9] = [
    "scaling factor: ",
    "query mode: ",
    "number of clients: ",
    "number of threads: ",
    "duration: ",
    "number of transactions actually processed: ",
    "latency average",
    "initial connection time = ",
    "tps = ",
];

/// Names of the mean latency. Without -P, -r, --rate or --latency-limit it is the time of all clients over all transactions, failed
/// ones among them.
const AVERAGES: [&str; 3] = ["latency average = ", "latency average: ", "latency average (including failures) = "];

/// A latency of the summary: `None` in place of a number that cannot be read, `Some(None)` of no transaction, of which pgbench
/// prints 0.000 or NaN.
fn known_latency(text: &str, transactions: Option<u64>) -> Option<Option<f64>> {
    let number = text.split(' ').next().unwrap_or_default();
    if number.to_ascii_lowercase().ends_with("nan") {
        return Some(None);
    }
    leading(text).map(|(ms, _)| Some(ms).filter(|_| transactions != Some(0)))
}

fn summary(line: &str, report: &mut Report) -> Result<LineResult, &'static str> {
    let figures = &mut report.figures;
    let rest = |key: &str| line.strip_prefix(key);
    let number = |text: &str| leading(text).map(|(value, _)| value);
    if let Some(text) = rest("number of clients: ") {
        figures.clients = Some(count(text).ok_or("a number of clients")?);
    } else if let Some(text) = rest("duration: ") {
        figures.seconds = Some(text.strip_suffix(" s").and_then(figure).ok_or("duration: … s")?);
    } else if let Some(text) = rest("number of transactions actually processed: ") {
        // Of how many there were to be, with -t.
        let done = text.split('/').next().unwrap_or_default();
        figures.transactions = Some(count(done).ok_or("a number of transactions")?);
    } else if let Some(text) = rest("number of failed transactions: ") {
        let failed = text.split(' ').next().unwrap_or_default();
        figures.failed = Some(count(failed).ok_or("a number of failed transactions")?);
    } else if let Some(text) = AVERAGES.iter().find_map(|key| rest(key)) {
        figures.latency_ms = known_latency(text, figures.transactions).ok_or("latency average = … ms")?;
    } else if let Some(text) = rest("latency stddev = ").or(rest("latency stddev: ")) {
        figures.latency_stddev_ms = known_latency(text, figures.transactions).ok_or("latency stddev = … ms")?;
    } else if let Some(text) = rest("tps = ") {
        // Before version 14 there are two, and the second leaves out what connecting took, as the one of today does.
        figures.tps = Some(number(text).ok_or("tps = …")?);
    } else {
        let others = ["scaling factor: ", "query mode: ", "number of threads: ", "initial connection time = "];
        return Ok(if others.iter().any(|key| line.starts_with(key)) {
            LineResult::Ignored
        } else {
            LineResult::Unrecognized
        });
    }
    Ok(LineResult::Ignored)
}

#[cfg(test)]
#[path = "pgbench_tests.rs"]
mod tests;
