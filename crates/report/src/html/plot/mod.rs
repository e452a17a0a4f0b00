//! Plots: SVG without any colour, width or font in it, which are the style sheet's. Positions are in pixels.

mod axis;
mod frame;
mod plane;
mod size;
mod ticks;

pub use axis::Axis;
pub use frame::Frame;
pub use plane::Plane;
pub use size::{Size, in_both_sizes};
