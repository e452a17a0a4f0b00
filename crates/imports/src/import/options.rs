//! Facts that a report lacks.

use super::{Calendar, ImportError};
use ebs_base::units::SECOND_US;

/// Longest interval between two reports, seconds: a year.
const MAX_INTERVAL_S: f64 = 366.0 * 86_400.0;

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

    /// The same with the length of an interval and the start of the first, microseconds since 1970, for a report without times.
    pub fn with_times(self, began_us: i64, interval_s: f64) -> Result<ImportOptions, ImportError> {
        if !(0.001..=MAX_INTERVAL_S).contains(&interval_s) {
            return Err(ImportError::Argument(format!("interval_s must be between 0.001 and {MAX_INTERVAL_S}")));
        }
        Ok(ImportOptions { untimed: Some((began_us, (interval_s * SECOND_US as f64).round() as i64)), ..self })
    }
}
