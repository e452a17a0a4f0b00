//! Differences between an offer file and the built-in prices.

use std::fmt::Write;

use ebs_aws::catalogue::{PRICES_AS_OF, prices};
use ebs_aws::offer::{Offer, Row};

/// Maximum number of changes that are listed; a file of all regions may have hundreds.
const MAX_LISTED: usize = 40;

/// Maximum number of regions with a line each; with more, those without a change share one.
const MAX_UNCHANGED_LISTED: usize = 3;

/// A price of an offer file beside the built-in one.
struct Change<'a> {
    row: &'a Row,
    built_in: Option<String>,
}

impl Change<'_> {
    fn new(row: &Row) -> Change<'_> {
        let built_in = prices(&row.region).ok().and_then(|prices| Some(prices.items.get(&row.item)?.usd.to_string()));
        Change { row, built_in }
    }

    fn is_none(&self) -> bool {
        self.built_in.as_ref() == Some(&self.row.usd.to_string())
    }
}

/// The differences as text: numbers by region, then a table.
pub fn describe(offer: &Offer) -> String {
    let changes: Vec<Change> = offer.rows.iter().map(Change::new).collect();
    [heading(offer), summary(&changes), table(&changes), left_out(offer)].concat()
}

fn heading(offer: &Offer) -> String {
    let Offer { code, version, published, .. } = offer;
    let older = if published.as_str() < PRICES_AS_OF { ", older than what is built in: of no effect" } else { "" };
    format!("{code} {version}, published {published}{older}\n")
}

fn summary(changes: &[Change]) -> String {
    let regions: Vec<&[Change]> = changes.chunk_by(|a, b| a.row.region == b.row.region).collect();
    let mut text = String::new();
    let mut unchanged_regions = 0;
    for region in &regions {
        let unchanged = region.iter().filter(|change| change.is_none()).count();
        let new = region.iter().filter(|change| change.built_in.is_none()).count();
        let changed = region.len() - unchanged - new;
        if unchanged == region.len() && regions.len() > MAX_UNCHANGED_LISTED {
            unchanged_regions += 1;
            continue;
        }
        let name = &region[0].row.region;
        let _ = writeln!(text, "  {name}: {unchanged} as built in, {changed} changed, {new} new");
    }
    if unchanged_regions > 0 {
        let _ = writeln!(text, "  {unchanged_regions} regions as built in");
    }
    text
}

fn table(changes: &[Change]) -> String {
    let mut text = String::new();
    let listed: Vec<&Change> = changes.iter().filter(|change| !change.is_none()).collect();
    for Change { row, built_in } in listed.iter().take(MAX_LISTED) {
        let built_in = built_in.as_deref().unwrap_or("-");
        let _ = writeln!(text, "  {:<16} {:<26} {built_in:>10} → {}", row.region, row.item.to_string(), row.usd);
    }
    if listed.len() > MAX_LISTED {
        let _ = writeln!(text, "  … and {} more", listed.len() - MAX_LISTED);
    }
    text
}

fn left_out(offer: &Offer) -> String {
    offer.left_out.iter().map(|(reason, count)| format!("  left out: {count} {reason}\n")).collect()
}
