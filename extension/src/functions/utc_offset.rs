//! Local time in reports.

use ebs_report::UtcOffset;
use ebs_samples::evidence::Window;

use crate::errors::Error;
use crate::sql::first_text;

/// Offset of the session's time zone at the beginning of the window. Where it changes within the window (daylight saving time),
/// the report keeps this one, and names it.
pub fn session_utc_offset(window: &Window) -> Result<UtcOffset, Error> {
    let offset = first_text(
        "SELECT pg_catalog.date_part('timezone', timestamptz 'epoch' + $1 * interval '1 microsecond')::int::text",
        &[window.from_us.into()],
    )?;
    Ok(UtcOffset::from_seconds(offset.parse().unwrap_or(0)))
}
