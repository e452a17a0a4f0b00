//! Axes: where they begin and end, and what stands at them.

use jiff::Timestamp;
use jiff::tz::{Offset, TimeZone};

use crate::format::{count, size};

/// An axis. Positions are those of the plane: of a logarithmic axis the decimal logarithm, of a time axis seconds since the
/// beginning of the window.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Its beginning.
    pub low: f64,
    /// Its end.
    pub high: f64,
    /// Where something stands, and what.
    pub ticks: Vec<(f64, String)>,
    /// Whether what stands there are names of rows: then no line runs along them.
    pub rows: bool,
}

/// The time of day that axes show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Seconds east of UTC, at the beginning of the window.
    pub offset_s: i32,
    /// `UTC`, `UTC+01:00`.
    pub name: String,
}

impl Clock {
    /// So many seconds east of UTC.
    pub fn of(offset_s: i32) -> Clock {
        let (minutes, sign) = (offset_s.abs() / 60, if offset_s < 0 { '-' } else { '+' });
        let name = match offset_s {
            0 => "UTC".to_owned(),
            _ => format!("UTC{sign}{:02}:{:02}", minutes / 60, minutes % 60),
        };
        Clock { offset_s, name }
    }

    /// `07:52:24`, with the day where there are `days`.
    pub fn label(&self, at_us: i64, days: bool) -> String {
        self.shown(at_us.div_euclid(1_000_000), if days { "%m-%d %H:%M" } else { "%H:%M:%S" })
    }

    fn shown(&self, at_s: i64, pattern: &str) -> String {
        let zone = Offset::from_seconds(self.offset_s).map_or(TimeZone::UTC, TimeZone::fixed);
        Timestamp::from_second(at_s)
            .map_or_else(|_| String::new(), |at| at.to_zoned(zone).strftime(pattern).to_string())
    }
}

impl Axis {
    /// From zero to a round figure above `most`.
    pub fn from_zero(most: f64, ticks: usize) -> Axis {
        Axis::between(0.0, most, ticks)
    }

    /// From a round figure below `least` to one above `most`, evenly.
    pub fn between(least: f64, most: f64, ticks: usize) -> Axis {
        let (least, most) = if most > least { (least, most) } else { (least, least + 1.0) };
        let step = round((most - least) / ticks.max(1) as f64);
        let (from, to) = ((least / step).floor(), (most / step).ceil());
        let ticks = (0..=(to - from) as usize).map(|at| (from + at as f64) * step);
        let ticks = ticks.map(|at| (at, figure(at, step))).collect();
        Axis { low: from * step, high: to * step, ticks, rows: false }
    }

    /// Logarithmic, around positive figures.
    pub fn logarithmic(least: f64, most: f64, ticks: usize) -> Axis {
        let (low, high) = (least.max(1e-9).log10() - 0.05, most.max(least).max(1e-9).log10() + 0.05);
        let all = |digits: &[f64]| -> Vec<(f64, String)> {
            let decades = low.floor() as i32..=high.ceil() as i32;
            let each = decades.flat_map(|decade| digits.iter().map(move |digit| digit * 10f64.powi(decade)));
            each.map(|value| (value.log10(), figure(value, value)))
                .filter(|(at, _)| (low..=high).contains(at))
                .collect()
        };
        let choices = [all(&[1.0, 1.5, 2.0, 3.0, 5.0, 7.0]), all(&[1.0, 2.0, 5.0]), all(&[1.0, 3.0])];
        let ticks = choices.into_iter().find(|found| found.len() <= ticks.max(2)).unwrap_or_else(|| all(&[1.0]));
        Axis { low, high, ticks, rows: false }
    }

    /// Seconds since `from_us`, with the time of day at round moments.
    pub fn time(from_us: i64, to_us: i64, clock: &Clock, ticks: usize) -> Axis {
        let span = (to_us.saturating_sub(from_us) as f64 / 1e6).max(1.0);
        let step = STEPS_S
            .into_iter()
            .find(|step| span / *step as f64 <= ticks.max(1) as f64 + 0.5)
            .unwrap_or(STEPS_S[STEPS_S.len() - 1]);
        let offset = i64::from(clock.offset_s);
        let from_s = from_us.div_euclid(1_000_000).saturating_add(offset);
        let first = from_s.saturating_add(step - 1).div_euclid(step) * step;
        let since = |local: i64| (local - offset) as f64 - from_us as f64 / 1e6;
        let moments = (0..=64).map(|at| first + at * step).take_while(|local| since(*local) <= span);
        let ticks = moments.map(|local| (since(local), moment(local - offset, clock, step, span))).collect();
        Axis { low: 0.0, high: span, ticks, rows: false }
    }

