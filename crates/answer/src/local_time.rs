//! Times of a report in the reader's time zone.

use ebs_base::units::SECOND_US;
use ebs_report::UtcOffset;
use ebs_samples::evidence::Window;
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Times of a report in a time zone.
#[derive(Clone, Debug, Default)]
pub struct LocalTime {
    /// The window in words: `2026-11-21 10:41:00 to 10:42:00 UTC`.
    pub when: String,
    /// Offset of the zone at the beginning of the window. Where it changes within the window (daylight saving time), the report keeps this one,
    /// and names it.
    pub utc_offset: UtcOffset,
}

impl LocalTime {
    /// Times of a window in a zone; empty beyond the range of the calendar.
    pub fn new(window: &Window, zone: &TimeZone) -> LocalTime {
        let at = |us: i64| Timestamp::from_second(us.div_euclid(SECOND_US as i64)).ok();
        let Some((from, to)) = at(window.from_us).zip(at(window.to_us)) else { return LocalTime::default() };
        let (from, to) = (from.to_zoned(zone.clone()), to.to_zoned(zone.clone()));
        let pattern = if from.date() == to.date() { "%H:%M:%S %Z" } else { "%Y-%m-%d %H:%M:%S %Z" };
        LocalTime {
            when: format!("{} to {}", from.strftime("%Y-%m-%d %H:%M:%S"), to.strftime(pattern)),
            utc_offset: UtcOffset::from_seconds(from.offset().seconds()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_within_a_day_has_one_date() {
        let window = Window::new(1_795_257_660_999_999, 1_795_257_720_000_000);
        let local = |zone: &str, window: &Window| LocalTime::new(window, &TimeZone::get(zone).unwrap());
        assert_eq!(local("UTC", &window).when, "2026-11-21 10:41:00 to 10:42:00 UTC");
        let paris = local("Europe/Paris", &window);
        assert_eq!((paris.when.as_str(), paris.utc_offset.offset_s), ("2026-11-21 11:41:00 to 11:42:00 CET", 3_600));
        let days = Window::new(1_795_257_660_000_000, 1_795_344_060_000_000);
        assert_eq!(local("UTC", &days).when, "2026-11-21 10:41:00 to 2026-11-22 10:41:00 UTC");
    }
}
