//! An axis as plotters asks for one.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

use super::Axis;

/// An axis, whose ticks are the key points.
#[derive(Clone)]
pub struct Coordinate(pub Axis);

impl Ranged for Coordinate {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (begin, end): (i32, i32)) -> i32 {
        let share = (value - self.0.low) / (self.0.high - self.0.low).max(f64::MIN_POSITIVE);
        // What lies outside is put at the edge.
        begin + (share.clamp(0.0, 1.0) * f64::from(end - begin)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _hint: Hint) -> Vec<f64> {
        self.0.ticks.iter().map(|(at, _)| *at).collect()
    }

    fn range(&self) -> Range<f64> {
        self.0.low..self.0.high
    }
}

impl ValueFormatter<f64> for Coordinate {
    fn format_ext(&self, value: &f64) -> String {
        self.0.label(*value)
    }
}
