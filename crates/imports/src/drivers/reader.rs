//! Line by line reading of a load driver.

use super::event::Event;
use super::report::Report;

/// Result of reading one line of a driver's output.
#[derive(Debug, PartialEq)]
pub(super) enum LineResult {
    /// The line is not of this driver.
    Unrecognized,
    /// The line is of this driver, and has no event.
    Ignored,
    /// An event.
    Event(Event),
    /// Progress in another form than the one named: an intact summary does without it.
    Misread(&'static str),
}

/// Reason for which a line is refused.
#[derive(Debug, PartialEq)]
pub(super) enum LineError {
    /// The line belongs to the result and has another form than the one named.
    Malformed(&'static str),
    /// Another run begins so many lines before this one.
    SecondRun {
        /// 0 where it begins with the line itself.
        lines_ago: usize,
    },
}

impl From<&'static str> for LineError {
    fn from(expected: &'static str) -> LineError {
        LineError::Malformed(expected)
    }
}

/// Reader of the lines of one driver.
pub(super) trait LineReader {
    /// Reads a line into the report; the error says what it should have been, or that it is of another run.
    fn line(&mut self, line: &str, report: &mut Report) -> Result<LineResult, LineError>;
    /// Returns the part that a text that ends here lacks.
    fn missing_line(&self, report: &Report) -> Option<&'static str>;
    /// Returns the name of the expected output, for the error of a text without it.
    fn description(&self) -> &'static str;
}
