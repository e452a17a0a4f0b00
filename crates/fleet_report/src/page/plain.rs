//! The first rows as a plain table, for a reader without JavaScript.

use ebs_base::format::{count, pct, plain, usd};
use ebs_fleet_row::{Action, Row, Volumes};
use maud::{Markup, html};

use crate::action::describe;
use crate::money::{price, saving};

/// Most rows of the plain table.
const MAX_ROWS: usize = 100;

/// Renders the first rows of all.
pub(super) fn markup(rows: &[&Row]) -> Markup {
    html! {
        noscript {
            h2 { "Volumes" }
            p { "Without JavaScript the page shows the first " (count(rows.len().min(MAX_ROWS) as f64)) " of " (count(rows.len() as f64)) "." }
            div class="scroll" tabindex="0" { table {
                thead { tr {
                    @for title in ["Volume", "Name", "Instance", "Now", "Recommended", "$ a month", "Saved", "At limit", "Risk", "Reason"] {
                        th scope="col" { (title) }
                    }
                } }
                tbody { @for row in rows.iter().take(MAX_ROWS) { (line(row)) } }
            } }
        }
    }
}

fn line(row: &Row) -> Markup {
    let text = |text: &Option<String>| text.as_deref().map_or_else(unknown, plain);
    let recommended = match (&row.recommended, row.action) {
        (Some(recommended), Action::Modify) => volumes(recommended),
        (_, action) => describe(action).to_owned(),
    };
    html! {
        tr {
            td { (plain(&row.volume)) }
            td { (row.name.as_ref().or(row.claim.as_ref()).map_or_else(String::new, |name| plain(name))) }
            td { (text(if row.instance_type.is_some() { &row.instance_type } else { &row.instance })) }
            td { (row.present.as_ref().map_or_else(unknown, volumes)) }
            td { (recommended) }
            td class="n" { (price(row.present.as_ref()).map_or_else(unknown, usd)) }
            td class="n" { (saving(row).map_or_else(unknown, usd)) }
            td class="n" { (row.limit_pct.map_or_else(unknown, pct)) }
            td { (text(&row.risk)) }
            td class="w" { (plain(&row.reason.text)) }
        }
    }
}

fn unknown() -> String {
    "–".to_owned()
}

fn volumes(volumes: &Volumes) -> String {
    let number = |value: u64| count(value as f64);
    let Volumes { volume_type, size_gib, iops, throughput_mibps, .. } = volumes;
    let many = if volumes.volumes > 1 { format!("{} × ", volumes.volumes) } else { String::new() };
    let mibps = if volume_type == "gp3" { format!(", {} MiB/s", number(*throughput_mibps)) } else { String::new() };
    let volume_type = plain(volume_type);
    format!("{many}{volume_type} {} GiB, {} IOPS{mibps}", number(*size_gib), number(*iops))
}
