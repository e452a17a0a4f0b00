//! Following a load driver, line by line.

use super::error::DriverError;
use super::event::Event;
use super::reader::{LineError, LineReader, LineResult};
use super::report::{Figures, Report};
use super::{Driver, gotpc, hammerdb, pgbench, sysbench};
use crate::format::visible_text;

/// Follows the output of a driver. Standard output and standard error may come in any order.
pub struct Follower {
    reader: Box<dyn LineReader + Send>,
    report: Report,
    lines: usize,
    known: bool,
    failed: bool,
    /// The first progress that could not be read.
    misread: Option<DriverError>,
    /// The beginning of another run: nothing is read from there on.
    second_run: Option<DriverError>,
}

impl Follower {
    /// Returns a follower of a driver that begins now.
    pub fn new(driver: Driver) -> Follower {
        let reader: Box<dyn LineReader + Send> = match driver {
            Driver::Pgbench => Box::<pgbench::Pgbench>::default(),
            Driver::Hammerdb => Box::<hammerdb::Hammerdb>::default(),
            Driver::Sysbench => Box::<sysbench::Sysbench>::default(),
            Driver::Gotpc => Box::<gotpc::Gotpc>::default(),
        };
        Follower {
            reader,
            report: Report::default(),
            lines: 0,
            known: false,
            failed: false,
            misread: None,
            second_run: None,
        }
    }

    /// Reads a line, and gives what it says of now, which is so many seconds after the driver began: for progress of which the
    /// driver does not say when it was. Lines of others are passed over. One of the driver's that is malformed is an error, and
    /// the next line is read all the same; from the beginning of a second run on nothing is read.
    pub fn line(&mut self, line: &str, now_s: Option<f64>) -> Result<Option<Event>, DriverError> {
        self.lines += 1;
        if self.second_run.is_some() {
            return Ok(None);
        }
        let said = match self.reader.line(visible_text(line), &mut self.report) {
            Ok(LineResult::Misread(expected)) => {
                self.known = true;
                let error = DriverError::malformed(self.lines, expected, line);
                return Err(self.misread.get_or_insert(error).clone());
            }
            Ok(said) => said,
            Err(LineError::Malformed(expected)) => return Err(DriverError::malformed(self.lines, expected, line)),
            Err(LineError::SecondRun { lines_ago }) => return Err(self.end_at(self.lines.saturating_sub(lines_ago))),
        };
        self.known |= said != LineResult::Unrecognized;
        let LineResult::Event(mut event) = said else { return Ok(None) };
        match &mut event {
            Event::Progress(progress) => {
                progress.elapsed_s = progress.elapsed_s.or(now_s.filter(|_| progress.epoch_s.is_none()));
                self.report.series.push(*progress);
            }
            Event::Failed(failure) => {
                self.failed |= self.reader.missing_line(&self.report).is_some();
                self.report.failures.push(failure.clone());
            }
            _ => {}
        }
        Ok(Some(event))
    }

    /// Ends reading where a second run begins. The figures of the first are no result of both.
    fn end_at(&mut self, line: usize) -> DriverError {
        self.report.figures = Figures::default();
        self.second_run.insert(DriverError::SecondRun { line }).clone()
    }

    /// The report so far.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// True if something failed before the result was complete.
    pub fn failed(&self) -> bool {
        self.failed
    }

    /// Refuses an output that ends here before its result is complete.
    pub fn complete(&self) -> Result<(), DriverError> {
        if let Some(second_run) = &self.second_run {
            return Err(second_run.clone());
        }
        match self.reader.missing_line(&self.report) {
            _ if !self.known => Err(DriverError::Foreign(self.reader.description())),
            Some(_) if self.report.figures.transactions == Some(0) => Err(DriverError::NoTransactions),
            Some(_) if self.misread.is_some() => self.misread.clone().map_or(Ok(()), Err),
            Some(expected) => Err(DriverError::Truncated { line: self.lines, expected }),
            None => Ok(()),
        }
    }

    /// The report, whole or not.
    pub fn into_report(self) -> Report {
        self.report
    }
}

/// The report of a whole text. Where `partial`, what lacks its end is taken as far as it goes, its rate from the progress.
pub fn read(driver: Driver, text: &str, partial: bool) -> Result<Report, DriverError> {
    let mut follower = Follower::new(driver);
    for line in text.lines() {
        match follower.line(line, None) {
            // Whether it is needed is known at the end.
            Err(error) if follower.misread.as_ref() != Some(&error) => return Err(error),
            _ => {}
        }
    }
    match follower.complete() {
        Err(DriverError::Truncated { .. }) if partial && !follower.report.is_empty() => {
            follower.report.figures_from_series();
        }
        complete => complete?,
    }
    Ok(follower.report)
}
