//! The steps of a decision as a tree.

use super::layout::{WIDTH, wrap};
use crate::Report;
use crate::reasons::decision;
use ebs_advice::{Advice, RoleAdvice};

/// Renders each step below the one before.
pub(super) fn render(report: &Report, advice: &Advice, role: &RoleAdvice) -> Vec<String> {
    let suffix = if advice.roles.len() > 1 { format!(" for {}", role.state.group.role) } else { String::new() };
    let mut lines = vec![format!("Decision path{suffix}")];
    for (depth, step) in role.steps(report.request, report.coverage.sampled_s).iter().enumerate() {
        let indent = "  ".repeat(depth + 1);
        let answer = decision::describe_answer(step, report.request.platform);
        let text = format!("{indent}└ {} {answer}", decision::describe_question(step));
        lines.extend(wrap(&text, &" ".repeat((indent.len() + 4).min(WIDTH / 2))));
    }
    lines
}
