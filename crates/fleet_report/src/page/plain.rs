//! The first rows as a plain table, for a reader without JavaScript.

use ebs_base::format::{count, pct, plain, usd};
use ebs_fleet_row::{Action, Row, Volumes};
use ebs_report::html::kit::{Table, cell};
use maud::{Markup, html};

use crate::action::describe_named;
use crate::money::{price, saving};
use crate::volume_type::has_chosen_throughput;

/// Most rows of the plain table.
const MAX_ROWS: usize = 100;

/// Names of its columns.
const HEAD: [&str; 10] =
    ["Volume", "Name", "Instance", "Now", "Recommended", "$ a month", "Saved", "At limit", "Risk", "Reason"];

/// Renders the first rows of all.
pub(super) fn markup(rows: &[&Row]) -> Markup {
    let first = &rows[..rows.len().min(MAX_ROWS)];
    html! {
        noscript {
            h2 { "Volumes" }
            p { "Without JavaScript the page shows the first " (count(first.len() as f64)) " of " (count(rows.len() as f64)) "." }
            (Table::new(HEAD, first.iter().map(|row| line(row)).collect()).markup())
        }
    }
}

fn line(row: &Row) -> Vec<String> {
    let text = |text: &Option<String>| cell(text.as_deref(), plain);
    let recommended = match (&row.recommended, row.action) {
        (Some(recommended), Action::Modify) => volumes(recommended),
        _ => describe_named(row).into_owned(),
    };
    vec![
        plain(&row.volume),
        row.name.as_ref().or(row.claim.as_ref()).map_or_else(String::new, |name| plain(name)),
        text(if row.instance_type.is_some() { &row.instance_type } else { &row.instance }),
        cell(row.present.as_ref(), volumes),
        recommended,
        cell(price(row.present.as_ref()), usd),
        cell(saving(row), usd),
        cell(row.limit_pct, pct),
        text(&row.risk),
        plain(&row.reason.text),
    ]
}

fn volumes(volumes: &Volumes) -> String {
    let number = |value: u64| count(value as f64);
    let Volumes { volume_type, size_gib, iops, throughput_mibps, .. } = volumes;
    let many = if volumes.volumes > 1 { format!("{} × ", volumes.volumes) } else { String::new() };
    let mibps =
        if has_chosen_throughput(volumes) { format!(", {} MiB/s", number(*throughput_mibps)) } else { String::new() };
    let volume_type = plain(volume_type);
    format!("{many}{volume_type} {} GiB, {} IOPS{mibps}", number(*size_gib), number(*iops))
}
