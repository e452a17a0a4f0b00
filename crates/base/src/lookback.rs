//! Look-back: a period that ends now.

use std::fmt::{self, Display, Formatter};

/// Length of a look-back, at most ten years.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookback {
    us: i64,
}

impl Lookback {
    /// The look-back where none is given: 14 days.
    pub const DEFAULT: Lookback = Lookback { us: 14 * 86_400 * 1_000_000 };

    /// The longest look-back: ten years.
    const MAX_US: i128 = 3_660 * 86_400 * 1_000_000;

    /// A look-back of this length, microseconds; `None` where it is not above 0 and at most ten years.
    pub fn from_us(us: i128) -> Option<Lookback> {
        let us = i64::try_from(us).ok().filter(|us| *us > 0 && i128::from(*us) <= Lookback::MAX_US)?;
        Some(Lookback { us })
    }

    /// Its length, microseconds.
    pub fn us(self) -> i64 {
        self.us
    }

    /// Number and unit, in the largest unit of which it is a multiple; below a minute in seconds.
    fn count_and_unit(self) -> (i64, &'static str) {
        match self.us / 60_000_000 {
            minutes if minutes > 0 && minutes % 1_440 == 0 => (minutes / 1_440, "day"),
            minutes if minutes > 0 && minutes % 60 == 0 => (minutes / 60, "hour"),
            0 => (self.us / 1_000_000, "second"),
            minutes => (minutes, "minute"),
        }
    }

    /// Formats the length as an interval of SQL: `14 days`, `1 day`.
    pub fn to_interval(self) -> String {
        match self.count_and_unit() {
            (1, unit) => format!("1 {unit}"),
            (count, unit) => format!("{count} {unit}s"),
        }
    }
}

/// Formats the look-back for users: `the last 14 days`, `the last day`.
impl Display for Lookback {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self.count_and_unit() {
            (1, unit) => write!(formatter, "the last {unit}"),
            (count, unit) => write!(formatter, "the last {count} {unit}s"),
        }
    }
}

#[cfg(test)]
#[path = "lookback_tests.rs"]
mod tests;
