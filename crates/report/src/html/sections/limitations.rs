//! The evidence, its limitations and its cost.

use maud::html;

use super::Section;
use crate::html::Page;
use crate::reasons::{evidence, limitations, next_steps, sampling_cost};

pub fn section(page: &Page) -> Section {
    let report = page.report;
    let limitations = limitations::describe(report);
    let body = html! {
        p { (evidence::describe(report)) "." }
        @if page.insufficient.is_none() {
            h3 { "What would change the answer" }
            ul class="plain" { @for change in limitations::describe_changes(report) { li { (change) } } }
        }
        @if !limitations.is_empty() {
            h3 { "Limitations" }
            ul class="plain" { @for limitation in &limitations { li { (limitation) } } }
        }
        p class="muted" { "Sampling cost: " (sampling_cost::describe(report)) "." }
        p class="muted" { "The rows behind this: " code { "SELECT * FROM " (next_steps::rows_call(report).to_string()) } }
    };
    Section { id: "doubts", name: "Evidence and doubts", heading: "Evidence and doubts".to_owned(), body }
}
