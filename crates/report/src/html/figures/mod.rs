//! Figures of the page, a file for each kind.

pub mod balance;
mod bars;
mod figure;
pub mod frontier;
pub mod histograms;
pub mod over_time;
pub mod ratios;
pub mod waits;

pub use figure::Figure;
