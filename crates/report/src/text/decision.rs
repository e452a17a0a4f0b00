//! The steps of a decision as a tree.

use super::layout::{WIDTH, wrap};
use crate::reasons::decision;
use ebs_advice::{Advice, RoleAdvice};

/// Renders each step below the one before.
pub(super) fn render(advice: &Advice, role: &RoleAdvice) -> Vec<String> {
    let suffix = if advice.roles.len() > 1 { format!(" for {}", role.state.group.role) } else { String::new() };
    let mut lines = vec![format!("Decision path{suffix}")];
    for (depth, step) in role.decision.iter().enumerate() {
        let indent = "  ".repeat(depth + 1);
        let text = format!("{indent}└ {} {}", decision::describe_question(step), decision::describe_answer(step));
        lines.extend(wrap(&text, &" ".repeat((indent.len() + 4).min(WIDTH / 2))));
    }
    lines
}
