//! Axes: their ends and ticks.

use super::ticks::{figure, logarithmic, nice_step, time_step};
use crate::UtcOffset;

/// An axis. Positions are decimal logarithms on a logarithmic axis, and seconds since the start of the window on a time axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Start.
    pub low: f64,
    /// End.
    pub high: f64,
    /// Positions of ticks with their texts.
    pub ticks: Vec<(f64, String)>,
    /// True where the texts are names of rows, which have no grid lines.
    pub rows: bool,
}

impl Axis {
    /// Returns an axis from zero to a round figure above `highest`, with at most so many steps.
    pub fn from_zero(highest: f64, steps: usize) -> Axis {
        let highest = if highest > 0.0 { highest } else { 1.0 };
        let step = nice_step(highest / steps.max(1) as f64);
        let all = (highest / step).ceil();
        let ticks = (0..=all as usize).map(|at| at as f64 * step).map(|at| (at, figure(at, step))).collect();
        Axis { low: 0.0, high: all * step, ticks, rows: false }
    }

    /// Returns a logarithmic axis around positive figures.
    pub fn logarithmic(lowest: f64, highest: f64, ticks: usize) -> Axis {
        let (low, high) = (lowest.max(1e-9).log10() - 0.05, highest.max(lowest).max(1e-9).log10() + 0.05);
        let ticks = logarithmic(low, high, ticks).into_iter().map(|(at, value)| (at, figure(value, value))).collect();
        Axis { low, high, ticks, rows: false }
    }

    /// Returns an axis of seconds since `from_us`, with ticks at round times of day.
    pub fn time(from_us: i64, to_us: i64, utc_offset: &UtcOffset, ticks: usize) -> Axis {
        let span = (to_us.saturating_sub(from_us) as f64 / 1e6).max(1.0);
        let step = time_step(span, ticks);
        let offset = i64::from(utc_offset.offset_s);
        let from_s = from_us.div_euclid(1_000_000).saturating_add(offset);
        let first = from_s.saturating_add(step - 1).div_euclid(step) * step;
        let since = |local: i64| (local - offset) as f64 - from_us as f64 / 1e6;
        let moments = (0..=64).map(|at| first + at * step).take_while(|local| since(*local) <= span);
        let pattern = time_pattern(step, span);
        let ticks = moments.map(|local| (since(local), utc_offset.format(local - offset, pattern))).collect();
        Axis { low: 0.0, high: span, ticks, rows: false }
    }

    /// Returns an axis of named rows, the first at the top.
    pub fn rows<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> Axis {
        let all = names.len() as f64;
        let ticks = names.enumerate().map(|(at, name)| (all - 0.5 - at as f64, name.to_owned())).collect();
        Axis { low: 0.0, high: all.max(1.0), ticks, rows: true }
    }

    /// Returns a position as a share of the axis, clamped to its ends.
    pub(super) fn share(&self, at: f64) -> f64 {
        ((at - self.low) / (self.high - self.low).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0)
    }
}

/// Returns the strftime pattern of `07:52:24`, `07:52`, `11-22 06:00` or `11-22`, by the step between two ticks and the span of
/// all, in seconds.
fn time_pattern(step: i64, span: f64) -> &'static str {
    match step {
        step if step < 60 => "%H:%M:%S",
        step if step >= 86_400 => "%m-%d",
        _ if span > 86_400.0 => "%m-%d %H:%M",
        _ => "%H:%M",
    }
}

#[cfg(test)]
#[path = "axis_tests.rs"]
mod tests;
