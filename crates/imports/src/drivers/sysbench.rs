//! sysbench's intermediate reports and summary, OLTP and fileio, as of 1.0, and 0.5's summary: `sb_timer`'s and `report_*` lines of sysbench.c and
//! sb_fileio.c (<https://github.com/akopytov/sysbench/tree/1.0/src>).

use super::event::{Event, Progress, ReportedError};
use super::figure::{between, count, figure, leading};
use super::percentile::Percentile;
use super::reader::{LineError, LineReader, LineResult};
use super::report::Report;
#[cfg(any(test, feature = "made"))]
use crate::drivers::samples;
use crate::format::{COMMAND, Driver, Format, Kind, PAGE, Reader, Sign};
#[cfg(any(test, feature = "made"))]
use crate::made::{Inputs, Made, Sample};

/// Output of sysbench.
pub(super) const FORMAT: Format = Format {
    name: "sysbench",
    kind: "output of sysbench",
    command: COMMAND,
    page: PAGE,
    shape: "Accepted is what sysbench prints, of OLTP or fileio.",
    signs: &[Sign::Line(|line| {
        ["sysbench ", "SQL statistics:", "File operations:", "Threads started!"]
            .iter()
            .any(|sign| line.starts_with(sign))
            || (line.starts_with("[ ") && line.contains("s ] "))
    })],
    reader: Reader::Driver(Kind::Output(Driver::Sysbench)),
    sql: None,
    #[cfg(any(test, feature = "made"))]
    inputs: Inputs {
        samples: &[Sample::text(samples::SYSBENCH), Sample::text(samples::SYSBENCH_FILEIO)],
        made: &[Made {
            what: "progress",
            make: |bytes| {
                "[ 5s ] thds: 4 tps: 702.00 qps: 14053.04 (r/w/o: 9839.23/2808.41/1405.40) lat (ms,95%): 11.65 err/s: 0.20 reconn/s: 0.00\n".repeat(bytes / 118)
            },
        }],
    },
};

/// Reads sysbench's lines.
#[derive(Default)]
pub(super) struct Sysbench {
    section: Section,
    /// True from the beginning of a run to its summary.
    loading: bool,
    /// True once a run began; its load; the summary that is its result, not one of --report-checkpoints.
    configured: bool,
    started: bool,
    summarised: bool,
    /// True where the next summary is of a checkpoint: it covers a part of the run.
    at_checkpoint: bool,
    /// Lines since the name of the program, which may begin a run or other commands.
    since_banner: Option<usize>,
    /// Time of the last progress.
    last_s: f64,
    /// True of a run without a single event.
    empty: bool,
    /// True of 1.1's summary of fileio, which ends with the sum of its latencies; true once that was read.
    ends_with_sum: bool,
    summed: bool,
}

/// Section of the summary, in its order: the same words come in several.
#[derive(Clone, Copy, Default, PartialEq, PartialOrd)]
enum Section {
    #[default]
    None,
    Statistics,
    General,
    Latency,
    Other,
}

/// Beginnings of the output of `sysbench cpu` and `sysbench memory`, whose latencies are of no database.
const OTHER_TESTS: [&str; 3] = ["Prime numbers limit: ", "CPU speed:", "Running memory speed test"];

/// Most lines from the name of the program to the first of a run.
const BANNER_LINES: usize = 3;

impl LineReader for Sysbench {
    fn line(&mut self, line: &str, report: &mut Report) -> Result<LineResult, LineError> {
        self.since_banner = self.since_banner.map(|lines| lines + 1);
        if line.starts_with("[ ") && (line.contains(" tps: ") || line.contains(" reads: ")) {
            let Some(progress) = progress(line) else { return Ok(LineResult::Misread("[ …s ] thds: … tps: …")) };
            let at_s = progress.elapsed_s.unwrap_or_default();
            if self.summarised || (at_s > 0.0 && at_s <= self.last_s) {
                return Err(LineError::SecondRun { lines_ago: 0 });
            }
            self.last_s = at_s;
            return Ok(LineResult::Event(Event::Progress(progress)));
        }
        if let Some(rest) = line.strip_prefix("sysbench ") {
            let version = rest.split([' ', ':']).next().unwrap_or_default();
            if version.starts_with(|c: char| c.is_ascii_digit()) {
                self.since_banner = Some(0);
                report.version = Some(version.to_owned());
                return Ok(LineResult::Ignored);
            }
        }
        if line == "Running the test with following options:" {
            let lines_ago = self.since_banner.filter(|lines| *lines <= BANNER_LINES).unwrap_or(0);
            self.begin_once(|reader| &mut reader.configured, lines_ago)?;
            return Ok(LineResult::Ignored);
        }
        if OTHER_TESTS.iter().any(|test| line.starts_with(test)) {
            return Err("the test of a database or of files".into());
        }
        if let Some(threads) = line.strip_prefix("Number of threads: ") {
            report.figures.clients = Some(count(threads).ok_or("a number of threads")?);
            return Ok(LineResult::Ignored);
        }
        if line == "Threads started!" {
            self.begin_once(|reader| &mut reader.started, 0)?;
            self.loading = true;
            return Ok(LineResult::Event(Event::LoadBegins));
        }
        if line.ends_with("Checkpoint report:") {
            self.at_checkpoint = true;
            return Ok(LineResult::Ignored);
        }
        if let Some(message) = line.strip_prefix("FATAL: ") {
            return Ok(LineResult::Event(Event::Failed(ReportedError { user: None, message: message.to_owned() })));
        }
        self.summary(line, report)
    }

