//! What to order, what instead, how it was decided, and how to change.

use maud::{Markup, html};

use super::Page;
use super::table::{Table, cell};
use crate::report::volumes;
use ebs_advice::advice::{Bound, Candidate, Procedure, RoleAdvice};
use ebs_base::format::{ms, pct, times, usd};

/// Rows of those that meet what was asked for, and of those that do not; the rest is in ebs_options.
const SHOWN: usize = 8;

/// The options of each part of the cluster, and of all of it on one volume.
pub fn markup(page: &Page) -> Markup {
    let several = page.report.roles().count() > 1;
    let together = page.report.advice.iter().filter_map(|advice| advice.together.as_ref());
    html! {
        section id="options" {
            h2 { "Volumes" }
            @for role in page.report.roles() { (part(role, several.then(|| format!("For {}", role.role)))) }
            @for role in together { (part(role, Some("All of it on one".to_owned()))) }
        }
    }
}

fn part(role: &RoleAdvice, name: Option<String>) -> Markup {
    let (feasible, refused): (Vec<&Candidate>, Vec<&Candidate>) =
        role.candidates.iter().partition(|candidate| candidate.feasible);
    let near = refused.iter().filter(|candidate| candidate.bound != Bound::Unfit);
    html! {
        @if let Some(name) = name { h3 { (name) } }
        (rows(&feasible))
        @if near.clone().next().is_some() {
            details { summary { "Not chosen, and why" } (rows(&near.copied().collect::<Vec<_>>())) }
        }
        @if !role.path.is_empty() {
            details { summary { "How it was decided" } ol class="path" {
                @for step in &role.path { li { (step.question) " " strong { (step.answer) } } }
            } }
        }
        @if let Some(procedure) = &role.procedure { (change(procedure)) }
    }
}

fn rows(candidates: &[&Candidate]) -> Markup {
    let row = |candidate: &&Candidate| {
        vec![
            volumes::order(candidate),
            cell(candidate.bill, |bill| usd(bill.total())),
            cell(candidate.outcome, |outcome| pct(outcome.throttled_pct())),
            cell(candidate.ratio(), |ratio| {
                format!("{} ({}–{})", times(ratio.middle), times(ratio.low), times(ratio.high))
            }),
            cell(candidate.read_ms(), ms),
            cell(candidate.write_ms(), ms),
            cell(candidate.risk, |risk| risk.name().to_owned()),
            candidate.bound.name().to_owned(),
        ]
    };
    let head = vec!["volumes", "a month", "throttled", "throughput", "read ms", "write ms", "risk", "bound by"];
    let shown = &candidates[..candidates.len().min(SHOWN)];
    let chosen = candidates.first().filter(|first| first.feasible).map(|_| 0);
    let below = shown.iter().map(|candidate| candidate.reason.clone()).collect();
    let table = Table { chosen, below, ..Table::of(head, shown.iter().map(row).collect()) };
    html! { @if !candidates.is_empty() { (table.markup()) } }
}

fn change(procedure: &Procedure) -> Markup {
    let command = |command: &ebs_advice::advice::Command| match command.times {
        1 => command.line.clone(),
        times => format!("{}   # {} times", command.line, times),
    };
    let lines: Vec<String> = procedure.commands.iter().map(command).chain(procedure.then.iter().cloned()).collect();
    html! {
        @if !lines.is_empty() { details { summary { "How to change: commands, none of which was run" } pre tabindex="0" { code { (lines.join("\n")) } } } }
        @if !procedure.rules.is_empty() { p class="muted" { @for rule in &procedure.rules { (rule.text) " " } } }
    }
}
