//! Totals as tables.

use ebs_base::format::{count, plain, usd};
use ebs_fleet_row::Action;
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
    html! {
        h3 { "By " (plain(&totals.by.name())) }
        div class="scroll" tabindex="0" {
            table {
                thead { tr {
                    th scope="col" { (plain(&totals.by.name())) }
                    @for title in ["Volumes", "$ a month", "Afterwards", "Saved", "Added", "At a limit", "No answer"] {
                        th class="n" scope="col" { (title) }
                    }
                } }
                tbody { @for total in totals.groups.iter().take(MAX_GROUPS) { (line(total)) } }
            }
        }
        @if more > 0 { p class="muted" { (count(more as f64)) " more, with smaller savings." } }
    }
}

fn line(total: &Total) -> Markup {
    let number = |value: u64| count(value as f64);
    let amount = |usd| price(Sum { usd, known: total.saving_known }, total.volumes);
    html! {
        tr {
            th scope="row" { (total.name.as_deref().map_or_else(|| "(unknown)".to_owned(), plain)) }
            td class="n" { (number(total.volumes)) }
            td class="n" { (price(total.present, total.volumes)) }
            td class="n" { (price(total.after, total.volumes)) }
            td class="n" { (amount(total.saved)) }
            td class="n" { (amount(total.added)) }
            td class="n" { (number(total.at_limit)) }
            td class="n" { (number(total.count(Action::NoAnswer))) }
        }
    }
}

/// A sum, with the number of volumes that it is of where it is not of all.
fn price(sum: Sum, volumes: u64) -> String {
    match sum.known {
        0 => "–".to_owned(),
        known if known == volumes => usd(sum.usd),
        known => format!("{} (of {})", usd(sum.usd), count(known as f64)),
    }
}
