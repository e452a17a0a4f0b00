//! Facts that a report lacks.

use super::Calendar;

/// Facts that a report lacks, of all formats.
#[derive(Clone, Debug)]
pub struct ImportOptions {
    /// Calendar of dates and times without a zone.
    pub calendar: Calendar,
    /// True if the first report of each iostat is since boot, as it is without `-y`: it is left out.
    pub since_boot: bool,
    /// Start of the first interval (microseconds since 1970) and length of all (microseconds), for a report without times.
    pub untimed: Option<(i64, i64)>,
    /// Length of a period, seconds; `None`: read off the distances of timestamps.
    pub period_s: Option<i64>,
}

impl ImportOptions {
    /// The defaults of the SQL functions.
    pub fn new(calendar: Calendar) -> ImportOptions {
        ImportOptions { calendar, since_boot: true, untimed: None, period_s: None }
    }
}
