//! The decision path as a tree.

use super::{WIDTH, wrapped};
use ebs_advice::advice::{Advice, RoleAdvice};

pub(super) fn lines(advice: &Advice, role: &RoleAdvice) -> Vec<String> {
    let of = if advice.roles.len() > 1 { format!(" for {}", role.role) } else { String::new() };
    let mut lines = vec![format!("How it was decided{of}")];
    for (depth, step) in role.path.iter().enumerate() {
        let indent = "  ".repeat(depth + 1);
        let text = format!("{indent}└ {} {}", step.question, step.answer);
        lines.extend(wrapped(&text, &" ".repeat((indent.len() + 4).min(WIDTH / 2))));
    }
    lines
}
