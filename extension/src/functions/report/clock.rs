//! The time of day in reports.

use ebs_report::Clock;
use ebs_samples::evidence::Window;

use crate::errors::Error;
use crate::storage;

/// The session's clock at the beginning of the window. Where clocks are changed within it, the report keeps this one, and names it.
pub fn session_clock(window: &Window) -> Result<Clock, Error> {
    let offset = storage::first_text(
        "SELECT pg_catalog.date_part('timezone', timestamptz 'epoch' + $1 * interval '1 microsecond')::int::text",
        &[window.from_us.into()],
    )?;
    Ok(Clock::from_offset(offset.parse().unwrap_or(0)))
}
