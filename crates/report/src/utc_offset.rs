//! Local time of axes and charts.

use jiff::Timestamp;
use jiff::tz::{Offset, TimeZone};

/// Offset from UTC of the times that axes and charts show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UtcOffset {
    /// Seconds east of UTC.
    pub offset_s: i32,
    /// `UTC`, `UTC+01:00`.
    pub name: String,
}

impl UtcOffset {
    /// Returns the offset of so many seconds east of UTC.
    pub fn from_seconds(offset_s: i32) -> UtcOffset {
        let (minutes, sign) = (offset_s.abs() / 60, if offset_s < 0 { '-' } else { '+' });
        let name = match offset_s {
            0 => "UTC".to_owned(),
            _ => format!("UTC{sign}{:02}:{:02}", minutes / 60, minutes % 60),
        };
        UtcOffset { offset_s, name }
    }

    /// Formats a time as `07:52:24`, or with its date where `days` is true.
    pub fn label(&self, at_us: i64, days: bool) -> String {
        self.format(at_us.div_euclid(1_000_000), if days { "%m-%d %H:%M" } else { "%H:%M:%S" })
    }

    /// Formats seconds since 1970 by a strftime pattern; empty beyond the range of the calendar.
    pub(crate) fn format(&self, at_s: i64, pattern: &str) -> String {
        let zone = Offset::from_seconds(self.offset_s).map_or(TimeZone::UTC, TimeZone::fixed);
        Timestamp::from_second(at_s)
            .map_or_else(|_| String::new(), |at| at.to_zoned(zone).strftime(pattern).to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_have_a_sign_hours_and_minutes() {
        let names = [3_540, 0, -16_200].map(|offset_s| UtcOffset::from_seconds(offset_s).name);
        assert_eq!(names, ["UTC+00:59", "UTC", "UTC-04:30"]);
    }

    #[test]
    fn a_time_beyond_the_calendar_has_no_text() {
        assert_eq!(UtcOffset::from_seconds(3_600).label(0, false), "01:00:00");
        assert_eq!(UtcOffset::from_seconds(-3_600).label(0, true), "12-31 23:00");
        assert_eq!(UtcOffset::default().label(i64::MAX, false), "");
    }
}
