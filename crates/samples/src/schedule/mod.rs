//! Schedules of the sampler: fixed times for samples, jittered times for sweeps. The time is an argument, so that tests can
//! step through any clock.

mod grid;
mod pace;
#[cfg(test)]
mod schedule_tests;

pub use grid::Grid;
pub use pace::Pace;
