//! What is put on a plane. Positions outside it are cut off by plotters.

use plotters::element::{Circle, EmptyElement, PathElement, Polygon, Rectangle, Text};
use plotters::series::{DashedLineSeries, LineSeries};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, IntoFont, ShapeStyle, TextStyle};

use super::{FINE, Plane};
use crate::page::theme::Hue;

fn stroke(hue: Hue, pixels: f64) -> ShapeStyle {
    ShapeStyle { color: hue.colour().to_rgba(), filled: false, stroke_width: (pixels * f64::from(FINE)) as u32 }
}

fn filled(hue: Hue, opacity: f64) -> ShapeStyle {
    ShapeStyle { color: hue.colour().mix(opacity), filled: true, stroke_width: 0 }
}

// plotters' errors are the backend's, and writing to a string has none.

/// A line through points.
pub fn line(plane: &mut Plane, points: impl IntoIterator<Item = (f64, f64)>, hue: Hue) {
    let _ = plane.draw_series(LineSeries::new(points, stroke(hue, 1.5)));
}

/// What lies between two lines, both from left to right.
pub fn band(plane: &mut Plane, upper: Vec<(f64, f64)>, lower: Vec<(f64, f64)>, hue: Hue) {
    polygon(plane, upper.into_iter().chain(lower.into_iter().rev()).collect(), hue, 0.36);
}

/// A filled area.
pub fn polygon(plane: &mut Plane, points: Vec<(f64, f64)>, hue: Hue, opacity: f64) {
    let _ = plane.draw_series([Polygon::new(points, filled(hue, opacity))]);
}

/// A straight line between two points, thick; broken where it is `dashed`.
pub fn rule(plane: &mut Plane, from: (f64, f64), to: (f64, f64), hue: Hue, dashed: bool) {
    let style = stroke(hue, 2.0);
    let _ = match dashed {
        true => plane.draw_series(DashedLineSeries::new([from, to], 7 * FINE, 4 * FINE, style)).map(|_| ()),
        false => plane.draw_series([PathElement::new([from, to], style)]).map(|_| ()),
    };
}

/// A filled rectangle between two corners.
pub fn bar(plane: &mut Plane, corners: [(f64, f64); 2], hue: Hue, opacity: f64) {
    let _ = plane.draw_series([Rectangle::new(corners, filled(hue, opacity))]);
}

/// A disc, or a ring.
pub fn dot(plane: &mut Plane, at: (f64, f64), pixels: u32, hue: Hue, ring: bool) {
    let style = if ring { stroke(hue, 2.0) } else { filled(hue, 1.0) };
    let _ = plane.draw_series([Circle::new(at, pixels * FINE, style)]);
}

/// An interval: a line with an end at either side. Upright, unless `flat`.
pub fn whisker(plane: &mut Plane, from: (f64, f64), to: (f64, f64), hue: Hue, flat: bool) {
    let _ = plane.draw_series([PathElement::new([from, to], stroke(hue, 1.5))]);
    let half = 4 * FINE as i32;
    let end = if flat { [(0, -half), (0, half)] } else { [(-half, 0), (half, 0)] };
    for at in [from, to] {
        let _ = plane.draw_series([EmptyElement::at(at) + PathElement::new(end, stroke(hue, 1.5))]);
    }
}

/// Words beside a point, so many pixels off; to its right, or to its left where `before`.
pub fn words(plane: &mut Plane, at: (f64, f64), (right, down): (i32, i32), text: &str, hue: Hue, before: bool) {
    let font = ("sans-serif", 12.0 * 1.24 * f64::from(FINE)).into_font();
    let anchor = Pos::new(if before { HPos::Right } else { HPos::Left }, VPos::Center);
    let colour = hue.colour();
    let style = TextStyle::from(font).color(&colour).pos(anchor);
    let offset = (right * FINE as i32, down * FINE as i32);
    let _ = plane.draw_series([EmptyElement::at(at) + Text::new(text.to_owned(), offset, style)]);
}
