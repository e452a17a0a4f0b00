//! The time whose samples are asked for.

use ebs_base::format::plain;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
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

/// End of the time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndTime {
    /// The time.
    pub at: Timestamp,
    /// The time as it is written: the same command continues an interrupted run, whenever it is given.
    pub text: String,
}

/// Longest time back from now that a duration names.
const MAX_AGE: SignedDuration = SignedDuration::from_hours(3_650 * 24);

/// Parses a time: RFC 3339, a date or a time without a zone (of UTC; a date is its beginning), seconds since 1970, or a duration, which is
/// so long ago.
pub fn parse_time(text: &str) -> Result<EndTime, String> {
    parse_time_at(text, Timestamp::now()).map(|at| EndTime { at, text: text.to_owned() })
}

fn parse_time_at(text: &str, now: Timestamp) -> Result<Timestamp, String> {
    let utc = |time: DateTime| time.to_zoned(TimeZone::UTC).ok().map(|time| time.timestamp());
    let by_zone = || text.parse::<Timestamp>().ok();
    // A zone's name beside a time without an offset would be left out.
    let by_time = || utc(text.parse::<DateTime>().ok().filter(|_| !text.contains('['))?);
    let by_seconds = || Timestamp::from_second(text.parse::<i64>().ok().filter(|seconds| *seconds > 0)?).ok();
    // Digits alone are seconds: 20261128 would be the year 1970, or a date without dashes.
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let known = match (is_number, text.len()) {
        (true, 9..=11) => by_seconds(),
        (true, _) => None,
        (false, _) => by_zone().or_else(by_time),
    };
    let ago = || {
        let span = duration::parse(text, SignedDuration::ZERO..=MAX_AGE, "", "").ok().filter(|_| !is_number)?;
        now.checked_sub(span).ok()
    };
    known.or_else(ago).ok_or_else(|| {
        format!(
            "\"{}\" is no time; for example 2026-11-26T12:00:00Z, 2026-11-26 (its beginning in UTC), 1795694400 (seconds since 1970), 36h (ago)",
            plain(text)
        )
    })
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
    fn a_zone_is_not_left_out() {
        assert!(parse_time("2026-11-28T00:00[Europe/Berlin]").unwrap_err().contains("is no time"));
        let known = parse_time("2026-11-28T00:00+01:00[Europe/Berlin]").unwrap();
        assert_eq!(known.at.to_string(), "2026-11-27T23:00:00Z");
    }

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
        let until = parse_time("2026-11-26T12:00:00Z").unwrap().at;
        let to_ms = 1_795_694_400_000;
        assert_eq!(range(SignedDuration::from_hours(1), until), TimeRange { from_ms: to_ms - 3_600_000, to_ms });
        assert!(parse_time("yesterday").unwrap_err().contains("for example"));
    }

    /// 2026-11-28 is day 20,785 since 1970.
    #[test]
    fn times_are_those_that_people_write() {
        let day = 20_785 * 86_400;
        let now = Timestamp::from_second(day + 7_200).unwrap();
        let seconds = |text| parse_time_at(text, now).map(Timestamp::as_second);
        for (text, expected) in [
            ("2026-11-28", day),
            ("2026-11-28T01:30:00+01:00", day + 1_800),
            ("2026-11-28 00:30:00Z", day + 1_800),
            ("2026-11-28T00:30", day + 1_800),
            ("2026-11-28 00:30:00", day + 1_800),
            ("1795824000", day),
            ("90m", day + 1_800),
            ("1d", day + 7_200 - 86_400),
        ] {
            assert_eq!(seconds(text), Ok(expected), "{text}");
        }
        for text in ["", "2026-11-31", "28.11.2026", "20261128", "1795824000000", "14", "-1h", "1 month", "now"] {
            assert!(seconds(text).is_err(), "{text} {:?}", seconds(text));
        }
    }
}
