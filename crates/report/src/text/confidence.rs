//! Confidence in the recommendation, with all its causes, and remedies for them.

use super::layout::wrap;
use crate::Report;
use crate::reasons::{confidence, remedies};

const CONTINUED: &str = "              ";

/// Renders the confidence and its remedies; empty without advice.
pub(super) fn render(report: &Report) -> Vec<String> {
    let Some(text) = confidence::describe_all(report) else { return Vec::new() };
    let mut lines = wrap(&format!("{:<13} {text}", "Confidence"), CONTINUED);
    let remedies = remedies::describe(report);
    if !remedies.is_empty() {
        lines.extend(wrap(&format!("{:<13} {}", "To be surer", remedies.join(" · ")), CONTINUED));
    }
    lines
}
