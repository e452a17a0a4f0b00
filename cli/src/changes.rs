//! What an offer file changes: its prices beside those built in.

use std::fmt::Write;

use ebs_aws::catalogue::{PRICES_AS_OF, prices};
use ebs_aws::offer::{Offer, Row};

/// Changes that are listed; a file of all regions may have hundreds.
const SHOWN: usize = 40;

/// A short table of what changed, per region.
pub fn table(offer: &Offer) -> String {
    let (mut changed, mut regions, mut hidden) = (String::new(), Vec::<(&str, [usize; 3])>::new(), 0);
    for row in &offer.rows {
        let known = known(row);
        let kind = match &known {
            Some(old) if *old == row.usd.to_string() => 0,
            Some(_) => 1,
            None => 2,
        };
        match regions.last_mut() {
            Some((region, counts)) if *region == row.region => counts[kind] += 1,
            _ => {
                let mut counts = [0; 3];
                counts[kind] = 1;
                regions.push((&row.region, counts));
            }
        }
        if kind == 0 {
            continue;
        }
        if changed.lines().count() >= SHOWN {
            hidden += 1;
            continue;
        }
        let old = known.as_deref().unwrap_or("-");
        let _ = writeln!(changed, "  {:<16} {:<26} {old:>10} → {}", row.region, row.item.to_string(), row.usd);
    }
    if hidden > 0 {
        let _ = writeln!(changed, "  … and {hidden} more");
    }
    format!("{}{}{changed}{}", heading(offer), summary(&regions), left_out(offer))
}

/// The built-in price.
fn known(row: &Row) -> Option<String> {
    Some(prices(&row.region).ok()?.items.get(&row.item)?.usd.to_string())
}

fn heading(offer: &Offer) -> String {
    let Offer { code, version, published, .. } = offer;
    let older = if published.as_str() < PRICES_AS_OF { ", older than what is built in: of no effect" } else { "" };
    format!("{code} {version}, published {published}{older}\n")
}

fn summary(regions: &[(&str, [usize; 3])]) -> String {
    let mut text = String::new();
    // A region that is as it was needs no line of its own in a list of many.
    let quiet = regions.iter().filter(|(_, [_, changed, new])| changed + new == 0 && regions.len() > 3).count();
    for (region, [same, changed, new]) in regions {
        if changed + new > 0 || regions.len() <= 3 {
            let _ = writeln!(text, "  {region}: {same} as built in, {changed} changed, {new} new");
        }
    }
    if quiet > 0 {
        let _ = writeln!(text, "  {quiet} regions as built in");
    }
    text
}

fn left_out(offer: &Offer) -> String {
    offer.left_out.iter().map(|(why, count)| format!("  left out: {count} {why}\n")).collect()
}
