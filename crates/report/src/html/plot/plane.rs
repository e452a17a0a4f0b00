//! The plane of a plot, and the marks on it. Positions are those of the axes, and are clamped to their ends.

use maud::{Markup, html};

use super::Axis;
use crate::html::kit::theme::Hue;

/// Position on both axes.
type Point = (f64, f64);

/// A plane between two axes.
pub struct Plane<'a> {
    x: &'a Axis,
    y: &'a Axis,
    bounds: [(f64, f64); 2],
    marks: Vec<Markup>,
}

/// Half the width of a whisker's end, pixels.
const WHISKER: f64 = 4.0;

impl<'a> Plane<'a> {
    /// Returns an empty plane between these edges, in pixels.
    pub(super) fn new((x, y): (&'a Axis, &'a Axis), bounds: [(f64, f64); 2]) -> Plane<'a> {
        Plane { x, y, bounds, marks: Vec::new() }
    }

    /// Returns the marks in the order in which they were drawn, the first below the others.
    pub(super) fn into_marks(self) -> Markup {
        html! { @for mark in &self.marks { (mark) } }
    }

    /// Returns the distance from the left, pixels.
    pub(super) fn x(&self, at: f64) -> f64 {
        let (left, right) = self.bounds[0];
        left + self.x.share(at) * (right - left)
    }

    /// Returns the distance from the top, pixels.
    pub(super) fn y(&self, at: f64) -> f64 {
        let (top, bottom) = self.bounds[1];
        bottom - self.y.share(at) * (bottom - top)
    }

    /// Draws a line through points.
    pub fn line(&mut self, points: impl IntoIterator<Item = Point>, hue: Hue) {
        let points = self.points(points);
        self.marks.push(html! { polyline class={ "line " (hue.name()) } points=(points) {} });
    }

    /// Draws the band between two lines, both from left to right.
    pub fn band(&mut self, upper: Vec<Point>, lower: Vec<Point>, hue: Hue) {
        let points = self.points(upper.into_iter().chain(lower.into_iter().rev()));
        self.marks.push(html! { polygon class={ "area faint " (hue.name()) } points=(points) {} });
    }

    /// Draws a filled area.
    pub fn area(&mut self, outline: impl IntoIterator<Item = Point>, hue: Hue) {
        let points = self.points(outline);
        self.marks.push(html! { polygon class={ "area " (hue.name()) } points=(points) {} });
    }

    /// Draws a thick straight line between two points.
    pub fn rule(&mut self, from: Point, to: Point, hue: Hue, dashed: bool) {
        let class = if dashed { "rule dashed " } else { "rule " };
        let (x1, y1, x2, y2) = (px(self.x(from.0)), px(self.y(from.1)), px(self.x(to.0)), px(self.y(to.1)));
        self.marks.push(html! { line class={ (class) (hue.name()) } x1=(x1) y1=(y1) x2=(x2) y2=(y2) {} });
    }

    /// Draws a filled rectangle from its upper left to its lower right corner.
    pub fn bar(&mut self, from: Point, to: Point, hue: Hue, opacity: f64) {
        let (x, y) = (self.x(from.0), self.y(from.1));
        let (width, height) = (px(self.x(to.0) - x), px(self.y(to.1) - y));
        let opacity = (opacity < 1.0).then_some(opacity);
        self.marks.push(html! {
            rect class={ "area " (hue.name()) } fill-opacity=[opacity] x=(px(x)) y=(px(y)) width=(width) height=(height) {}
        });
    }

    /// Draws a disc of so many pixels.
    pub fn dot(&mut self, at: Point, radius: u32, hue: Hue) {
        self.circle("area ", at, radius, hue);
    }

    /// Draws a ring of so many pixels.
    pub fn ring(&mut self, at: Point, radius: u32, hue: Hue) {
        self.circle("rule ", at, radius, hue);
    }

    fn circle(&mut self, class: &str, at: Point, radius: u32, hue: Hue) {
        let (x, y) = (px(self.x(at.0)), px(self.y(at.1)));
        self.marks.push(html! { circle class={ (class) (hue.name()) } cx=(x) cy=(y) r=(radius) {} });
    }

    /// Draws a vertical interval with whiskers at both ends.
    pub fn upright_whisker(&mut self, at: f64, (low, high): (f64, f64), hue: Hue) {
        let (at, low, high) = (self.x(at), self.y(low), self.y(high));
        let end = |y: f64| format!("M{} {}H{}", px(at - WHISKER), px(y), px(at + WHISKER));
        self.path(format!("M{} {}V{}{}{}", px(at), px(low), px(high), end(low), end(high)), hue);
    }

    /// Draws a horizontal interval with whiskers at both ends.
    pub fn level_whisker(&mut self, (low, high): (f64, f64), at: f64, hue: Hue) {
        let (low, high, at) = (self.x(low), self.x(high), self.y(at));
        let end = |x: f64| format!("M{} {}V{}", px(x), px(at - WHISKER), px(at + WHISKER));
        self.path(format!("M{} {}H{}{}{}", px(low), px(at), px(high), end(low), end(high)), hue);
    }

    fn path(&mut self, path: String, hue: Hue) {
        self.marks.push(html! { path class={ "line " (hue.name()) } d=(path) {} });
    }

    /// Draws text beside a point, so many pixels to the right of it and below: it begins there, or ends there if `before`.
    pub fn label(&mut self, at: Point, (right, down): (i32, i32), text: &str, hue: Hue, before: bool) {
        let (x, y) = (px(self.x(at.0) + f64::from(right)), px(self.y(at.1) + f64::from(down)));
        let class = if before { "label before " } else { "label " };
        self.marks.push(html! { text class={ (class) (hue.name()) } x=(x) y=(y) dy=".5ex" { (text) } });
    }

    fn points(&self, points: impl IntoIterator<Item = Point>) -> String {
        let pairs = points.into_iter().map(|(x, y)| format!("{},{}", px(self.x(x)), px(self.y(y))));
        pairs.collect::<Vec<_>>().join(" ")
    }
}

/// Formats pixels to a tenth, in the fewest characters.
pub(super) fn px(pixels: f64) -> String {
    ((pixels * 10.0).round() / 10.0).to_string()
}

#[cfg(test)]
#[path = "plane_tests.rs"]
mod tests;
