//! The comparison with a baseline: the gate, which shows differing conditions, and the ratios.

use maud::{Markup, html};

use super::Section;
use crate::html::Comparison;
use crate::html::figures::ratios;
use crate::html::kit::{Table, cell};
use crate::reasons::comparison::describe_notes;
use ebs_base::format::{count, figure};
use ebs_comparison::compare::{Row, Verdict};

pub fn section(comparison: &Comparison) -> Section {
    let Comparison { baseline, run, rows } = comparison;
    let body = html! {
        p { "A ratio is " strong { (run) } " over " strong { (baseline) } ", with its 95 % interval." }
        (gate(rows))
        @if let Some(figure) = ratios::figure(comparison) { (figure.markup()) }
    };
    Section { id: "comparison", name: "Comparison", heading: format!("Compared with {baseline}"), body }
}

/// Renders the conditions that differ, and all conditions as a table.
fn gate(rows: &[Row]) -> Markup {
    let gate: Vec<&Row> = rows.iter().filter(|row| row.section == "gate").collect();
    let with = |verdict: Verdict| gate.iter().filter(move |row| row.verdict == Some(verdict));
    let differing = with(Verdict::Differs).count();
    let cells = gate.iter().map(|row| {
        let verdict = cell(row.verdict, |verdict| verdict.name().to_owned());
        vec![row.metric.clone(), verdict, condition(row.a, row.unit), condition(row.b, row.unit), describe_notes(row)]
    });
    let table = Table::new(vec!["gate", "verdict", "baseline", "run", "note"], cells.collect());
    html! {
        @if differing > 0 {
            p {
                span class="poor" { (count(differing as f64)) " of " (count(gate.len() as f64)) " conditions differ" }
                ": a difference below may be theirs."
            }
            ul class="plain" { @for row in with(Verdict::Differs) { li { strong { (row.metric) } ": " (describe_notes(row)) } } }
        } @else {
            p {
                "Nothing was found that makes the comparison doubtful"
                @if with(Verdict::NotKnown).count() > 0 { ", as far as it is known" }
                "."
            }
        }
        details { summary { "Can they be compared?" } (table.markup()) }
    }
}

/// Formats a condition: `2 runs`. Most are counts.
fn condition(value: Option<f64>, unit: &str) -> String {
    let text = |value: f64| if value.fract() == 0.0 { count(value) } else { figure(value) };
    cell(value, |value| format!("{} {unit}", text(value)).trim_end().to_owned())
}
