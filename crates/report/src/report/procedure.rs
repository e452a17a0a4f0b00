//! What to check and to type before buying.

use super::wrapped;
use ebs_advice::advice::{Advice, Procedure, RoleAdvice};

pub(super) fn lines(advice: &Advice, role: &RoleAdvice) -> Vec<String> {
    let of = if advice.roles.len() > 1 { format!(" ({})", role.role) } else { String::new() };
    let Some(procedure) = &role.procedure else { return Vec::new() };
    if procedure.commands.is_empty() && procedure.rules.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![format!("Before you buy{of}")];
    lines.extend(commands(procedure));
    let rules: Vec<&str> = procedure.rules.iter().map(|rule| rule.text.as_str()).collect();
    if !rules.is_empty() {
        lines.extend(wrapped(&format!("  {}", rules.join(" ")), "  "));
    }
    lines
}

/// As they are typed: broken at a space, with the backslash that a shell needs.
fn commands(procedure: &Procedure) -> Vec<String> {
    let mut lines = Vec::new();
    for command in &procedure.commands {
        let times = if command.times > 1 { format!("   # {} times", command.times) } else { String::new() };
        let broken = wrapped_command(&format!("  {}", command.line));
        lines.extend(broken);
        if let Some(last) = lines.last_mut() {
            last.push_str(&times);
        }
    }
    for line in &procedure.then {
        lines.extend(wrapped_command(&format!("  {line}")));
    }
    lines
}

fn wrapped_command(command: &str) -> Vec<String> {
    // Two columns for the backslash.
    let options = textwrap::Options::new(super::WIDTH - 14).subsequent_indent("      ").break_words(false);
    let options = options.word_splitter(textwrap::WordSplitter::NoHyphenation);
    let mut lines: Vec<String> = textwrap::wrap(command, options).into_iter().map(|line| line.into_owned()).collect();
    let all = lines.len();
    for line in lines.iter_mut().take(all.saturating_sub(1)) {
        line.push_str(" \\");
    }
    lines
}
