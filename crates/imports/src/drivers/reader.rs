//! Line by line reading of a load driver.

use super::event::Event;
use super::report::Report;

/// Result of reading one line of a driver's output.
#[derive(Debug, PartialEq)]
pub(super) enum LineResult {
    /// Not a line of this driver.
    Unrecognized,
    /// One of its lines, without news.
    Ignored,
    /// An event.
    Event(Event),
}

/// Reader of the lines of one driver.
pub(super) trait LineReader {
    /// Reads a line into the report; the error says what it should have been.
    fn line(&mut self, line: &str, report: &mut Report) -> Result<LineResult, &'static str>;
    /// Returns what a text that ends here still lacks.
    fn missing_line(&self, report: &Report) -> Option<&'static str>;
    /// Returns what is looked for, for the error where nothing of it is there.
    fn description(&self) -> &'static str;
}
