//! go-tpc's intervals and summary: `[Current] NEW_ORDER - Takes(s): 10.0, Count: 2212, TPM: 13274.9, …`, and at the end
//! `tpmC: 15215.2, tpmTotal: 33905.4, efficiency: …`. Up to 1.0.8 there is no `tpmTotal`: it is the sum of the rates of all kinds of
//! transactions, without those that failed, and unknown where the row of one is missing or broken.

use super::row::{Row, Table};
use crate::drivers::event::{Event, Progress};
use crate::drivers::percentile::Percentile;
use crate::drivers::reader::{LineError, LineReader, LineResult};
use crate::drivers::report::Report;
#[cfg(any(test, feature = "made"))]
use crate::drivers::samples;
use crate::format::{COMMAND, Driver, Format, Kind, PAGE, Reader, Sign};
#[cfg(any(test, feature = "made"))]
use crate::made::{Inputs, Made, Sample};

/// Output of go-tpc.
pub(in crate::drivers) const FORMAT: Format = Format {
    name: "go-tpc",
    kind: "output of go-tpc",
    command: COMMAND,
    page: PAGE,
    shape: "Accepted is what go-tpc prints of TPC-C.",
    signs: &[Sign::Line(|line| {
        ["[Current] ", "[Summary] ", "tpmC: ", "[{\"50th(ms)\":"].iter().any(|sign| line.starts_with(sign))
            || (line.starts_with('|') && line.contains(" PREFIX ") && line.contains(" OPERATION "))
    })],
    reader: Reader::Driver(Kind::Output(Driver::Gotpc)),
    sql: None,
    #[cfg(any(test, feature = "made"))]
    inputs: Inputs {
        samples: &[Sample::text(samples::GOTPC), Sample::text(samples::GOTPC_JSON), Sample::text(samples::GOTPC_TABLE)],
        made: &[Made {
            what: "percentiles",
            make: |bytes| {
                "[Summary] NEW_ORDER - Takes(s): 1, Avg(ms): 1, ".to_owned() + &"99th(ms): 1, ".repeat(bytes / 13)
            },
        }],
    },
};

/// Reads go-tpc's lines.
#[derive(Default)]
pub(in crate::drivers) struct Gotpc {
    elapsed_s: f64,
    /// Header of the table that is being read (`--output table`).
    table: Table,
    /// True once load was shown; once it was summed up; once the result was read.
    loaded: bool,
    summarised: bool,
    complete: bool,
    /// True of TPC-H, which is not read.
    is_tpch: bool,
    /// Transactions a minute of each of [`KINDS`] that was summed up.
    tpm: [Option<f64>; 5],
    /// Lines since go-tpc began again behind load: a check or a cleanup, if not another run.
    since_beginning: Option<usize>,
}

/// The kinds of transactions of TPC-C.
const KINDS: [&str; 5] = ["NEW_ORDER", "PAYMENT", "ORDER_STATUS", "DELIVERY", "STOCK_LEVEL"];

const RESULT: &str = "tpmC: …, tpmTotal: …";
const CURRENT: &str = "[Current] NEW_ORDER - Takes(s): …, Count: …, TPM: …";
const SUMMARY: &str = "[Summary] NEW_ORDER - Takes(s): …, Count: …, TPM: …, Avg(ms): …";

impl LineReader for Gotpc {
    fn line(&mut self, line: &str, report: &mut Report) -> Result<LineResult, LineError> {
        self.since_beginning = self.since_beginning.map(|lines| lines + 1);
        if line.contains("maxprocs: ") {
            self.since_beginning = self.since_beginning.or(self.loaded.then_some(0));
            return Ok(LineResult::Ignored);
        }
        if line.starts_with("[Current] Q") || line.starts_with("[Summary] Q") {
            self.is_tpch = true;
        }
        let rows = match line.as_bytes().first() {
            Some(b'|') => self.table.row(line).into_iter().collect(),
            Some(b'[') if line.starts_with("[{") => Row::from_json(line),
            _ => Row::from_plain(line).into_iter().collect(),
        };
        // Lines of a table that are none of its rows begin with + or |.
        let mut result = if line.starts_with("[Current] ") || line.starts_with("[Summary] ") || line.starts_with("+--")
        {
            LineResult::Ignored
        } else {
            LineResult::Unrecognized
        };
        for row in rows {
            match self.row(&row, report)? {
                LineResult::Ignored if result != LineResult::Unrecognized => {}
                read => result = read,
            }
        }
        Ok(result)
    }

