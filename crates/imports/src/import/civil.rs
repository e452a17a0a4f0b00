//! Civil dates and times as locales print them, and the time zone that makes instants of them.
//!
//! Shapes seen (glibc's `%x %X`): `11/21/26 17:19:21` (POSIX), `11/21/2026 05:19:21 PM` (en_US), `21/11/2026 17:19:21`
//! (fr_FR), `21.11.2026 17:19:21` (de_DE), `2026年11月21日 17時19分21秒` (ja_JP; zh_CN writes 时), `2026년 11월 21일 17시 19분 21초`
//! (ko_KR), `21/11/26 05:19:21 PM IST` (en_IN); ISO with and without an offset.
//!
//! Numbers are read before their order is known, because one date of a report decides the order of day and month for all.
//! A table of patterns for jiff's strptime would need each shape once per order; strptime also refuses `p.m.` and reads the
//! year 99 as 1999.

use jiff::Timestamp;
use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;

use super::ImportError;
use ebs_base::input::is_short;
use ebs_base::names::quoted;
use ebs_base::units::SECOND_US;

/// Longest time zone, characters: names have 32 at most, and POSIX strings with rules some 50.
const MAX_ZONE: usize = 64;

/// Numbers of a date, in the order in which they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Day {
    numbers: [u16; 3],
    /// True if the first of them is a year.
    year_first: bool,
    /// True if full stops or hyphens stand between them, which only countries use that write the day or the year first.
    stops: bool,
}

/// A point in time as it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stamp {
    /// A time with its offset, or since 1970: microseconds since 1970.
    Absolute(i64),
    /// A time by a clock of unknown zone. Abbreviations of zones are shared by several.
    Civil(Day, Time),
    /// A time by a clock that is ahead of UTC by so many seconds.
    Offset(Day, Time, i32),
}

/// Time zone and order of day and month by which civil times are read.
#[derive(Clone, Debug)]
pub struct Calendar {
    zone: TimeZone,
    /// True if 11/12/26 is in December, where nothing else in the report shows it.
    day_first: bool,
}

impl Calendar {
    /// `time_zone` is a name of the tz database or a POSIX string; `day_first` says which of 11/12/26 is the day.
    pub fn new(time_zone: &str, day_first: bool) -> Result<Calendar, ImportError> {
        if !is_short(time_zone, MAX_ZONE) {
            return Err(ImportError::TimeZone(quoted(time_zone)));
        }
        let zone = TimeZone::get(time_zone).or_else(|_| TimeZone::posix(time_zone));
        let zone = zone.map_err(|_| ImportError::TimeZone(time_zone.to_owned()))?;
        Ok(Calendar { zone, day_first })
    }

    /// Microseconds since 1970 of a time, to the minute or the day too; `None` of another text, and of a time that does not exist.
    pub fn read(&self, text: &str) -> Option<i64> {
        self.moment(time(text)?, i64::MIN)
    }

    /// The calendar of a report with these days: one of them with a number above 12 tells for all.
    pub(crate) fn infer_order(&self, days: impl Iterator<Item = Day>) -> Calendar {
        let mut day_first = self.day_first;
        for day in days.filter(|day| !day.year_first) {
            match day.numbers {
                [first, _, _] if first > 12 => day_first = true,
                [_, second, _] if second > 12 => day_first = false,
                _ => day_first |= day.stops,
            }
            if day.numbers[0] > 12 || day.numbers[1] > 12 || day.stops {
                break;
            }
        }
        Calendar { zone: self.zone.clone(), day_first }
    }

