//! The blocks of the screen in their order, within its lines, and the order in which its parts yield.

use super::layout::{LINES, labelled, labelled_list};
use super::{calls, heading, options, recommendation, workload};
use crate::Report;
use crate::clip::clip;
use crate::reasons::idle::IdleAnswer;
use crate::reasons::{evidence, next_steps, remedies};
use ebs_advice::{Advice, insufficient};

/// Parts of the screen that yield where it is full, the first to go first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    /// WORKLOAD's second line: throughput.
    Throughput,
    /// Rows of OPTIONS beyond five, today's apart.
    SixthOption,
    /// TO BE SURER beyond one line.
    SecondRemedyLine,
    /// NEXT beyond one line.
    SecondCallLine,
    /// The empty line below the heading.
    EmptyLine,
    /// Third lines of texts but the reason.
    ThirdTextLine,
    /// Second lines of texts but the next ones.
    SecondTextLine,
    /// The third line of the reason.
    ThirdReasonLine,
    /// Second lines of the reason, the confidence and the bottleneck.
    SecondReasonLine,
    /// Of several roles, rows beyond two that are neither cheaper nor faster.
    Alternative,
    /// One volume for all roles where that is dearer.
    DearerConsolidated,
    /// Of several roles, rows beyond two.
    ThirdOption,
    /// LOAD.
    Load,
    /// All of WORKLOAD.
    Workload,
    /// The reasons of the size.
    Size,
    /// Today's volumes, which OPTIONS has.
    Today,
    /// Pending changes beyond one line.
    SecondPendingLine,
    /// All of OPTIONS.
    Options,
    /// What yields no more.
    Rest,
}

impl Part {
    /// All of them in their order.
    const ALL: [Part; 19] = [
        Part::Throughput,
        Part::SixthOption,
        Part::SecondRemedyLine,
        Part::SecondCallLine,
        Part::EmptyLine,
        Part::ThirdTextLine,
        Part::SecondTextLine,
        Part::ThirdReasonLine,
        Part::SecondReasonLine,
        Part::Alternative,
        Part::DearerConsolidated,
        Part::ThirdOption,
        Part::Load,
        Part::Workload,
        Part::Size,
        Part::Today,
        Part::SecondPendingLine,
        Part::Options,
        Part::Rest,
    ];
}

/// The parts that a screen has: this one and those that yield after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Detail(Part);

impl Detail {
    /// True where the screen has that part.
    pub(super) fn has(self, part: Part) -> bool {
        part >= self.0
    }

    /// Most lines of a text.
    pub(super) fn text_lines(self) -> usize {
        1 + usize::from(self.has(Part::SecondTextLine)) + usize::from(self.has(Part::ThirdTextLine))
    }

    /// Most lines of the reason, of the confidence and of the bottleneck.
    pub(super) fn reason_lines(self) -> usize {
        1 + usize::from(self.has(Part::SecondReasonLine)) + usize::from(self.has(Part::ThirdReasonLine))
    }
}

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
