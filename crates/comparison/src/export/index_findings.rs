//! Findings about indexes in a document: bounds of their number, their texts and their figures.

use std::borrow::Cow;

use ebs_base::units::{LATEST_US, SECOND_US};
use ebs_tuning::indexes::{Cost, Finding, Kind, Price, Reason};

use super::length_limit::room_left;
use super::limits::{MAX_INDEX_FINDINGS, MAX_INDEX_FINDINGS_BYTES};

/// Largest price of the planner. A choice, far above that of any plan that ends.
const MAX_PRICE: f64 = 1e100;
/// Largest rate of reads, writes and entries a second. A choice: no server has so many.
const MAX_RATE: f64 = 1e9;
/// Largest rate of WAL, bytes a second. A choice, likewise.
const MAX_WAL_RATE: f64 = 1e15;

/// Findings as a document takes them: those that [`check`] refuses are left out. `pause` is called before each.
pub(super) fn bounded<'a>(findings: &'a [Finding], pause: &dyn Fn()) -> Cow<'a, [Finding]> {
    if check(findings, pause).is_ok() {
        return Cow::Borrowed(findings);
    }
    let mut room = MAX_INDEX_FINDINGS_BYTES;
    let mut fits = |finding: &&Finding| {
        pause();
        let left = room_left(*finding, room).filter(|_| problem(finding).is_none());
        room = left.unwrap_or(room);
        left.is_some()
    };
    findings.iter().filter(|finding| fits(finding)).take(MAX_INDEX_FINDINGS).cloned().collect()
}

/// Checks the findings of a document; the problem of the first that is refused. `pause` is called before each.
pub(super) fn check(findings: &[Finding], pause: &dyn Fn()) -> Result<(), String> {
    if findings.len() > MAX_INDEX_FINDINGS {
        return Err(format!("it has more than {MAX_INDEX_FINDINGS} rows"));
    }
    let mut room = MAX_INDEX_FINDINGS_BYTES;
    (1..).zip(findings).try_for_each(|(number, finding)| {
        pause();
        if let Some(problem) = problem(finding) {
            return Err(format!("row {number} {problem}"));
        }
        room = room_left(finding, room)
            .ok_or_else(|| format!("it has more than {} MiB", MAX_INDEX_FINDINGS_BYTES >> 20))?;
        Ok(())
    })
}

fn problem(finding: &Finding) -> Option<&'static str> {
    if !is_in_range(finding) {
        Some("has a figure out of range")
    } else if !has_figures(finding) {
        Some("is an index without prices, saving or cost")
    } else {
        None
    }
}

/// True if a finding of an index that is not there has the figures that its price is computed from.
fn has_figures(finding: &Finding) -> bool {
    let Finding { before, after, saved_s, cost, .. } = finding;
    finding.kind != Kind::Index || (before.is_some() && after.is_some() && saved_s.is_some() && cost.is_some())
}

/// True if no figure is infinite or so large that a computation with it would not be finite.
fn is_in_range(finding: &Finding) -> bool {
    let prices = [&finding.before, &finding.after].into_iter().flatten();
    let costs = || finding.cost.iter();
    let rates = costs().flat_map(|Cost { entries_s, reads_s, writes_s, .. }| [entries_s, reads_s, writes_s]);
    let counted_s = match &finding.reason {
        Reason::Unused { counted_s } => *counted_s,
        _ => None,
    };
    let latest_s = LATEST_US as f64 / SECOND_US as f64;
    prices.flat_map(|Price { cost, pages, .. }| [cost, pages]).all(|price| (0.0..=MAX_PRICE).contains(price))
        && rates.chain(&finding.reads_s).chain(&finding.saved_s).all(|rate| rate.abs() <= MAX_RATE)
        && costs().all(|cost| cost.wal_bytes_s.abs() <= MAX_WAL_RATE)
        && finding.size_bytes.is_none_or(|bytes| bytes >= 0)
        && counted_s.is_none_or(|seconds| (0.0..latest_s).contains(&seconds))
}

#[cfg(test)]
#[path = "index_findings_tests.rs"]
pub mod tests;
