//! The frame of a plot: its axes, with ticks, texts and the grid, around the plane.

use maud::{Markup, html};

use super::plane::px;
use super::{Axis, Plane, Size};

/// Pixels above the plane.
const ABOVE: f64 = 11.0;
/// Pixels to the right of the plane: room for half of the last tick's text.
const BESIDE: f64 = 26.0;
/// Pixels below the plane, for the texts of ticks.
const BELOW: f64 = 26.0;
/// Length of a tick, pixels.
const TICK: f64 = 3.0;
/// Distance of a tick's text from the axis, pixels.
const TEXT: f64 = 6.0;

/// The frame of a plot.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Size with all texts.
    pub size: Size,
    /// Pixels to the left of the plane, for the texts of the vertical axis.
    pub left: u32,
    /// The horizontal axis.
    pub x: &'a Axis,
    /// The vertical axis.
    pub y: &'a Axis,
}

impl Frame<'_> {
    /// Draws grid and axes, and above them the marks that `draw` puts on the plane. Grid lines belong to ticks of the vertical
    /// axis or, where that has rows, of the horizontal one.
    pub fn draw(&self, draw: impl FnOnce(&mut Plane)) -> Markup {
        let (width, height) = self.size.pixels();
        let bounds = [(f64::from(self.left), f64::from(width) - BESIDE), (ABOVE, f64::from(height) - BELOW)];
        let mut plane = Plane::new((self.x, self.y), bounds);
        draw(&mut plane);
        let [(left, _), (_, bottom)] = bounds;
        html! {
            path class="frame" d=(self.lines(&plane, bounds)) {}
            g class="x" { @for (at, text) in named(self.x) {
                text x=(px(plane.x(*at))) y=(px(bottom + TEXT)) dy=".76em" { (text) }
            } }
            g class="y" { @for (at, text) in named(self.y) {
                text x=(px(left - TEXT)) y=(px(plane.y(*at))) dy=".5ex" { (text) }
            } }
            (plane.into_marks())
        }
    }

    /// Returns the path of the grid, both axes and their ticks.
    fn lines(&self, plane: &Plane, [(left, right), (top, bottom)]: [(f64, f64); 2]) -> String {
        let level = |from: f64, to: f64, at: f64| format!("M{} {}H{}", px(from), px(at), px(to));
        let upright = |from: f64, to: f64, at: f64| format!("M{} {}V{}", px(at), px(from), px(to));
        let mut path = upright(top, bottom, left) + &level(left, right, bottom);
        // A grid line continues beyond the axis as its tick.
        let (to_top, to_right) = if self.y.rows { (top, left) } else { (bottom, right) };
        path.extend(self.x.ticks.iter().map(|(at, _)| upright(bottom + TICK, to_top, plane.x(*at))));
        path.extend(self.y.ticks.iter().map(|(at, _)| level(left - TICK, to_right, plane.y(*at))));
        path
    }
}

/// Returns the ticks that have a text.
fn named(axis: &Axis) -> impl Iterator<Item = &(f64, String)> {
    axis.ticks.iter().filter(|(_, text)| !text.is_empty())
}
