//! The blocks of the screen in their order, within its lines.

use super::detail::{Detail, Part};
use super::layout::{LINES, labelled, labelled_list};
use super::{calls, heading, options, recommendation, workload};
use crate::Report;
use crate::clip::clip;
use crate::reasons::idle::IdleAnswer;
use crate::reasons::{evidence, next_steps, remedies};
use ebs_advice::{Advice, insufficient};

/// Renders the screen: at most 24 lines of at most 80 columns.
pub fn render(report: &Report) -> Vec<String> {
    let mut lines = heading::render(report);
    match (&report.advice, insufficient(report.window, &report.coverage)) {
        (Some(advice), None) => {
            let room = LINES - lines.len();
            let mut details = Part::ALL.into_iter().map(|first| blocks(report, advice, Detail(first)));
            let least = || blocks(report, advice, Detail(Part::Rest));
            lines.extend(details.find(|blocks| blocks.len() <= room).unwrap_or_else(least));
        }
        (_, missing) => {
            lines.push(String::new());
            let reason = missing.as_ref().map(evidence::describe_reason).unwrap_or_default();
            let idle = IdleAnswer::from_report(report);
            match &idle {
                Some(idle) => lines.extend(recommendation::render_idle(idle)),
                None => lines.extend(labelled("INSUFFICIENT DATA", &format!(": {reason}"), 6)),
            }
            let parts = &report.window.layout.unresolved;
            lines.extend(
                parts
                    .iter()
                    .take(4)
                    .flat_map(|part| labelled("", &format!("{}: {}", clip(&part.role.name(), 30), part.reason), 2)),
            );
            lines.extend(labelled("NEXT", &next_steps::describe_without_advice(report, idle.as_ref()), 4));
        }
    }
    lines
}

/// The lines below the heading.
fn blocks(report: &Report, advice: &Advice, detail: Detail) -> Vec<String> {
    let empty = if detail.has(Part::EmptyLine) { vec![String::new()] } else { Vec::new() };
    [
        empty,
        recommendation::render(report, advice, detail),
        recommendation::render_details(report, advice, detail),
        if detail.has(Part::Options) { options::render(report, advice, detail) } else { Vec::new() },
        workload::render(report, advice, detail),
        workload::render_bottleneck(report, detail.reason_lines().min(2)),
        render_remedies(report, detail),
        calls::render(report, 1 + usize::from(detail.has(Part::SecondCallLine))),
    ]
    .concat()
}

/// Renders what would raise the confidence.
fn render_remedies(report: &Report, detail: Detail) -> Vec<String> {
    let remedies = remedies::describe(report);
    if remedies.is_empty() {
        return Vec::new();
    }
    labelled_list("TO BE SURER", &remedies, " · ", 1 + usize::from(detail.has(Part::SecondRemedyLine)))
}

#[cfg(test)]
#[path = "bounds_tests.rs"]
mod bounds_tests;
#[cfg(test)]
#[path = "screen_tests.rs"]
mod tests;
