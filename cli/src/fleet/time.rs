//! The time whose samples are asked for.

use ebs_base::format::plain;
use jiff::{SignedDuration, Timestamp};

use super::transport::TimeRange;
use crate::duration;

/// Longest time: what engines keep is rarely more, and growth over a year is not seasonal twice.
const MAX_DURATION: SignedDuration = SignedDuration::from_hours(400 * 24);

/// Shortest time: two samples of a scrape interval of a minute.
const MIN_DURATION: SignedDuration = SignedDuration::from_secs(120);

/// Parses a duration such as `14d`, `36h` or `90m`.
pub fn parse_duration(text: &str) -> Result<SignedDuration, String> {
    duration::parse(text, MIN_DURATION..=MAX_DURATION, "14d, 36h, 90m", "2 minutes and 400 days")
}

/// Parses a time such as `2026-11-26T12:00:00Z`.
pub fn parse_time(text: &str) -> Result<Timestamp, String> {
    text.parse().map_err(|_| format!("\"{}\" is no time; for example 2026-11-26T12:00:00Z", plain(text)))
}

/// The time of this length that ends at `until`.
pub fn range(since: SignedDuration, until: Timestamp) -> TimeRange {
    let to_ms = until.as_millisecond();
    TimeRange { from_ms: to_ms.saturating_sub(i64::try_from(since.as_millis()).unwrap_or(i64::MAX)), to_ms }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_those_that_people_write() {
        let hours = |text| parse_duration(text).map(|duration| duration.as_hours());
        assert_eq!([hours("14d"), hours("36h"), hours("180m"), hours("2w")], [336, 36, 3, 336].map(Ok));
        assert_eq!(parse_duration("14").unwrap_err(), "\"14\" has no unit; for example 14d, 36h, 90m");
        assert_eq!(parse_duration("soon").unwrap_err(), "\"soon\" is no duration; for example 14d, 36h, 90m");
        for text in ["1 month", "401d", "60s", "-14d", "0s"] {
            assert_eq!(parse_duration(text).unwrap_err(), "it must be between 2 minutes and 400 days", "{text}");
        }
    }

    #[test]
    fn the_time_ends_where_it_is_said() {
        let until = parse_time("2026-11-26T12:00:00Z").unwrap();
        let to_ms = 1_795_694_400_000;
        assert_eq!(range(SignedDuration::from_hours(1), until), TimeRange { from_ms: to_ms - 3_600_000, to_ms });
        assert!(parse_time("yesterday").unwrap_err().contains("for example"));
    }
}
