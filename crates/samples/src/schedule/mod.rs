//! Schedules of the sampler: fixed times for samples, jittered times for sweeps, a budget for samples on request. The time is an argument, so that tests can
//! step through any clock.

mod fixed;
mod jittered;
mod request_budget;
#[cfg(test)]
mod schedule_tests;

pub use fixed::FixedSchedule;
pub use jittered::JitteredSchedule;
pub use request_budget::RequestBudget;