    fn missing_line(&self, report: &Report) -> Option<&'static str> {
        let is_last = match self.ends_with_sum {
            true => self.summed,
            false => report.figures.seconds.is_some() && self.section == Section::Other,
        };
        let done = is_last && self.summarised;
        (!done).then_some("sysbench's summary, from General statistics to Threads fairness")
    }

    fn description(&self) -> &'static str {
        "output of sysbench"
    }
}

/// `[ 5s ] thds: 4 tps: 702.00 qps: … lat (ms,95%): 11.65 err/s: 0.20 reconn/s: 0.00`; fileio has no transactions, and
/// `sysbench.report_default` of a script leaves out the colon of `err/s`. A figure in another form is not known; a line needs a time
/// alone.
fn progress(line: &str) -> Option<Progress> {
    let (at, rest) = line.strip_prefix("[ ")?.split_once("s ] ")?;
    let elapsed_s = Some(figure(at)?);
    let tps = between(rest, " tps: ", " ");
    let failed = between(rest, " err/s: ", " ").or_else(|| between(rest, " err/s ", " "));
    // Of no event there is no latency.
    let percentile = percentile(rest).filter(|_| tps != Some(0.0));
    Some(Progress { elapsed_s, tps, percentile, failed, ..Progress::default() })
}

/// `lat (ms,95%): 11.65`: the percentile of --percentile, which is never a mean; 0 switches it off.
fn percentile(rest: &str) -> Option<Percentile> {
    let (percent, rest) = rest.split_once("(ms,")?.1.split_once("%): ")?;
    let ms = figure(rest.split(' ').next()?)?;
    Some(Percentile { percent: figure(percent).filter(|percent| (1.0..=100.0).contains(percent))?, ms })
}

impl Sysbench {
    /// Notes a line that comes once a run; another one is of a second run, which began so many lines before.
    fn begin_once(&mut self, begun: fn(&mut Sysbench) -> &mut bool, lines_ago: usize) -> Result<(), LineError> {
        if std::mem::replace(begun(self), true) || self.summarised {
            return Err(LineError::SecondRun { lines_ago });
        }
        Ok(())
    }

    fn summary(&mut self, line: &str, report: &mut Report) -> Result<LineResult, LineError> {
        let section = match line.trim_start() {
            "SQL statistics:" | "OLTP test statistics:" | "File operations:" => Section::Statistics,
            // 1.1 has the time there.
            "General statistics:" | "Throughput:" => Section::General,
            "Latency (ms):" | "response time:" => Section::Latency,
            "Threads fairness:" => Section::Other,
            _ if self.at_checkpoint => return Ok(LineResult::Unrecognized),
            _ => return Ok(self.within(line.trim_start(), report)?),
        };
        if self.at_checkpoint {
            // The last section ends the summary of a checkpoint.
            self.at_checkpoint = section != Section::Other;
            return Ok(LineResult::Ignored);
        }
        if section < self.section || (section, self.section) == (Section::Statistics, Section::Statistics) {
            return Err(LineError::SecondRun { lines_ago: 0 });
        }
        (self.section, self.summarised) = (section, true);
        Ok(match std::mem::take(&mut self.loading) {
            true => LineResult::Event(Event::MeasuringEnds),
            false => LineResult::Ignored,
        })
    }

    fn within(&mut self, line: &str, report: &mut Report) -> Result<LineResult, &'static str> {
        let figures = &mut report.figures;
        let Some((key, text)) = line.split_once(':') else { return Ok(LineResult::Unrecognized) };
        let value = || leading(text).map(|(value, _)| value);
        match (self.section, key) {
            (Section::None | Section::Other, _) => return Ok(LineResult::Unrecognized),
            (Section::Statistics, "transactions") => {
                let (total, rate) = text.trim().split_once(' ').ok_or("transactions: … (… per sec.)")?;
                figures.transactions = Some(count(total).ok_or("a number of transactions")?);
                figures.tps = Some(between(rate, "(", " per sec").ok_or("transactions: … (… per sec.)")?);
            }
            (Section::Statistics, "ignored errors") => {
                let errors = text.split_whitespace().next().unwrap_or_default();
                figures.failed = Some(count(errors).ok_or("a number of ignored errors")?);
            }
            (Section::General, "total time" | "time elapsed") => {
                figures.seconds = Some(value().ok_or("total time: …s")?)
            }
            (Section::General, "read") if text.contains("IOPS=") => self.ends_with_sum = true,
            (Section::Latency, "sum") => self.summed = true,
            (Section::General, "total number of events") => self.empty = count(text) == Some(0),
            // Of no event all of them are 0.
            (Section::Latency, _) if self.empty => {}
            (Section::Latency, "avg") => figures.latency_ms = Some(value().ok_or("avg: …")?),
            (Section::Latency, "max") => figures.latency_max_ms = Some(value().ok_or("max: …")?),
            (Section::Latency, _) if key.ends_with(" percentile") => {
                let percent = leading(key.trim_start_matches("approx.")).ok_or("a percentile")?.0;
                // 0 where none was asked for (--percentile=0).
                let ms = value().ok_or("a latency")?;
                figures.percentiles.extend((percent > 0.0).then_some(Percentile { percent, ms }));
            }
            _ => {}
        }
        Ok(LineResult::Ignored)
    }
}

#[cfg(test)]
#[path = "sysbench_tests.rs"]
mod tests;
