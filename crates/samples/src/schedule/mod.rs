//! Schedules of the sampler: fixed times for samples, jittered times for sweeps. The time is an argument, so that tests can
//! step through any clock.

mod fixed;
mod jittered;
#[cfg(test)]
mod schedule_tests;

pub use fixed::FixedSchedule;
pub use jittered::JitteredSchedule;
