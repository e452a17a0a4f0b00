//! Commands that change volumes, and the rules that apply to the change.

use std::borrow::Cow;

use super::layout::{WIDTH, wrap};
use crate::reasons::migration;
use ebs_advice::{Advice, Procedure, RoleAdvice};

/// Renders the procedure; empty where nothing changes.
pub(super) fn render(advice: &Advice, role: &RoleAdvice) -> Vec<String> {
    let suffix = if advice.roles.len() > 1 { format!(" ({})", role.state.group.role) } else { String::new() };
    let Some(procedure) = &role.procedure else { return Vec::new() };
    if procedure.commands.is_empty() && procedure.rules.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![format!("Before you buy{suffix}")];
    lines.extend(render_commands(procedure));
    let rules: Vec<Cow<str>> = procedure.rules.iter().map(migration::describe_rule).collect();
    if !rules.is_empty() {
        lines.extend(wrap(&format!("  {}", rules.join(" ")), "  "));
    }
    lines
}

/// Renders commands ready to type: broken at a space, with the backslash that a shell needs.
fn render_commands(procedure: &Procedure) -> Vec<String> {
    let mut lines = Vec::new();
    for command in &procedure.commands {
        let times = if command.times > 1 { format!("   # {} times", command.times) } else { String::new() };
        lines.extend(wrap_command(&format!("  {}", command.line)));
        if let Some(last) = lines.last_mut() {
            last.push_str(&times);
        }
    }
    for line in &procedure.server_commands {
        lines.extend(wrap_command(&format!("  {line}")));
    }
    lines
}

fn wrap_command(command: &str) -> Vec<String> {
    // Leaves room for the backslash.
    let options = textwrap::Options::new(WIDTH - 14).subsequent_indent("      ").break_words(false);
    let options = options.word_splitter(textwrap::WordSplitter::NoHyphenation);
    let mut lines: Vec<String> = textwrap::wrap(command, options).into_iter().map(|line| line.into_owned()).collect();
    let all = lines.len();
    for line in lines.iter_mut().take(all.saturating_sub(1)) {
        line.push_str(" \\");
    }
    lines
}
