//! Durations as people write them.

use std::ops::RangeInclusive;

use ebs_base::format::plain;
use jiff::{SignedDuration, Span, SpanRelativeTo};

/// Parses a duration of an allowed length. `examples` are those of the error of a text that is none, `bounds` names the allowed lengths.
pub fn parse(
    text: &str,
    allowed: RangeInclusive<SignedDuration>,
    examples: &str,
    bounds: &str,
) -> Result<SignedDuration, String> {
    let span: Span = text.parse().map_err(|_| {
        let problem = if text.trim().parse::<f64>().is_ok() { "has no unit" } else { "is no duration" };
        format!("\"{}\" {problem}; for example {examples}", plain(text))
    })?;
    // A span of months or years has no length of its own.
    let duration = span.to_duration(SpanRelativeTo::days_are_24_hours()).ok();
    duration.filter(|duration| allowed.contains(duration)).ok_or_else(|| format!("it must be between {bounds}"))
}
