//! When the sampler has something to do: its grid of samples and the pace of its sweeps. Time is an argument, so that whatever
//! clock there is can be stepped through.

mod grid;
mod pace;
#[cfg(test)]
mod schedule_tests;

pub use grid::Grid;
pub use pace::Pace;
