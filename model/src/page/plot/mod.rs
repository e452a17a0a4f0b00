//! Plots, drawn by plotters into SVG, as pure as the rest of the model: no font is looked for and no file is written.

mod axis;
mod coordinate;
mod marks;

pub use axis::{Axis, Clock};
pub use marks::{band, bar, dot, line, polygon, rule, whisker, words};

use plotters::chart::{ChartBuilder, ChartContext};
use plotters::prelude::{Cartesian2d, IntoDrawingArea, SVGBackend};
use plotters::style::{IntoTextStyle, TextStyle};

use self::coordinate::Coordinate;
use super::theme::Hue;

/// How large a plot is: each is drawn for a page and for a telephone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// On a page, so many pixels high.
    Wide(u32),
    /// On a telephone.
    Narrow(u32),
}

/// Units of the drawing in a pixel: plotters places everything on whole units, of which two make smoother lines.
const FINE: u32 = 2;

/// The plane that marks are put on.
pub type Plane<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<Coordinate, Coordinate>>;

impl Size {
    /// Its class in the style sheet.
    pub fn class(self) -> &'static str {
        match self {
            Size::Wide(_) => "wide",
            Size::Narrow(_) => "narrow",
        }
    }

    /// Units of the drawing.
    pub fn pixels(self) -> (u32, u32) {
        match self {
            Size::Wide(height) => (920 * FINE, height * FINE),
            Size::Narrow(height) => (358 * FINE, height * FINE),
        }
    }

    /// Whether it is for a telephone.
    pub fn is_narrow(self) -> bool {
        matches!(self, Size::Narrow(_))
    }

    /// Text of axes, in units.
    fn text(self) -> i32 {
        // plotters divides by 1.24.
        (if self.is_narrow() { 11.0 } else { 12.0 } * 1.24 * f64::from(FINE)) as i32
    }
}

/// Room for names at the left, pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left(pub u32);

/// A plot of that size: its grid and axes, and whatever `draw` puts on them. Its lines run along `y`, or, of rows, along `x`.
pub fn plot(size: Size, left: Left, (x, y): (&Axis, &Axis), draw: impl FnOnce(&mut Plane)) -> String {
    let mut drawn = String::new();
    // A string takes whatever is written to it: there is nothing to be said of an error.
    let _ = try_plot(&mut drawn, size, left, (x, y), draw);
    inside(&drawn).to_owned()
}

fn try_plot(
    drawn: &mut String,
    size: Size,
    Left(left): Left,
    (x, y): (&Axis, &Axis),
    draw: impl FnOnce(&mut Plane),
) -> Result<(), Box<dyn std::error::Error>> {
    let problem = |error: &dyn std::fmt::Display| error.to_string();
    let area = SVGBackend::with_string(drawn, size.pixels()).into_drawing_area();
    let mut plane = ChartBuilder::on(&area)
        .margin_top(11 * FINE)
        .margin_right(26 * FINE)
        .margin_bottom(2 * FINE)
        .y_label_area_size(left * FINE)
        .x_label_area_size(24 * FINE)
        .build_cartesian_2d(Coordinate(x.clone()), Coordinate(y.clone()))
        .map_err(|error| problem(&error))?;
    let colour = Hue::Muted.colour();
    let text: TextStyle = ("sans-serif", size.text()).into_text_style(&area).color(&colour);
    let mut mesh = plane.configure_mesh();
    if y.rows {
        mesh.disable_y_mesh()
    } else {
        mesh.disable_x_mesh()
    };
    mesh.bold_line_style(Hue::Grid.colour())
        .light_line_style(plotters::style::TRANSPARENT)
        .axis_style(Hue::Grid.colour())
        .label_style(text)
        .x_labels(x.ticks.len())
        .y_labels(y.ticks.len())
        .set_all_tick_mark_size(3 * FINE)
        .draw()
        .map_err(|error| problem(&error))?;
    draw(&mut plane);
    drop(plane);
    area.present().map_err(|error| problem(&error))?;
    Ok(())
}

/// What stands inside the element `svg`: the page has one of its own around it, with title and description.
fn inside(drawn: &str) -> &str {
    let begun = drawn.find('>').map_or(drawn, |end| drawn[end + 1..].trim_start());
    begun.trim_end().strip_suffix("</svg>").unwrap_or(begun)
}

/// Both sizes of a plot that is so high.
pub fn both(wide: u32, narrow: u32, mut draw: impl FnMut(Size) -> String) -> [(Size, String); 2] {
    [Size::Wide(wide), Size::Narrow(narrow)].map(|size| (size, draw(size)))
}
