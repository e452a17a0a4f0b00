//! Reason for a change, its findings, and what is not known of it, as comments above it: who approves a wave sees what is lost.

use ebs_base::format::brief_duration;
use ebs_fleet_row::{Coded, Row};

use super::change::Change;

/// Describes the reason for a change, each finding, and facts that are not known and that bear on the change.
pub(super) fn rationale(change: &Change) -> Vec<String> {
    let row = change.row;
    let reason = Some(&row.reason).filter(|reason| !reason.text.is_empty());
    let reason = reason.map(|reason| format!("reason: {}", reason.text));
    let findings = row.findings.iter().map(finding);
    reason.into_iter().chain(findings).chain(unknown(row)).collect()
}

fn finding(finding: &Coded) -> String {
    let text = if finding.text.is_empty() { String::new() } else { format!(": {}", finding.text) };
    format!("finding {}{text}", finding.code)
}

/// Describes bursts and a daily cycle that are not known, in few words.
fn unknown(row: &Row) -> Option<String> {
    let facts: Vec<String> = row.unknown.iter().filter_map(|fact| brief(fact, row)).collect();
    (!facts.is_empty()).then(|| format!("not known: {}", facts.join("; ")))
}

fn brief(fact: &Coded, row: &Row) -> Option<String> {
    match fact.code.as_str() {
        "bursts" => {
            let within = row.evidence.interval_s.map_or("a sample".to_owned(), brief_duration);
            Some(format!("bursts within {within}"))
        }
        "daily_cycle" => Some("demand at other times of a day".to_owned()),
        _ => None,
    }
}
