//! Horizontal bars: rows with a name on the left and one or more bars, stacked or below each other.

use maud::Markup;

use super::figure::{Key, Mark};
use crate::html::kit::theme::Hue;
use crate::html::plot::{Axis, Frame, Plane, Size, in_both_sizes};

/// A part of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Colour.
    pub hue: Hue,
    /// Opacity, 0 to 1.
    pub opacity: f64,
    /// Length.
    pub value: f64,
}

/// A row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// Name.
    pub name: String,
    /// Parts.
    pub parts: Vec<Part>,
    /// Text to the right of the bar.
    pub after: String,
}

/// Opacity of the paler of two kinds.
pub const HALF: f64 = 0.55;

impl Part {
    /// An opaque part.
    pub fn new(hue: Hue, value: f64) -> Part {
        Part { hue, opacity: 1.0, value }
    }
}

/// Entry of a key for a part.
pub fn part_key(hue: Hue, opacity: f64, text: impl Into<String>) -> Key {
    Key::new(hue, if opacity < 1.0 { Mark::Half } else { Mark::Area }, text)
}

/// Height of a row with the space to the next, pixels.
const ROW: u32 = 30;

/// Draws the plots: `stacked`, or each part on a line of its own.
pub fn bars(rows: &[Row], stacked: bool) -> [(Size, Markup); 2] {
    let deepest = rows.iter().map(|row| row.parts.len()).max().unwrap_or(1).max(1);
    let row = if stacked { ROW } else { (ROW / 2 * (deepest as u32 + 1)).min(44) };
    let height = 40 + row * rows.len().max(1) as u32;
    in_both_sizes(height, height, |size| draw(size, rows, stacked, deepest))
}

fn length(row: &Row, stacked: bool) -> f64 {
    let values = row.parts.iter().map(|part| part.value);
    if stacked { values.sum() } else { values.fold(0.0, f64::max) }
}

fn draw(size: Size, rows: &[Row], stacked: bool, deepest: usize) -> Markup {
    let highest = rows.iter().map(|row| length(row, stacked)).fold(0.0, f64::max);
    // Leaves room for the text to the right of the longest bar.
    let longest_text = rows.iter().map(|row| row.after.chars().count()).max().unwrap_or(0) as f64;
    let room = longest_text * if size.is_narrow() { 0.032 } else { 0.0105 };
    let x = Axis {
        high: (highest * (1.03 + room)).max(1e-9),
        ..Axis::from_zero(highest, if size.is_narrow() { 3 } else { 6 })
    };
    let x = Axis { ticks: x.ticks.into_iter().filter(|(at, _)| *at <= x.high).collect(), ..x };
    let y = Axis::rows(rows.iter().map(|row| row.name.as_str()));
    let names = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0) as u32;
    let left = if size.is_narrow() { (names * 6 + 12).min(150) } else { (names * 7 + 16).min(260) };
    Frame { size, left, x: &x, y: &y }.draw(|plane| {
        for ((middle, _), row) in y.ticks.iter().zip(rows) {
            draw_parts(plane, *middle, row, (!stacked).then_some(deepest));
            if !row.after.is_empty() {
                plane.label((length(row, stacked), *middle), (6, 0), &row.after, Hue::Ink, false);
            }
        }
    })
}

/// Draws the bars of a row: stacked, or as lanes below each other where their number is given.
fn draw_parts(plane: &mut Plane, middle: f64, row: &Row, lanes: Option<usize>) {
    let mut from = 0.0;
    for (position, part) in row.parts.iter().enumerate() {
        let (low, high) = match lanes {
            None => (middle - 0.34, middle + 0.34),
            Some(lanes) => {
                let lane = 0.72 / lanes as f64;
                let top = middle + 0.36 - lane * position as f64;
                (top - lane * 0.9, top)
            }
        };
        plane.bar((from, high), (from + part.value, low), part.hue, part.opacity);
        from += if lanes.is_none() { part.value } else { 0.0 };
    }
}
