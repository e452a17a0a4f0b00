//! The report card.

use maud::{Markup, html};

use super::table::{UNKNOWN, cell};
use ebs_base::format::{count, size};
use ebs_comparison::card::Line;

/// Its section: what was measured, and below it what was not.
pub fn markup(lines: &[Line]) -> Markup {
    let (measured, missing): (Vec<&Line>, Vec<&Line>) =
        lines.iter().partition(|line| line.measured.is_some() || line.basis.is_some());
    let source = lines.iter().find_map(|line| line.source);
    html! {
        section id="card" {
            h2 { "Report card" }
            @if let Some(source) = source {
                p class="muted" { "Thresholds: " (source) ". A grade with ~ is an approximation from live evidence." }
            }
            @if !measured.is_empty() { (rows(&measured)) }
            @if !missing.is_empty() {
                details { summary { "Not measured, or not found: " (count(missing.len() as f64)) } (rows(&missing)) }
            }
        }
    }
}

fn rows(lines: &[&Line]) -> Markup {
    html! {
        div class="scroll" tabindex="0" role="region" aria-label="table" { table {
            thead { tr { @for name in ["test", "grade", "measured", "device", "thresholds", "note"] { th scope="col" { (name) } } } }
            tbody { @for line in lines { (row(line)) } }
        } }
    }
}

fn row(line: &Line) -> Markup {
    html! {
        tr {
            td class="m" { (line.test) }
            td { @match &line.grade {
                Some(grade) => span class={ "grade " (class(grade)) } { (grade) },
                None => (UNKNOWN),
            } }
            td class="n" { (cell(line.measured, size)) " " (line.unit.filter(|_| line.measured.is_some()).unwrap_or_default()) }
            td { (cell(line.device.as_deref(), str::to_owned)) }
            td class="m" { (cell(line.thresholds.as_deref(), str::to_owned)) }
            td class="w" { (line.note) }
        }
    }
}

/// A colour for a letter; the letter says the same.
fn class(grade: &str) -> &'static str {
    match grade.trim_start_matches('~').chars().next() {
        Some('A') => "good",
        Some('B') => "fair",
        _ => "poor",
    }
}