    fn missing_line(&self, report: &Report) -> Option<&'static str> {
        match report.figures.nopm {
            Some(_) if self.complete => None,
            None if self.is_tpch => Some("a result of TPC-C: TPC-H of go-tpc is not read"),
            _ => Some("the line tpmC: … of go-tpc's summary"),
        }
    }

    fn description(&self) -> &'static str {
        "output of go-tpc"
    }
}

impl Gotpc {
    fn row(&mut self, row: &Row, report: &mut Report) -> Result<LineResult, LineError> {
        if row.text("tpmC").is_some() {
            self.one_run(self.complete)?;
            (self.loaded, self.complete) = (true, true);
            let (nopm, total) = (row.number("tpmC").ok_or(RESULT)?, row.text("tpmTotal"));
            let total = total.map(|_| row.number("tpmTotal").ok_or(RESULT)).transpose()?;
            (report.figures.nopm, report.figures.tpm) = (Some(nopm), total.or(self.sum()));
            return Ok(LineResult::Ignored);
        }
        // Keying and thinking (--wait) have their own rows, with nothing but a mean.
        let (Some(prefix), Some(operation), Some(_)) =
            (row.text("Prefix"), row.text("Operation"), row.text("Takes(s)"))
        else {
            return Ok(LineResult::Ignored);
        };
        match prefix.trim() {
            "[Current]" => {
                self.one_run(self.summarised)?;
                self.loaded = true;
                // Its new orders stand for all: a line for each kind of transaction would be five a moment.
                if operation != "NEW_ORDER" {
                    return Ok(LineResult::Ignored);
                }
                let progress = self.progress(row);
                Ok(progress
                    .map_or(LineResult::Misread(CURRENT), |progress| LineResult::Event(Event::Progress(progress))))
            }
            "[Summary]" => {
                self.one_run(self.complete || (operation == "NEW_ORDER" && report.figures.seconds.is_some()))?;
                (self.loaded, self.summarised) = (true, true);
                let rate =
                    KINDS.iter().zip(&mut self.tpm).find_map(|(kind, rate)| (operation == *kind).then_some(rate));
                if let Some(rate) = rate {
                    // A row that ends with its rate may have lost digits of it.
                    *rate = row.number("TPM").filter(|_| row.number("Avg(ms)").is_some());
                }
                if operation != "NEW_ORDER" {
                    return Ok(LineResult::Ignored);
                }
                figures(row, report).ok_or(SUMMARY)?;
                Ok(LineResult::Event(Event::MeasuringEnds))
            }
            _ => Ok(LineResult::Unrecognized),
        }
    }

    /// Refuses a row behind the end of the run, or behind another beginning.
    fn one_run(&self, has_ended: bool) -> Result<(), LineError> {
        match self.since_beginning {
            Some(lines_ago) => Err(LineError::SecondRun { lines_ago }),
            None if has_ended => Err(LineError::SecondRun { lines_ago: 0 }),
            None => Ok(()),
        }
    }

    /// Transactions a minute of all kinds.
    fn sum(&self) -> Option<f64> {
        let sum: Option<f64> = self.tpm.iter().copied().sum();
        // Each has one decimal.
        sum.map(|sum| (10.0 * sum).round() / 10.0)
    }

    /// Figures of the last interval alone.
    fn progress(&mut self, row: &Row) -> Option<Progress> {
        self.elapsed_s += row.number("Takes(s)")?;
        let nopm = row.number("TPM")?;
        let latency_ms = row.number("Avg(ms)");
        Some(Progress { elapsed_s: Some(self.elapsed_s), nopm: Some(nopm), latency_ms, ..Progress::default() })
    }
}

/// Seconds and latencies of new orders.
fn figures(row: &Row, report: &mut Report) -> Option<()> {
    report.figures.seconds = Some(row.number("Takes(s)")?);
    report.figures.nopm = row.number("TPM");
    report.figures.latency_ms = Some(row.number("Avg(ms)")?);
    report.figures.percentiles =
        row.percentiles()?.into_iter().map(|(percent, ms)| Percentile { percent, ms }).collect();
    Some(())
}

#[cfg(test)]
#[path = "output_tests.rs"]
mod tests;