    /// The date; `None` if there is no such day.
    pub(crate) fn date(&self, day: Day) -> Option<Date> {
        let [a, b, c] = day.numbers;
        let (year, month, day) = match (day.year_first, self.day_first) {
            (true, _) => (a, b, c),
            (false, true) => (c, b, a),
            (false, false) => (c, a, b),
        };
        // sysstat was written in 1999: two digits are of this century.
        let year = if year < 100 { year + 2_000 } else { year };
        let date = Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?);
        date.ok().filter(|date| date.year() >= 1970)
    }

    /// Microseconds since 1970. In the hour that a clock shows twice it is the first that is not before `last_us`.
    pub(crate) fn instant(&self, date: Date, time: Time, last_us: i64) -> Option<i64> {
        let ambiguous = self.zone.to_ambiguous_timestamp(date.to_datetime(time));
        let earlier = ambiguous.earlier().ok()?.as_microsecond();
        match earlier >= last_us {
            true => Some(earlier),
            false => Some(ambiguous.later().ok()?.as_microsecond().max(earlier)),
        }
    }

    /// The same clock in UTC.
    pub(crate) fn utc(&self) -> Calendar {
        Calendar { zone: TimeZone::UTC, day_first: self.day_first }
    }

    /// Microseconds since 1970, likewise; `None` if there is no such time.
    pub(crate) fn moment(&self, stamp: Stamp, last_us: i64) -> Option<i64> {
        match stamp {
            Stamp::Absolute(us) => Some(us),
            Stamp::Civil(day, time) => self.instant(self.date(day)?, time, last_us),
            Stamp::Offset(day, time, ahead_s) => {
                let utc_us = self.utc().instant(self.date(day)?, time, i64::MIN)?;
                Some(utc_us - i64::from(ahead_s) * SECOND_US as i64).filter(|us| *us >= 0)
            }
        }
    }
}

/// The time that a text consists of; `None` if it has anything else.
pub(crate) fn stamp(text: &str) -> Option<Stamp> {
    let text = text.trim();
    if let Ok(instant) = text.parse::<Timestamp>() {
        return Some(instant.as_microsecond()).filter(|us| *us >= 0).map(Stamp::Absolute);
    }
    if let Some(seconds) = seconds_since_1970(text) {
        return Some(Stamp::Absolute(seconds * 1_000_000));
    }
    let written = Written::parse(text)?;
    let [a, b, c, hour, minute, second] = *written.numbers.as_slice() else { return None };
    let (day, time) = (written.day([a, b, c]), clock_of([hour, minute, second], written.afternoon)?);
    Some(written.ahead_s.map_or(Stamp::Civil(day, time), |ahead_s| Stamp::Offset(day, time, ahead_s)))
}

/// The time that a text consists of, to the minute too, or the beginning of the day that it consists of.
fn time(text: &str) -> Option<Stamp> {
    let midnight = || Some(Stamp::Civil(day(text)?, Time::midnight()));
    stamp(text).or_else(|| stamp(&format!("{}:00", text.trim()))).or_else(midnight)
}

/// The date that a text consists of.
pub(crate) fn day(text: &str) -> Option<Day> {
    let written = Written::parse(text)?;
    let [a, b, c] = *written.numbers.as_slice() else { return None };
    (written.afternoon.is_none() && !written.has_zone).then(|| written.day([a, b, c]))
}

/// A time of day at the beginning of these words, and how many of them it takes: `17:19:21`, `05:19:21 PM`, `17시 19분 21초`.
pub(crate) fn clock(words: &[&str]) -> Option<(Time, usize)> {
    let mut written = Written::default();
    let mut taken = 0;
    for word in words {
        match half(word) {
            Some(afternoon) if written.afternoon.is_none() => written.afternoon = Some(afternoon),
            _ if written.numbers.len() >= 3 => break,
            // Numbers that stand apart are those of a clock only with the names of its units.
            _ if taken > 0 && word.is_ascii() => return None,
            _ => written.add(word)?,
        }
        taken += 1;
    }
    let [hour, minute, second] = *written.numbers.as_slice() else { return None };
    Some((clock_of([hour, minute, second], written.afternoon)?, taken))
}

/// True of a word that may be the abbreviation of a time zone: `IST`, `+08`.
pub(crate) fn is_zone(word: &str) -> bool {
    let letters = (2..=5).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_uppercase());
    letters || offset(word).is_some()
}

/// Seconds ahead of UTC of a zone that says so: `UTC`, `GMT`, `+08`, `-0330`.
pub(crate) fn offset(zone: &str) -> Option<i32> {
    if matches!(zone, "UTC" | "GMT") {
        return Some(0);
    }
    let (sign, digits) =
        zone.strip_prefix('+').map(|digits| (1, digits)).or(zone.strip_prefix('-').map(|digits| (-1, digits)))?;
    let (hours, minutes) = match digits.len() {
        2 => (digits, "0"),
        4 if digits.is_ascii() => digits.split_at(2),
        _ => return None,
    };
    let number =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<i32>().ok()).flatten();
    let (hours, minutes) = (number(hours)?, number(minutes)?);
    (hours <= 14 && minutes < 60).then_some(sign * (hours * 3_600 + minutes * 60))
}

