//! The report as one page: HTML with plots in SVG, which opens no connection, runs no script, and can be printed. Everything
//! that was said by others (labels, notes, names of devices) is escaped by maud.

mod balance;
mod bars;
mod card;
mod comparison;
mod figure;
mod findings;
mod histograms;
mod options;
mod over_time;
mod plot;
mod price;
mod roles;
mod summary;
mod table;
mod theme;
mod waits;

pub use comparison::Comparison;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::report::{self, Clock, Report, who};
use ebs_advice::advice::{Frontier, insufficient};
use ebs_comparison::card::{Histogram, Line};
use ebs_workload::balance::lines;
use ebs_workload::course::Course;

/// Everything the page is made of.
pub struct Page<'a> {
    /// The report.
    pub report: &'a Report<'a>,
    /// Why there is no advice; `None` where there is.
    pub insufficient: Option<String>,
    /// What was counted from flush to flush; `None` where that was not asked.
    pub course: Option<&'a Course>,
    /// Price against predicted throughput, of each part.
    pub frontier: Vec<Frontier>,
    /// Requests by latency, one by one.
    pub histograms: Vec<Histogram>,
    /// Grades.
    pub card: Vec<Line>,
    /// What it differs by from a baseline, if one was named.
    pub comparison: Option<Comparison>,
    /// Which time of day it was.
    pub clock: Clock,
}

impl Page<'_> {
    /// Why there is no advice on the evidence of a report.
    pub fn insufficient(report: &Report) -> Option<String> {
        insufficient(report.window, &report.coverage)
    }

    /// What there is on the page: where it is, and its name.
    fn sections(&self) -> Vec<(&'static str, &'static str)> {
        let all = [
            ("demand", "Demand", true),
            ("sessions", "Sessions", true),
            ("balance-sheet", "Balance", true),
            ("price", "Price", self.insufficient.is_none()),
            ("options", "Volumes", self.insufficient.is_none()),
            ("findings", "Before you buy", !self.report.findings.is_empty()),
            ("card", "Report card", !self.card.is_empty()),
            ("comparison", "Comparison", self.comparison.is_some()),
            ("doubts", "Evidence and doubts", true),
        ];
        all.into_iter().filter(|(.., there)| *there).map(|(anchor, name, _)| (anchor, name)).collect()
    }
}

/// The page.
pub fn page(page: &Page) -> String {
    let report = page.report;
    let advised = page.insufficient.is_none();
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="referrer" content="no-referrer";
                // Whatever anybody might have managed to put in: nothing is loaded, nothing runs.
                meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:";
                link rel="icon" href="data:,";
                title { "EBS advice for " (report.subject) }
                style { (PreEscaped(theme::style_sheet())) }
            }
            body {
                (summary::markup(page))
                main {
                    (roles::demand(page))
                    (sessions(page))
                    (balance_sheet(page))
                    @if advised { (prices(page)) (options::markup(page)) }
                    @if !report.findings.is_empty() { (findings::markup(&report.findings)) }
                    @if !page.card.is_empty() { (card::markup(&page.card)) }
                    @if let Some(comparison) = &page.comparison { (comparison.markup()) }
                    (summary::doubts(page))
                    details { summary { "The report as text" } pre tabindex="0" { (report::lines(report).join("\n")) } }
                }
                footer { "ebs_advisor " (env!("CARGO_PKG_VERSION")) }
            }
        }
    };
    markup.into_string()
}

fn sessions(page: &Page) -> Markup {
    let report = page.report;
    let figure = waits::figure(&report.waits, page.course, &page.clock);
    html! {
        section id="sessions" {
            h2 { "Who asked, and what sessions waited for" }
            p { (who::who(report)) }
            p { (who::sessions(report)) }
            @if let Some(figure) = figure { (figure.markup()) }
        }
    }
}

fn balance_sheet(page: &Page) -> Markup {
    let lines = if page.report.window.moments.is_empty() { Vec::new() } else { lines(page.report.window) };
    html! {
        section id="balance-sheet" {
            h2 { "Where the bytes went" }
            @match balance::figure(&lines) {
                Some(figure) => (figure.markup()),
                None => p { "Not known: neither PostgreSQL's bytes nor a device's are in this evidence." },
            }
        }
    }
}

fn prices(page: &Page) -> Markup {
    html! {
        section id="price" {
            h2 { "What more money buys" }
            @for (at, found) in page.frontier.iter().enumerate() {
                @match price::figure(format!("frontier-{}", at + 1), found, &roles::marked(page, &found.role)) {
                    Some(figure) => (figure.markup()),
                    None => p { "No prediction for " (found.role) ": " (found.points.as_ref().err().map_or("", String::as_str)) "." },
                }
            }
        }
    }
}

#[cfg(test)]
#[path = "page_tests.rs"]
mod tests;
