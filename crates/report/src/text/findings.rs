//! Causes of I/O to remove before a volume is bought.

use super::layout::{fill_call, wrap};
use crate::Report;
use crate::calls::Function;
use crate::reasons::findings;
use ebs_base::format::plain;

/// Maximum number of findings; `ebs_findings` returns all of them.
const MAX_SHOWN: usize = 3;

/// Renders the findings under the heading that they share with a volume's commands; empty without findings.
pub(super) fn render(report: &Report) -> Vec<String> {
    if report.findings.is_empty() {
        return Vec::new();
    }
    let mut lines = vec!["Before you buy".to_owned()];
    for (number, finding) in (1..).zip(report.findings.iter().take(MAX_SHOWN)) {
        lines.extend(wrap(
            &plain(&format!(
                "  {number}. {}: {}",
                findings::describe_subject(finding),
                findings::describe_measurement(finding)
            )),
            "     ",
        ));
        lines.extend(wrap(&plain(&format!("     {}", findings::describe_effect(finding))), "     "));
        lines.extend(wrap(
            &plain(&format!("     {}", findings::describe_remedy(finding, &report.arguments))),
            "       ",
        ));
    }
    let more = report.findings.len().saturating_sub(MAX_SHOWN);
    if more > 0 {
        let call = report.arguments.call(Function::FindingRows);
        lines.extend(fill_call(&format!("  {more} more: SELECT * FROM"), &call));
    }
    lines
}
