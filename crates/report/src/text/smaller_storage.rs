//! Smaller storage of RDS by a Blue/Green deployment: a paragraph of the report, and its commands.

use super::layout::wrap;
use super::shell::{comment, script};
use crate::reasons::smaller_storage::{describe, describe_missing, describe_size, facts, saving};
use ebs_advice::{RoleAdvice, Script, SmallerStorage};
use ebs_base::format::usd;

const CONTINUED: &str = "  ";

/// Renders the smaller storage of a role, or the reason why there is none; empty where there is no storage of RDS today.
pub(super) fn render(role: &RoleAdvice) -> Vec<String> {
    let smaller = match &role.smaller_storage {
        None => return Vec::new(),
        Some(Err(missing)) => return wrap(&format!("Smaller       {}", describe_missing(*missing)), CONTINUED),
        Some(Ok(smaller)) => smaller,
    };
    let saved = saving(smaller).map_or(String::new(), |saved| format!(", {} less", usd(saved)));
    let mut lines = wrap(&format!("Smaller       by Blue/Green deployment: {}{saved}", describe(smaller)), CONTINUED);
    let text = std::iter::once(describe_size(role, smaller)).chain(facts(smaller).into_iter().map(str::to_owned));
    lines.extend(wrap(&format!("  {}", text.collect::<Vec<_>>().join(" ")), CONTINUED));
    lines
}

/// Renders its commands as comments, a block for each decision: the change of the recommended volumes is another.
pub(super) fn render_commands(role: &RoleAdvice) -> Vec<String> {
    let Some(Ok(smaller)) = &role.smaller_storage else { return Vec::new() };
    let mut lines = vec![String::new()];
    lines.extend(comment(&format!("Or smaller, by Blue/Green deployment: {}.", describe(smaller))));
    lines.extend(comment(&describe_size(role, smaller)));
    lines.extend(facts(smaller).into_iter().flat_map(comment));
    lines.extend(blocks(smaller).into_iter().flat_map(|(heading, commands)| {
        let block = script(commands).into_iter().map(|line| format!("# {line}"));
        comment(heading).into_iter().chain(block).collect::<Vec<_>>()
    }));
    if smaller.commands.is_none() && smaller.obstacles.is_empty() {
        lines.extend(comment("It waits for the pending change: no command until then."));
    }
    lines
}

/// The scripts with their headings, in their order.
pub(crate) fn blocks(smaller: &SmallerStorage) -> Vec<(&'static str, &Script)> {
    let Some(commands) = &smaller.commands else { return Vec::new() };
    vec![
        ("1. Create the copy, to paste without the # in front:", &commands.create),
        ("2. Test it, then switch over:", &commands.switch_over),
        ("3. Later, delete the deployment and the old instance, with a last snapshot:", &commands.clean_up),
        ("Rollback before 2, delete the copy:", &commands.rollback),
    ]
}
