//! The change to the recommended volumes as one block for a shell: comments where a reader needs them, nothing that a paste would run
//! by mistake.

use std::fmt::Display;

use super::shell::{comment, script};
use super::smaller_storage;
use crate::Report;
use crate::reasons::idle::IdleAnswer;
use crate::reasons::{candidate, declarations, evidence, heading, migration, month, pending, rationale};
use ebs_advice::{Advice, PricedVolumes, Procedure, Recommendation, RoleAdvice, Script, insufficient};

/// Renders the change of each volume with its rollback.
pub(super) fn render(report: &Report) -> Vec<String> {
    let mut lines = comment(&heading::describe_title(report));
    let idle = IdleAnswer::from_report(report);
    let missing = insufficient(report.window, &report.coverage).filter(|_| idle.is_none());
    if let Some(missing) = missing.as_ref().map(evidence::describe_reason) {
        lines.extend(comment(&format!("Insufficient data: {missing}.")));
    }
    lines.extend(pending::describe_all(report).iter().flat_map(|text| comment(text)));
    lines.extend(idle.iter().flat_map(|idle| render_idle(report, idle)));
    if let Some(advice) = &report.advice {
        lines.extend(render_instance(report, advice));
        lines.extend(advice.roles.iter().flat_map(|role| render_role(report, advice, role)));
        lines.extend(advice.roles.iter().flat_map(smaller_storage::render_commands));
    }
    lines
}

/// Renders the change of a saturated instance, as comments: it stops the server that the other commands run on.
fn render_instance(report: &Report, advice: &Advice) -> Vec<String> {
    let Some(saturation) = advice.roles.iter().find_map(|role| role.instance_saturation.as_ref()) else {
        return Vec::new();
    };
    let platform = report.request.platform;
    let need = rationale::describe_instance_need(advice, platform);
    let mut lines = comment(&migration::describe_larger_instance(saturation, &need, platform));
    if platform.is_rds() && report.window.has_forbidding_change() {
        lines.extend(comment("It waits for the pending change: no command until then."));
        return lines;
    }
    let sufficient = advice.instance_need.and_then(|need| need.sufficient);
    let commands = migration::instance_commands(report.request, sufficient);
    lines.extend(commands.iter().map(|line| format!("#   {line}")));
    lines
}

/// Renders the change of an idle volume.
fn render_idle(report: &Report, idle: &IdleAnswer) -> Vec<String> {
    let PricedVolumes { config, volumes, usd_month } = idle.volumes;
    let order = format!("{}, {}", candidate::describe_config(&config, volumes), month::describe(usd_month));
    let why = comment(&format!("Idle: {}.", idle.reason));
    why.into_iter().chain(render_change(report, ["Change", "No change"], &order, idle.procedure.as_ref())).collect()
}

fn render_role(report: &Report, advice: &Advice, role: &RoleAdvice) -> Vec<String> {
    let of = if advice.roles.len() > 1 { format!(" for {}", role.state.group.role) } else { String::new() };
    let (volumes, [change, no_change]) = match role.recommendation(report.request) {
        Recommendation::Volumes(best) => (best, ["Change", "No change"]),
        Recommendation::LargerInstance(Some(interim)) => (interim, ["Until then, change", "Until then, no change"]),
        Recommendation::LargerInstance(None) => {
            return comment(&format!(
                "Until then, no change{of}: no volumes that meet the request use all that the instance carries."
            ));
        }
        Recommendation::Nothing(_) => {
            return comment(&format!(
                "No change{of}: no volume meets everything that was requested; see show => 'all'."
            ));
        }
    };
    let declared = role.current.is_some().then(|| declarations::describe_role(report, role));
    let now = declared.map_or(String::new(), |volumes| format!("; today {volumes}"));
    let order = format!("{}, {}{now}", candidate::describe_volumes(volumes), month::describe(volumes.usd_month()));
    render_change(report, [change, no_change].map(|verb| format!("{verb}{of}")), &order, role.procedure.as_ref())
}

/// Renders a change to the volumes of an order, or that there is none.
fn render_change(
    report: &Report,
    [change, no_change]: [impl Display; 2],
    order: &str,
    procedure: Option<&Procedure>,
) -> Vec<String> {
    let Some(procedure) = procedure.filter(|it| it.waits || !(it.change.lines.is_empty() && it.rules.is_empty()))
    else {
        return comment(&format!("{no_change}: {order}."));
    };
    let without = match (procedure.waits, procedure.change.lines.is_empty()) {
        (true, _) => Some(": it waits for the pending change, no command until then."),
        (false, true) => Some(", without commands."),
        (false, false) => None,
    };
    if let Some(end) = without {
        let text = comment(&format!("{change} to {order}{end}"));
        return text.into_iter().chain(render_rules(procedure)).collect();
    }
    let mut lines = comment(&format!("{change} to {order}."));
    lines.extend(comment(&describe_paste(report, procedure)));
    lines.extend(script(&procedure.change));
    lines.extend(render_rollback(&procedure.rollback));
    lines.extend(render_rules(procedure));
    lines
}

/// Describes how to run it: RDS has no shell.
fn describe_paste(report: &Report, procedure: &Procedure) -> String {
    let shell =
        if report.request.platform.is_rds() { "a shell with the AWS CLI" } else { "a shell on the database's server" };
    let set =
        if procedure.change.unknown.is_empty() { "Paste" } else { "Set the variables that are empty, then paste" };
    format!("{set} all lines into {shell}. Nothing of it has been run.")
}

fn render_rollback(rollback: &Script) -> Vec<String> {
    if rollback.lines.is_empty() {
        return Vec::new();
    }
    let lines = script(rollback).into_iter().map(|line| format!("# {line}"));
    std::iter::once("# Rollback, to paste without the # in front:".to_owned()).chain(lines).collect()
}

fn render_rules(procedure: &Procedure) -> Vec<String> {
    procedure.rules.iter().flat_map(|rule| comment(&migration::describe_rule(rule))).collect()
}

#[cfg(test)]
#[path = "commands_tests.rs"]
mod tests;
