//! The first line: which volumes, and on what evidence.

use std::cmp::Ordering;

use ebs_base::format::{brief_duration, count};
use ebs_fleet_row::Row;
use jiff::Timestamp;

use crate::sort::Sort;

/// Describes the rows: how many are shown, in which order, and the time and interval of the evidence.
pub(super) fn describe(rows: &[&Row], shown: usize, sort: Sort) -> String {
    let all = rows.len();
    let volumes = if all == 1 { "volume" } else { "volumes" };
    let number = |value: usize| count(value as f64);
    let number = if shown < all { format!("{} of {}", number(shown), number(all)) } else { number(all) };
    let order = match sort {
        Sort::Money => "by saving",
        Sort::Pain => "by time at a limit",
    };
    let parts = [Some(format!("ebsctl fleet · {number} {volumes}, {order}")), time(rows), intervals(rows)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

fn time(rows: &[&Row]) -> Option<String> {
    let from = rows.iter().filter_map(|row| row.evidence.from.as_deref()).min()?;
    let to = rows.iter().filter_map(|row| row.evidence.to.as_deref()).max()?;
    let [first, last] = [from, to].map(|time| time.parse::<Timestamp>().ok());
    let seconds = last?.duration_since(first?).as_secs_f64();
    let day = |time: &str| time.chars().take("2026-11-26".len()).collect::<String>();
    Some(format!("{} until {}", brief_duration(seconds), day(to)))
}

fn intervals(rows: &[&Row]) -> Option<String> {
    let intervals = || rows.iter().filter_map(|row| row.evidence.interval_s);
    let least = intervals().min_by(f64::total_cmp)?;
    let most = intervals().max_by(f64::total_cmp)?;
    let range = match least.total_cmp(&most) {
        Ordering::Less => format!("{} to {}", brief_duration(least), brief_duration(most)),
        _ => brief_duration(most),
    };
    Some(format!("a sample every {range}"))
}
