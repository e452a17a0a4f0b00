//! The report card.

use maud::{Markup, html};

use super::Section;
use crate::html::kit::{UNKNOWN, cell, scrolling};
use crate::reasons::card;
use ebs_base::format::{count, size};
use ebs_comparison::card::{Grade, Line};

/// Builds the section: measured lines, and below them the others; `None` without lines.
pub fn section(lines: &[Line]) -> Option<Section> {
    let (measured, missing): (Vec<&Line>, Vec<&Line>) =
        lines.iter().partition(|line| line.measured.is_some() || line.basis.is_some());
    let source = lines.iter().find_map(card::describe_source);
    let body = html! {
        @if let Some(source) = source {
            p class="muted" { "Thresholds: " (source) ". A grade with ~ is an approximation from live evidence." }
        }
        @if !measured.is_empty() { (rows(&measured)) }
        @if !missing.is_empty() {
            details { summary { "Not measured, or not found: " (count(missing.len() as f64)) } (rows(&missing)) }
        }
    };
    let section = Section { id: "card", name: "Report card", heading: "Report card".to_owned(), body };
    (!lines.is_empty()).then_some(section)
}

fn rows(lines: &[&Line]) -> Markup {
    scrolling(&html! {
        table {
            thead { tr { @for name in ["test", "grade", "measured", "device", "thresholds", "note"] { th scope="col" { (name) } } } }
            tbody { @for line in lines { (row(line)) } }
        }
    })
}

fn row(line: &Line) -> Markup {
    html! {
        tr {
            td class="m" { (card::describe_test(line)) }
            td { @match &line.grade {
                Some(grade) => span class={ "grade " (class(grade)) } { (card::describe_grade(grade)) },
                None => (UNKNOWN),
            } }
            td class="n" { (cell(line.measured, size)) " " (card::describe_unit(line).filter(|_| line.measured.is_some()).unwrap_or_default()) }
            td { (cell(line.device.as_deref(), str::to_owned)) }
            td class="m" { (cell(card::describe_thresholds(line), |thresholds| thresholds)) }
            td class="w" { (card::describe_note(line)) }
        }
    }
}

/// Returns the class for the colour of a letter. Colour is never the only mark: the letter stands beside it.
fn class(grade: &Grade) -> &'static str {
    match grade.letter.chars().next() {
        Some('A') => "good",
        Some('B') => "fair",
        _ => "poor",
    }
}
