//! Figures of the page, each kind a file.

pub mod balance;
mod bars;
mod figure;
pub mod frontier;
pub mod histograms;
pub mod over_time;
pub mod ratios;
pub mod waits;

pub use figure::Figure;
