//! Limitations of the answer, and the cost of sampling.

use super::layout::{fill_call, wrap};

use crate::Report;
use crate::reasons::idle::IdleAnswer;
use crate::reasons::{limitations, next_steps, sampling_cost};

/// Renders limitations, with the cost of sampling.
pub(super) fn render(report: &Report) -> Vec<String> {
    let mut lines =
        wrap(&format!("What would change the answer: {}", limitations::describe_changes(report).join("; ")), "  ");
    let limitations = limitations::describe(report);
    if !limitations.is_empty() {
        lines.extend(wrap(&format!("Limitations: {}", limitations.join("; ")), "  "));
    }
    lines.extend(wrap(&format!("Sampling cost: {}", sampling_cost::describe(report)), "  "));
    lines.extend(fill_call("Details: SELECT * FROM", &next_steps::rows_call(report)));
    lines
}

/// Renders the remedies for insufficient evidence, or what follows the answer for an idle volume.
pub(super) fn render_remedies(report: &Report, idle: Option<&IdleAnswer>) -> Vec<String> {
    let mut lines: Vec<String> = report
        .window
        .layout
        .unresolved
        .iter()
        .flat_map(|part| wrap(&format!("  {}: {}", part.role.name(), part.reason), "    "))
        .collect();
    lines.extend(wrap(&next_steps::describe_without_advice(report, idle), "  "));
    lines
}
