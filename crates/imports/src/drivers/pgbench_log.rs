//! The files that pgbench writes with `--log`, one a thread: transactions one by one, or sums of intervals
//! (`--aggregate-interval`). All threads' files make one report.

use super::error::DriverError;
use super::log_line::LogLine;
use super::pgbench_aggregates::Aggregates;
use super::pgbench_transactions::Transactions;
use super::report::Report;
#[cfg(any(test, feature = "made"))]
use crate::drivers::samples;
use crate::format::{COMMAND, Format, Kind, PAGE, Reader, Sign};
#[cfg(any(test, feature = "made"))]
use crate::made::{self, Inputs, Made, Sample};

/// A log of pgbench.
pub(super) const FORMAT: Format = Format {
    name: "pgbench-log",
    kind: "a log of pgbench",
    command: COMMAND,
    page: PAGE,
    shape: "Accepted are files of pgbench --log, with or without --aggregate-interval.",
    signs: &[Sign::Line(is_log)],
    reader: Reader::Driver(Kind::PgbenchLog),
    sql: None,
    #[cfg(any(test, feature = "made"))]
    inputs: Inputs {
        samples: &[Sample::text(samples::TRANSACTIONS), Sample::text(samples::INTERVALS)],
        made: &[Made { what: "transactions", make: |bytes| made::transactions(bytes / 32) }],
    },
};

/// True of a line whose numbers are where those of a transaction or an interval are.
fn is_log(line: &str) -> bool {
    let number = |nth: usize| line.split_whitespace().nth(nth).is_some_and(|word| word.parse::<u64>().is_ok());
    [0, 1, 3, 5].into_iter().all(number)
}

/// Reads the files of one run, line by line.
#[derive(Default)]
pub struct PgbenchLogs {
    content: Content,
    /// Lines of the file that is being read.
    lines: usize,
}

/// Kind of log; a run writes only one.
#[derive(Default)]
enum Content {
    #[default]
    Nothing,
    Transactions(Transactions),
    Aggregates(Aggregates),
}

const WHAT: &str = "log of pgbench";
const TRANSACTION: &str = "client, transaction, latency, script, seconds and microseconds of a transaction";
const AGGREGATE: &str = "start, transactions, sum, sum of squares, least and most latency of an interval";

/// Interval logs begin with seconds since 1970, transactions with the number of a client.
const MIN_EPOCH_S: u64 = 1_000_000_000;

impl PgbenchLogs {
    /// Reads a line of a file.
    pub fn line(&mut self, line: &str) -> Result<(), DriverError> {
        self.lines += 1;
        let words: Vec<&str> = line.split_whitespace().collect();
        let first = words.first().and_then(|word| word.parse::<u64>().ok());
        if let (Content::Nothing, Some(first)) = (&self.content, first) {
            self.content = match first < MIN_EPOCH_S {
                true => Content::Transactions(Transactions::default()),
                false => Content::Aggregates(Aggregates::default()),
            };
        }
        let (read, expected) = match &mut self.content {
            Content::Nothing => return Err(DriverError::Foreign(WHAT)),
            Content::Transactions(log) => (log.line(&words), TRANSACTION),
            Content::Aggregates(log) => (log.line(&words), AGGREGATE),
        };
        match read.ok_or_else(|| DriverError::malformed(self.lines, expected, line))? {
            LogLine::OfRun => Ok(()),
            LogLine::OfAnother { lines_ago } => {
                Err(DriverError::SecondRun { line: self.lines.saturating_sub(lines_ago) })
            }
        }
    }

    /// A file is over. pgbench ends every line, so one that lacks its end was cut off.
    pub fn end_of_file(&mut self, ended_its_line: bool) -> Result<(), DriverError> {
        let line = std::mem::take(&mut self.lines);
        if let Content::Aggregates(log) = &mut self.content
            && !log.end_of_file()
        {
            return Err(DriverError::SecondRun { line: 1 });
        }
        match ended_its_line {
            true => Ok(()),
            false => Err(DriverError::Truncated { line, expected: "the end of its last line" }),
        }
    }

    /// The report of all files.
    pub fn finish(self) -> Result<Report, DriverError> {
        let report = match self.content {
            Content::Nothing => None,
            Content::Transactions(log) => log.report(),
            Content::Aggregates(log) => log.report(),
        };
        report.ok_or(DriverError::Foreign(WHAT))
    }
}

#[cfg(test)]
#[path = "pgbench_log_tests.rs"]
mod tests;
