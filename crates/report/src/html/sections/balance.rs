//! PostgreSQL's bytes against the device's.

use maud::html;

use super::Section;
use crate::html::Page;
use crate::html::figures::balance;
use ebs_workload::balance::lines;

pub fn section(page: &Page) -> Section {
    let window = page.report.window;
    let lines = if window.intervals.is_empty() { Vec::new() } else { lines(window) };
    let body = html! {
        @match balance::figure(&lines) {
            Some(figure) => (figure.markup()),
            None => p { "Unknown: neither PostgreSQL's bytes nor a device's are in this evidence." },
        }
    };
    Section { id: "balance-sheet", name: "Balance", heading: "Bytes of PostgreSQL and of the devices".to_owned(), body }
}
