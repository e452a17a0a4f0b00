//! Recommended volumes, alternatives, the decision, and the commands of the change.

use ebs_prediction::BindingLimit;
use maud::{Markup, html};

use super::Section;
use crate::Report;
use crate::html::Page;
use crate::html::kit::{Table, cell};
use crate::reasons::{candidate, decision, migration, month, pending, rationale, smaller_storage};
use crate::text::{shell, smaller_storage as storage_text};
use ebs_advice::{Candidate, Procedure, RoleAdvice};
use ebs_base::format::{ms, pct, times, usd};

/// Maximum number of rows of the feasible candidates, and of the others; `ebs_options` returns all of them.
const MAX_SHOWN: usize = 8;

/// Builds the section: candidates for each role, and for all roles on one volume.
pub fn section(page: &Page) -> Section {
    let several = page.report.roles().count() > 1;
    let consolidated = page.report.advice.iter().filter_map(|advice| advice.consolidated.as_ref());
    let body = html! {
        @for text in pending::describe_all(page.report) { p { (text) } }
        @for role in page.report.roles() { (candidates(page.report, role, several.then(|| format!("For {}", role.state.group.role)))) }
        @for role in consolidated { (candidates(page.report, role, Some("All of it on one".to_owned()))) }
        @for separate in page.report.advice.iter().filter_map(|advice| advice.separate_wal.as_ref()) {
            h3 { "Or WAL apart from the data: " (month::describe(separate.usd_month())) " together" }
            (rows(&[&separate.data, &separate.wal], None))
        }
    };
    Section { id: "options", name: "Volumes", heading: "Volumes".to_owned(), body }
}

fn candidates(report: &Report, role: &RoleAdvice, name: Option<String>) -> Markup {
    let (feasible, refused): (Vec<&Candidate>, Vec<&Candidate>) =
        role.candidates.iter().partition(|candidate| candidate.feasible);
    let near = refused.iter().filter(|candidate| candidate.bound != BindingLimit::Unfit);
    html! {
        @if let Some(name) = name { h3 { (name) } }
        (rows(&feasible, Some(0)))
        @for (label, volumes, text) in rationale::describe_beside(role, report.request) {
            p { (label) ": " (candidate::describe_volumes(volumes)) ", " (month::describe(volumes.usd_month())) ", " (text) }
        }
        @if near.clone().next().is_some() {
            details { summary { "Rejected, and why" } (rows(&near.copied().collect::<Vec<_>>(), None)) }
        }
        details { summary { "Decision path" } ol class="path" {
            @for step in role.steps(report.request, report.coverage.sampled_s) {
                li { (decision::describe_question(&step)) " " strong { (decision::describe_answer(&step, report.request.platform)) } }
            }
        } }
        @if let Some(procedure) = &role.procedure { (change(procedure)) }
        (smaller(role))
    }
}

/// Renders a row of each candidate, and marks the chosen one.
fn rows(candidates: &[&Candidate], chosen: Option<usize>) -> Markup {
    let row = |candidate: &&Candidate| {
        vec![
            candidate::describe_volumes(candidate),
            cell(candidate.usd_month(), usd),
            cell(candidate.outcome, |outcome| pct(outcome.throttled_pct())),
            cell(candidate.ratio(), |ratio| {
                format!("{} ({}–{})", times(ratio.middle), times(ratio.low), times(ratio.high))
            }),
            cell(candidate.read_ms(), ms),
            cell(candidate.write_ms(), ms),
            cell(candidate.risk, |risk| risk.name().to_owned()),
            candidate.bound_by().name().to_owned(),
        ]
    };
    let head = vec!["volumes", "a month", "throttled", "throughput", "read ms", "write ms", "risk", "then bound by"];
    let shown = &candidates[..candidates.len().min(MAX_SHOWN)];
    let below = shown.iter().map(|candidate| candidate::describe_reason(candidate)).collect();
    let table = Table { chosen, below, ..Table::new(head, shown.iter().map(row).collect()) };
    html! { @if !candidates.is_empty() { (table.markup()) } }
}

fn change(procedure: &Procedure) -> Markup {
    html! {
        @if procedure.waits { p { "The change waits for the pending one: no command until then." } }
        @if !procedure.change.lines.is_empty() {
            details { summary { "How to change: commands, none of which was run" } pre tabindex="0" { code { (shell::script(&procedure.change).join("\n")) } } }
        }
        @if !procedure.rollback.lines.is_empty() {
            details { summary { "Rollback" } pre tabindex="0" { code { (shell::script(&procedure.rollback).join("\n")) } } }
        }
        @if !procedure.rules.is_empty() { p class="muted" { @for rule in &procedure.rules { (migration::describe_rule(rule)) " " } } }
    }
}

/// Builds the paragraph on smaller storage of RDS, with its commands.
fn smaller(role: &RoleAdvice) -> Markup {
    html! {
        @match &role.smaller_storage {
            None => {}
            Some(Err(missing)) => { p class="muted" { "Smaller storage: " (smaller_storage::describe_missing(*missing)) } }
            Some(Ok(found)) => {
                p { "Or smaller, by Blue/Green deployment: " (smaller_storage::describe(found)) ". " (smaller_storage::describe_size(role, found)) }
                p class="muted" { (smaller_storage::facts(found).join(" ")) }
                @for (heading, script) in storage_text::blocks(found) {
                    details { summary { (heading.replace(", to paste without the # in front", "").trim_end_matches(':')) } pre tabindex="0" { code { (shell::script(script).join("\n")) } } }
                }
            }
        }
    }
}
