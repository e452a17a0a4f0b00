//! The change to the recommended volumes as one block for a shell: comments where a reader needs them, nothing that a paste would run
//! by mistake.

use super::layout::wrap_at;
use crate::Report;
use crate::reasons::{candidate, declarations, evidence, heading, migration};
use ebs_advice::{Advice, Procedure, RoleAdvice, Script, insufficient};
use ebs_base::format::usd;

/// Most columns of a line.
const WIDTH: usize = 100;

/// Renders the change of each volume with its rollback.
pub(super) fn render(report: &Report) -> Vec<String> {
    let mut lines = comment(&heading::describe_title(report));
    if let Some(missing) = insufficient(report.window, &report.coverage).as_ref().map(evidence::describe_reason) {
        lines.extend(comment(&format!("Insufficient data: {missing}.")));
    }
    if let Some(advice) = &report.advice {
        lines.extend(advice.roles.iter().flat_map(|role| render_role(report, advice, role)));
    }
    lines
}

fn render_role(report: &Report, advice: &Advice, role: &RoleAdvice) -> Vec<String> {
    let of = if advice.roles.len() > 1 { format!(" for {}", role.state.group.role) } else { String::new() };
    let Some(best) = role.best() else {
        return comment(&format!("No change{of}: no volume meets everything that was requested; see show => 'all'."));
    };
    let declared = role.current.is_some().then(|| declarations::describe_role(report, role));
    let now = declared.map_or(String::new(), |volumes| format!("; today {volumes}"));
    let order = format!("{}, {} a month", candidate::describe_volumes(best), usd(best.total()));
    let Some(procedure) = role.procedure.as_ref().filter(|procedure| !procedure.change.lines.is_empty()) else {
        return comment(&format!("No change{of}: {order}{now}."));
    };
    let mut lines = comment(&format!("Change{of} to {order}{now}."));
    let paste = match procedure.change.unknown.is_empty() {
        true => "Paste all lines into a shell on the database's server.",
        false => "Set the variables that are empty, then paste all lines into a shell on the database's server.",
    };
    lines.extend(comment(&format!("{paste} Nothing of it has been run.")));
    lines.extend(script(&procedure.change));
    lines.extend(render_rollback(&procedure.rollback));
    lines.extend(render_rules(procedure));
    lines
}

/// Renders a script that ends at its first error, and changes nothing while a variable is empty. The shell of the reader goes on.
pub(crate) fn script(script: &Script) -> Vec<String> {
    let mut lines = vec!["(".to_owned(), "set -eu".to_owned()];
    lines.extend(assignments(script));
    let checks: Vec<String> =
        script.unknown.iter().map(|unknown| format!("\"${{{}:?}}\"", unknown.variable())).collect();
    lines.extend((!checks.is_empty()).then(|| format!(": {}", checks.join(" "))));
    lines.extend(script.lines.iter().cloned());
    lines.push(")".to_owned());
    lines
}

fn assignments(script: &Script) -> impl Iterator<Item = String> {
    script.unknown.iter().map(|unknown| {
        format!("{:<20} # {}", format!("{}=", unknown.variable()), migration::describe_unknown(*unknown))
    })
}

fn render_rollback(rollback: &Script) -> Vec<String> {
    if rollback.lines.is_empty() {
        return Vec::new();
    }
    let lines = assignments(rollback).chain(rollback.lines.iter().cloned()).map(|line| format!("#   {line}"));
    std::iter::once("# Rollback:".to_owned()).chain(lines).collect()
}

fn render_rules(procedure: &Procedure) -> Vec<String> {
    procedure.rules.iter().flat_map(|rule| comment(&migration::describe_rule(rule))).collect()
}

fn comment(text: &str) -> Vec<String> {
    wrap_at(text, WIDTH - "# ".len(), "").into_iter().map(|line| format!("# {line}")).collect()
}
