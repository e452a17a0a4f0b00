//! Plots: SVG without colours, widths and fonts, which the style sheet sets. Positions are in pixels.

mod axis;
mod frame;
mod plane;
mod size;
mod ticks;

pub use axis::Axis;
pub use frame::Frame;
pub use plane::Plane;
pub use size::{Size, in_both_sizes};
