//! Charts for a terminal: bars of characters, one line a row.

mod bar;
mod metric;
mod over_time;
mod parts;
mod room;

pub use metric::Metric;
pub use over_time::draw_over_time;
pub use parts::{draw_latencies, draw_sources, draw_waits};
pub use room::Room;
