//! Totals as tables.

use ebs_base::format::{count, plain, usd};
use ebs_fleet_row::Action;
use ebs_report::html::kit::{Table, UNKNOWN};
use maud::{Markup, html};

use crate::totals::{Sum, Total, Totals};

/// Most groups of one property that are listed; the others are counted.
const MAX_GROUPS: usize = 50;

/// Renders the totals of each property.
pub(super) fn markup(totals: &[Totals]) -> Markup {
    html! {
        section id="totals" class="totals" {
            h2 { "Totals" }
            @for totals in totals { (table(totals)) }
        }
    }
}

fn table(totals: &Totals) -> Markup {
    let more = totals.groups.len().saturating_sub(MAX_GROUPS);
    let by = plain(&totals.by.name());
    let head = [by.as_str(), "Volumes", "$ a month", "Afterwards", "Saved", "Added", "At a limit", "No answer"];
    let rows = totals.groups.iter().take(MAX_GROUPS).map(line).collect();
    html! {
        h3 { "By " (by) }
        (Table { names_rows: true, ..Table::new(head, rows) }.markup())
        @if more > 0 { p class="muted" { (count(more as f64)) " more, with smaller savings." } }
    }
}

fn line(total: &Total) -> Vec<String> {
    let number = |value: u64| count(value as f64);
    let amount = |usd| price(Sum { usd, known: total.saving_known }, total.volumes);
    vec![
        total.name.as_deref().map_or_else(|| "(unknown)".to_owned(), plain),
        number(total.volumes),
        price(total.present, total.volumes),
        price(total.after, total.volumes),
        amount(total.saved),
        amount(total.added),
        number(total.at_limit),
        number(total.count(Action::NoAnswer)),
    ]
}

/// A sum, with the number of volumes that it is of where it is not of all.
fn price(sum: Sum, volumes: u64) -> String {
    match sum.known {
        0 => UNKNOWN.to_owned(),
        known if known == volumes => usd(sum.usd),
        known => format!("{} (of {})", usd(sum.usd), count(known as f64)),
    }
}