    /// Rows from the top, each with a name.
    pub fn rows<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> Axis {
        let all = names.len() as f64;
        let ticks = names.enumerate().map(|(at, name)| (all - 0.5 - at as f64, name.to_owned())).collect();
        Axis { low: 0.0, high: all.max(1.0), ticks, rows: true }
    }

    /// What stands at a position.
    pub(super) fn label(&self, at: f64) -> String {
        let near = |tick: &&(f64, String)| (tick.0 - at).abs() <= 1e-6 * (self.high - self.low);
        self.ticks.iter().find(near).map_or_else(String::new, |(_, text)| text.clone())
    }
}

/// Steps between moments that people count in, seconds: the last is a year.
const STEPS_S: [i64; 22] = [
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800,
    2_592_000, 31_536_000,
];

/// The next of 1, 2, 2.5 and 5 times a power of ten.
fn round(step: f64) -> f64 {
    let power = 10f64.powf(step.max(1e-12).log10().floor());
    let digits = [1.0, 2.0, 2.5, 5.0, 10.0];
    digits
        .into_iter()
        .map(|digit| digit * power)
        .find(|rounded| *rounded >= step * (1.0 - 1e-9))
        .unwrap_or(10.0 * power)
}

/// A figure at an axis with that step: no more digits than tell it from its neighbours.
fn figure(value: f64, step: f64) -> String {
    match (value, step) {
        (0.0, _) => "0".to_owned(),
        (value, _) if value.abs() >= 1e9 => format!("{} G", count(value / 1e9)),
        (value, step) if step >= 1e6 => format!("{} M", trimmed(value / 1e6)),
        (value, step) if step >= 1.0 && value.fract().abs() < 1e-9 => count(value),
        (value, _) => trimmed(value),
    }
}

/// Without the zeros at its end.
fn trimmed(value: f64) -> String {
    let text = size(value);
    let text = if value.abs() < 0.1 { value.to_string().chars().take(6).collect() } else { text };
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// `07:52:24`, `07:52`, `11-22 06:00` or `11-22`.
fn moment(at_s: i64, clock: &Clock, step: i64, span: f64) -> String {
    let pattern = match step {
        step if step < 60 => "%H:%M:%S",
        step if step >= 86_400 => "%m-%d",
        _ if span > 86_400.0 => "%m-%d %H:%M",
        _ => "%H:%M",
    };
    clock.shown(at_s, pattern)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|(_, text)| text.as_str()).collect()
    }

    #[test]
    fn figures_are_round_and_hold_what_is_shown() {
        let axis = Axis::from_zero(16_157.0, 5);
        assert_eq!((axis.high, labels(&axis)), (20_000.0, vec!["0", "5,000", "10,000", "15,000", "20,000"]));
        assert_eq!(labels(&Axis::from_zero(0.93, 5)), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        assert_eq!(labels(&Axis::from_zero(0.0, 5))[0], "0");
        let ratio = Axis::logarithmic(0.5, 4.0, 7);
        assert_eq!(labels(&ratio), ["0.5", "0.7", "1", "1.5", "2", "3"]);
    }

    #[test]
    fn moments_are_round_in_the_readers_time() {
        // 2026-01-01 00:00:24 UTC is 00:59:24 at UTC+00:59.
        let clock = Clock::of(3_540);
        assert_eq!(
            [clock.name.as_str(), &Clock::of(0).name, &Clock::of(-16_200).name],
            ["UTC+00:59", "UTC", "UTC-04:30"]
        );
        let from_us = 1_767_225_624_000_000;
        let axis = Axis::time(from_us, from_us + 60_000_000, &clock, 6);
        assert_eq!(labels(&axis), ["00:59:30", "00:59:40", "00:59:50", "01:00:00", "01:00:10", "01:00:20"]);
        assert_eq!(axis.ticks[0].0, 6.0);
        let days = Axis::time(from_us, from_us + 14 * 86_400_000_000, &Clock::default(), 8);
        assert_eq!(labels(&days), ["01-03", "01-05", "01-07", "01-09", "01-11", "01-13", "01-15"]);
    }
}