/// Whole seconds since 1970, as `-U` of sysstat prints them: from 2001 on they have ten digits.
fn seconds_since_1970(text: &str) -> Option<i64> {
    let digits = (9..=11).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

fn clock_of([hour, minute, second]: [u16; 3], afternoon: Option<bool>) -> Option<Time> {
    let hour = match afternoon {
        None => hour,
        Some(_) if !(1..=12).contains(&hour) => return None,
        Some(afternoon) => hour % 12 + if afternoon { 12 } else { 0 },
    };
    Time::new(i8::try_from(hour).ok()?, i8::try_from(minute).ok()?, i8::try_from(second).ok()?, 0).ok()
}

/// True for the second half of the day; `None` if the word is none of the two.
fn half(word: &str) -> Option<bool> {
    match word.to_lowercase().as_str() {
        "am" | "a.m." | "上午" | "午前" | "오전" | "पूर्वाह्न" | "πμ" | "öö" => Some(false),
        "pm" | "p.m." | "下午" | "午後" | "오후" | "अपराह्न" | "μμ" | "ös" => Some(true),
        _ => None,
    }
}

/// The numbers of a text that consists of numbers, what locales put between them, a half of the day and a zone.
#[derive(Default)]
struct Written {
    numbers: Vec<u16>,
    /// Digits of the first number.
    digits: usize,
    stops: bool,
    afternoon: Option<bool>,
    /// True if a zone stands behind them; seconds ahead of UTC, of one that says so.
    has_zone: bool,
    ahead_s: Option<i32>,
}

impl Written {
    fn parse(text: &str) -> Option<Written> {
        let mut written = Written::default();
        for word in text.split_whitespace() {
            // ja_JP writes 午前09時.
            let halves = ["午前", "午後"].into_iter().find_map(|name| Some((name, word.strip_prefix(name)?)));
            match (half(word), halves) {
                (Some(afternoon), _) => written.afternoon = Some(afternoon),
                (None, Some((name, rest))) => {
                    written.afternoon = half(name);
                    written.add(rest)?;
                }
                (None, None) if !written.numbers.is_empty() && !written.has_zone && is_zone(word) => {
                    (written.has_zone, written.ahead_s) = (true, offset(word));
                }
                (None, None) => written.add(word)?,
            }
        }
        Some(written)
    }

    fn add(&mut self, word: &str) -> Option<()> {
        let between = |c: char| "/.-:T年月日時时分秒년월일시초".contains(c) || c == '분';
        if !word.starts_with(|c: char| c.is_ascii_digit()) || !word.chars().all(|c| c.is_ascii_digit() || between(c)) {
            return None;
        }
        for number in word.split(between).filter(|number| !number.is_empty()) {
            if self.numbers.is_empty() {
                self.digits = number.len();
                self.stops = word[number.len()..].starts_with(['.', '-']);
            }
            self.numbers.push(number.parse().ok().filter(|_| number.len() <= 4 && self.numbers.len() < 6)?);
        }
        Some(())
    }

    fn day(&self, numbers: [u16; 3]) -> Day {
        Day { numbers, year_first: self.digits == 4, stops: self.stops }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn utc() -> Calendar {
        Calendar::new("UTC", false).unwrap()
    }

    /// 2026-11-21 17:19:21 UTC.
    const MOMENT: i64 = 1_795_281_561_000_000;

    fn read(text: &str) -> Option<i64> {
        let stamp = stamp(text)?;
        let days = match stamp {
            Stamp::Civil(day, _) | Stamp::Offset(day, _, _) => vec![day],
            Stamp::Absolute(_) => vec![],
        };
        utc().infer_order(days.into_iter()).moment(stamp, 0)
    }

    #[test]
    fn one_moment_in_the_shapes_of_several_locales() {
        for text in [
            "11/21/26 17:19:21",
            "11/21/2026 05:19:21 PM",
            "11/21/2026 05:19:21\u{202f}PM",
            "21/11/2026 17:19:21",
            "21/11/26 17:19:21",
            "21.11.2026 17:19:21",
            "2026年11月21日 17時19分21秒",
            "2026年11月21日 17时19分21秒",
            "2026年11月21日 下午 05时19分21秒",
            "2026年11月21日 午後05時19分21秒",
            "2026년 11월 21일 17시 19분 21초",
            "2026년 11월 21일 오후 05시 19분 21초",
            "21/11/26 05:19:21 PM IST",
            "21/11/26 17:19:21 UTC",
            "21/11/26 10:49:21 PM +0530",
            "2026-11-21 14:19:21 -03",
            "21.11.2026 17.19.21",
            "2026-11-21 17:19:21",
            "2026-11-21T17:19:21+0000",
            "2026-11-21T18:19:21+01:00",
            "2026-11-21T17:19:21Z",
            "1795281561",
        ] {
            assert_eq!(read(text), Some(MOMENT), "{text}");
        }
    }

    #[test]
    fn what_is_no_moment_is_none() {
        for text in [
            "",
            "vda",
            "17:19:21",
            "11/21/26",
            "31.31.2026 17:19:21",
            "11/21/26 25:19:21",
            "1.00 2.00 3.00",
            "0 AM",
            "UTC",
            "11/21/26 17:19:21 o'clock",
            "11/21/26 17:19:21 UTC UTC",
            "11/21/26 17:19:21 +99",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    /// The third of April or the fourth of March: the calendar decides, unless another date of the report shows it.
    #[test]
    fn an_ambiguous_date_is_read_as_the_others_or_as_asked() {
        let ambiguous = day("04/03/26").unwrap();
        let others = |text: &str| day(text).into_iter();
        let month = |calendar: Calendar| calendar.date(ambiguous).unwrap().month();
        assert_eq!(month(utc().infer_order(others("04/03/26"))), 4);
        assert_eq!(month(Calendar::new("UTC", true).unwrap().infer_order(others("04/03/26"))), 3);
        assert_eq!(month(utc().infer_order(others("13/03/26"))), 3);
        assert_eq!(month(Calendar::new("UTC", true).unwrap().infer_order(others("03/13/26"))), 4);
        for day_first in ["04.03.2026", "04-03-2026"] {
            assert_eq!(month(utc().infer_order(others(day_first))), 3, "{day_first}");
        }
        assert_eq!(month(utc().infer_order(others("2026-03-04"))), 4);
    }

    #[test]
    fn twelve_is_midnight_before_and_noon_after() {
        let hour = |words: &[&str]| clock(words).map(|(time, taken)| (time.hour(), taken));
        assert_eq!(hour(&["12:00:01", "AM", "DEV"]), Some((0, 2)));
        assert_eq!(hour(&["12:00:01", "PM"]), Some((12, 2)));
        assert_eq!(hour(&["17:19:43", "DEV"]), Some((17, 1)));
        assert_eq!(hour(&["17시", "19분", "43초", "DEV"]), Some((17, 3)));
        assert_eq!(hour(&["오후", "05시", "19분", "43초", "sda", "1.00"]), Some((17, 4)));
        assert_eq!((hour(&["05时19分43秒", "DEV"]), hour(&["5", "19", "43", "DEV"])), (Some((5, 1)), None));
        assert_eq!((hour(&["13:00:00", "PM"]), hour(&["Average:"])), (None, None));
    }

    #[test]
    fn the_hour_that_comes_twice_is_told_apart_by_what_came_before() {
        let paris = Calendar::new("Europe/Paris", true).unwrap();
        let (date, time) = (Date::constant(2026, 10, 25), Time::constant(2, 30, 0, 0));
        let first = paris.instant(date, time, 0).unwrap();
        assert_eq!(paris.instant(date, time, first + 1), Some(first + 3_600_000_000));
    }

    #[test]
    fn time_zones_are_those_of_the_tz_database_and_posix_strings() {
        assert!(Calendar::new("<-08>+08", false).is_ok() && Calendar::new("europe/paris", false).is_ok());
        assert_eq!(Calendar::new("Moon/Sea", false).unwrap_err().to_string(), "unknown time zone \"Moon/Sea\"");
    }

    proptest! {
        #[test]
        fn whatever_is_written_is_read_or_refused(text in "\\PC{0,30}", numbers in "[0-9/.: TPM年-]{0,30}") {
            for text in [text, numbers] {
                let _ = read(&text);
                let _ = day(&text).map(|day| utc().date(day));
                let _ = clock(&text.split_whitespace().collect::<Vec<_>>());
            }
        }
    }
}
