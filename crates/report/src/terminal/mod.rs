//! Charts for a terminal: bars of characters, one line a row.

mod bar;
mod metric;
mod over_time;
mod parts;
mod room;

pub use metric::{Metric, metrics};
pub use over_time::over_time;
pub use parts::{latencies, sources, waits};
pub use room::Room;

#[cfg(test)]
#[path = "chart_tests.rs"]
mod tests;
