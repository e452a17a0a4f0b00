//! A volume without its bytes: when each request may be answered, and what was counted. Pure: no I/O, and time is an
//! argument, in nanoseconds since some beginning.

mod credits;
mod limit;
mod punctuality;
mod service;
mod settings;
mod shaper;
mod statistics;

pub use punctuality::Punctuality;
pub use service::ServiceTime;
pub use settings::{Accounting, Caps, Rate, Settings};
pub use shaper::Shaper;
pub use statistics::Statistics;

/// What a request does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Reads bytes.
    Read,
    /// Writes them.
    Write,
}

/// Nanoseconds in a second.
pub const SECOND_NS: f64 = 1e9;
