//! The rules that apply to the change of volumes.

use std::borrow::Cow;

use super::layout::{fill_call, wrap};
use crate::Report;
use crate::reasons::{migration, next_steps};
use ebs_advice::{Advice, RoleAdvice};

/// Renders the procedure; empty where nothing changes.
pub(super) fn render(report: &Report, advice: &Advice, role: &RoleAdvice) -> Vec<String> {
    let suffix = if advice.roles.len() > 1 { format!(" ({})", role.state.group.role) } else { String::new() };
    let Some(procedure) = &role.procedure else { return Vec::new() };
    if procedure.change.lines.is_empty() && procedure.rules.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![format!("Before you buy{suffix}")];
    if procedure.waits {
        lines.extend(wrap("  The change waits for the pending one: no command until then.", "  "));
    }
    if !procedure.change.lines.is_empty() {
        let call = next_steps::commands_call(report);
        let commands =
            if procedure.rollback.lines.is_empty() { "  Commands:" } else { "  Commands with their rollback:" };
        lines.extend(fill_call(commands, &call));
    }
    let rules: Vec<Cow<str>> = procedure.rules.iter().map(migration::describe_rule).collect();
    if !rules.is_empty() {
        lines.extend(wrap(&format!("  {}", rules.join(" ")), "  "));
    }
    lines
}
