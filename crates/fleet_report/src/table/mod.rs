//! The table of a terminal: a line a volume, more where its reason goes on below, and totals.

mod cells;
mod columns;
mod grid;
mod heading;
mod render;
mod style;
mod sums;

pub use render::{TableOptions, render_table};
