//! The HTML document.

use ebs_base::format::{count, plain};
use ebs_fleet_row::Row;
use ebs_report::html::kit::{Shell, scrolling};
use jiff::Timestamp;
use maud::{Markup, PreEscaped, html};

use super::{plain, script, summary, sums};
use crate::sort::Sort;
use crate::totals::{By, Total, Totals};

/// Form of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageOptions {
    /// Time at which it was made.
    pub generated_at: Timestamp,
    /// Properties that totals are listed by.
    pub totals: Vec<By>,
}

impl PageOptions {
    /// Returns the form with totals by account, region, owner and instance.
    pub fn new(generated_at: Timestamp) -> PageOptions {
        PageOptions { generated_at, totals: vec![By::Account, By::Region, By::Owner, By::Instance] }
    }
}

/// Renders rows as a page.
pub fn render_page(rows: &[Row], options: &PageOptions) -> String {
    let mut sorted: Vec<&Row> = rows.iter().collect();
    sorted.sort_by(|one, other| Sort::Money.compare(one, other));
    let totals: Vec<Totals> = options.totals.iter().map(|by| Totals::new(rows, by.clone())).collect();
    let script = script::script();
    let header = html! {
        h1 { (count(rows.len() as f64)) " EBS volumes" }
        p class="muted" { "ebsctl fleet, " (options.generated_at.strftime("%Y-%m-%d %H:%M UTC")) (time(rows)) }
        (summary::markup(&Total::from_rows(rows)))
    };
    let main = html! {
        div id="app" hidden { (controls()) (figure()) (table()) }
        (plain::markup(&sorted))
        (sums::markup(&totals))
    };
    let scripts = html! {
        script type="application/json" id="rows" { (PreEscaped(script::data(sorted.iter().copied()))) }
        script { (PreEscaped(&script)) }
    };
    let source = script::source(&script);
    let shell =
        Shell { title: "EBS volumes of a fleet", style: include_str!("page.css"), script_source: Some(&source) };
    shell.render(&header, &main, &scripts)
}

/// The time that the evidence is of.
fn time(rows: &[Row]) -> String {
    let from = rows.iter().filter_map(|row| row.evidence.from.as_deref()).min();
    let to = rows.iter().filter_map(|row| row.evidence.to.as_deref()).max();
    from.zip(to).map(|(from, to)| plain(&format!(" · evidence from {from} to {to}"))).unwrap_or_default()
}

fn controls() -> Markup {
    html! {
        h2 { "Volumes" }
        div class="controls" {
            label { "Search" input id="search" type="search" autocomplete="off" placeholder="name, ID, owner, instance, tag=value …"; }
            label { "Action" select id="action" { option value="" { "all" } } }
            label { "Finding" select id="finding" { option value="" { "all" } } }
        }
        p id="count" class="muted" role="status" {}
    }
}

fn figure() -> Markup {
    html! {
        figure {
            h3 { "Saving against risk" }
            p class="unit" { "US dollars a month, on a scale that is logarithmic from a dollar on; risk as AWS Compute Optimizer names it" }
            svg id="scatter" viewBox="0 0 960 300" role="img" aria-label="A point a volume: its saving a month against the risk of the change; the table has the same figures." {}
            ul class="key" id="scatter-key" {}
            p class="caption" { span id="pointed" { "A click on a point unfolds its volume." } " " span id="scatter-text" {} }
        }
    }
}

fn table() -> Markup {
    html! {
        (scrolling(&html! { table id="volumes" { thead { tr id="heads" {} } tbody id="body" {} } }))
        div class="pager" {
            button id="before" type="button" { "previous" }
            span id="page" {}
            button id="after" type="button" { "next" }
        }
    }
}

#[cfg(test)]
#[path = "render_tests.rs"]
mod tests;
