//! The rules that apply to the change of volumes.

use std::borrow::Cow;

use super::layout::wrap;
use crate::reasons::migration;
use ebs_advice::{Advice, RoleAdvice};

/// Renders the procedure; empty where nothing changes.
pub(super) fn render(advice: &Advice, role: &RoleAdvice) -> Vec<String> {
    let suffix = if advice.roles.len() > 1 { format!(" ({})", role.state.group.role) } else { String::new() };
    let Some(procedure) = &role.procedure else { return Vec::new() };
    if procedure.change.lines.is_empty() && procedure.rules.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![format!("Before you buy{suffix}")];
    if !procedure.change.lines.is_empty() {
        lines.push("  Commands with their rollback: ebs_advise(…, show => 'commands')".to_owned());
    }
    let rules: Vec<Cow<str>> = procedure.rules.iter().map(migration::describe_rule).collect();
    if !rules.is_empty() {
        lines.extend(wrap(&format!("  {}", rules.join(" ")), "  "));
    }
    lines
}
