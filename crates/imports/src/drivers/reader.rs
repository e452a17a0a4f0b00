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
}

/// Reader of the lines of one driver.
pub(super) trait LineReader {
    /// Reads a line into the report; the error says what it should have been.
    fn line(&mut self, line: &str, report: &mut Report) -> Result<LineResult, &'static str>;
    /// Returns the part that a text that ends here lacks.
    fn missing_line(&self, report: &Report) -> Option<&'static str>;
    /// Returns the name of the expected output, for the error of a text without it.
    fn description(&self) -> &'static str;
}
