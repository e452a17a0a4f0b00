//! Following a load driver, line by line.

use super::error::DriverError;
use super::event::Event;
use super::figure::visible_text;
use super::reader::{LineReader, LineResult};
use super::report::Report;
use super::{Driver, gotpc, hammerdb, pgbench, sysbench};

/// Follows the output of a driver. Standard output and standard error may come in any order.
pub struct Follower {
    reader: Box<dyn LineReader + Send>,
    report: Report,
    lines: usize,
    known: bool,
    failed: bool,
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
        Follower { reader, report: Report::default(), lines: 0, known: false, failed: false }
    }

    /// Reads a line, and gives what it says of now, which is so many seconds after the driver began: for progress of which the
    /// driver does not say when it was. Lines of others are passed over. One of the driver's that is malformed is an error, and
    /// the next line is read all the same.
    pub fn line(&mut self, line: &str, now_s: Option<f64>) -> Result<Option<Event>, DriverError> {
        self.lines += 1;
        let said = self.reader.line(visible_text(line), &mut self.report);
        let said = said.map_err(|expected| DriverError::malformed(self.lines, expected, line))?;
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
        match self.reader.missing_line(&self.report) {
            _ if !self.known => Err(DriverError::Foreign(self.reader.description())),
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
        follower.line(line, None)?;
    }
    match follower.complete() {
        Err(DriverError::Truncated { .. }) if partial && !follower.report.is_empty() => {
            follower.report.figures_from_series();
        }
        complete => complete?,
    }
    Ok(follower.report)
}
