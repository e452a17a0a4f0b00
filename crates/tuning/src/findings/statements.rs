//! The statement that causes most of the reads.

use super::basis::Basis;
use super::finding::{Finding, Kind, Saving};
use super::rates::Rates;
use ebs_base::format::{count, ms, plain, rate, size};
use ebs_workload::statements::StatementDemand;

/// A statement that causes less of the demand is none to begin with. A choice.
const MUCH: f64 = 0.1;

/// Longest part of a statement's text that is shown.
const TEXT: usize = 70;

/// Statements that each cause a tenth of the demand or more; at most three, as more would crowd out everything else.
pub(super) fn finding(basis: &Basis, rates: &Rates) -> Vec<Finding> {
    let Some(observed) = basis.observed else { return Vec::new() };
    let mut much: Vec<&StatementDemand> = observed
        .statements
        .iter()
        .filter(|statement| statement.demand_share.is_some_and(|share| share >= MUCH))
        .collect();
    much.sort_by(|a, b| b.demand_share.unwrap_or(0.0).total_cmp(&a.demand_share.unwrap_or(0.0)));
    much.truncate(3);
    much.into_iter().filter_map(|statement| one(basis, rates, statement)).collect()
}

fn one(basis: &Basis, rates: &Rates, statement: &StatementDemand) -> Option<Finding> {
    let reads_s = statement.device_reads_s?;
    let blocks = statement.per_call(statement.blocks_read as f64)?;
    let calls_s = statement.per_second(statement.calls as f64)?;
    let each = statement.read_ms.and_then(|read_ms| statement.per_call(read_ms));
    let each = each.map(|each| format!(", {} ms each", ms(each))).unwrap_or_default();
    Some(Finding {
        kind: Kind::Statement,
        subject: name(basis, statement),
        measured: format!(
            "{} reads/s at the device: {} executions/s that read {} blocks{each}",
            rate(reads_s),
            rate(calls_s),
            size(blocks),
        ),
        share: rates.share(reads_s),
        saving: Some(Saving { low: 0.0, high: reads_s }),
        usd_month_saved: None,
        reason: format!(
            "it reads {} blocks for {} rows; how few would do depends on its plan",
            count(statement.blocks_read as f64),
            count(statement.rows as f64)
        ),
        remedy: format!("SELECT * FROM ebs_index_advice({}); says whether an index would help", basis.argument),
    })
}

/// `statement 42 of app: SELECT …`, as far as its text may be read.
pub(super) fn name(basis: &Basis, statement: &StatementDemand) -> String {
    let who = statement.role.as_ref().map(|role| format!(" of {role}")).unwrap_or_default();
    let text = basis.texts.get(&statement.key()).map(|text| {
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let shown: String = words.chars().take(TEXT).collect();
        let dots = if shown.len() < words.len() { "…" } else { "" };
        format!(": {shown}{dots}")
    });
    plain(&format!("statement {}{who}{}", statement.query_id, text.unwrap_or_default()))
}
