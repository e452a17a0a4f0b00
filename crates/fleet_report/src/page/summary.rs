//! The head of the page: the figures of the whole fleet.

use ebs_base::format::{count, usd};
use ebs_fleet_row::Action;
use ebs_report::html::kit::{Tile, tiles};
use maud::Markup;

use crate::totals::{Sum, Total};

/// Renders the figures as tiles.
pub(super) fn markup(all: &Total) -> Markup {
    let known =
        |number: u64| if number == all.volumes { String::new() } else { format!("known for {}", count(number as f64)) };
    let sum = |sum: Sum| if sum.known == 0 { "unknown".to_owned() } else { usd(sum.usd) };
    let amount = |usd| sum(Sum { usd, known: all.saving_known });
    let number = |number: u64| count(number as f64);
    tiles(&[
        Tile::new("Volumes", number(all.volumes), ""),
        Tile::new("Price a month", sum(all.present), known(all.present.known)),
        Tile::new("Price afterwards", sum(all.after), known(all.after.known)),
        Tile::new("Saved a month", amount(all.saved), known(all.saving_known)),
        Tile::new("Added a month", amount(all.added), known(all.saving_known)),
        Tile::new("Volumes at a limit", number(all.at_limit), ""),
        Tile::new("Without an answer", number(all.count(Action::NoAnswer)), ""),
    ])
}
