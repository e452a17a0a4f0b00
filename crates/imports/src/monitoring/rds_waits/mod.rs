//! Performance Insights: average active sessions by wait event, as `aws pi get-resource-metrics` gives `db.load.avg` grouped by
//! `db.wait_event` (<https://docs.aws.amazon.com/performance-insights/latest/APIReference/API_GetResourceMetrics.html>).
//!
//! [`read`] takes one page or several, one after the other; [`WaitLoad::add_to`] puts them beside the samples of a block. Performance
//! Insights samples all sessions that are not idle once a second, so that a point is the mean over its period of so many samples.

mod apply;
mod document;
mod load;

pub use apply::Covered;
pub use document::read;
pub use load::WaitLoad;

/// Service that the waits come from, as users know it; its limitations begin with this.
pub const SOURCE: &str = "Performance Insights";

/// Most points of one import: a day of seconds of 40 wait events.
pub const MAX_POINTS: usize = 4_000_000;

/// Most wait events of one import: PostgreSQL has some 300.
pub const MAX_WAIT_EVENTS: usize = 1_000;

#[cfg(test)]
mod tests;
