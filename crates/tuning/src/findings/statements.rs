//! Statements that cause most of the reads.

use super::basis::Basis;
use super::cause::{Cause, StatementName, StatementReads};
use super::finding::{Finding, Saving};
use super::rates::Rates;
use ebs_workload::statements::StatementDemand;

/// Smallest share of the demand for which a statement is a finding. A choice.
const MIN_SHARE: f64 = 0.1;

/// Most statements among the findings, so that they leave room for other causes.
const MAX_STATEMENTS: usize = 3;

/// Collects the statements that each cause [`MIN_SHARE`] of the demand or more.
pub(super) fn collect_findings(basis: &Basis, rates: &Rates) -> Vec<Finding> {
    let Some(observed) = basis.observed else { return Vec::new() };
    let mut heavy: Vec<&StatementDemand> = observed
        .statements
        .iter()
        .filter(|statement| statement.demand_share.is_some_and(|share| share >= MIN_SHARE))
        .collect();
    heavy.sort_by(|a, b| b.demand_share.unwrap_or(0.0).total_cmp(&a.demand_share.unwrap_or(0.0)));
    heavy.truncate(MAX_STATEMENTS);
    heavy.into_iter().filter_map(|statement| finding(basis, rates, statement)).collect()
}

fn finding(basis: &Basis, rates: &Rates, statement: &StatementDemand) -> Option<Finding> {
    let reads_s = statement.device_reads_s?;
    let cause = StatementReads {
        statement: name(basis, statement),
        reads_s,
        calls_s: statement.per_second(statement.calls as f64)?,
        blocks_per_call: statement.per_call(statement.blocks_read as f64)?,
        read_ms_per_call: statement.read_ms.and_then(|read_ms| statement.per_call(read_ms)),
        blocks_read: statement.blocks_read,
        rows: statement.rows,
    };
    Some(Finding::new(Cause::Statement(cause), rates.share(reads_s), Some(Saving { low: 0.0, high: reads_s })))
}

/// Name of a statement, with its text if the reader may read it.
pub(super) fn name(basis: &Basis, statement: &StatementDemand) -> StatementName {
    StatementName {
        query_id: statement.query_id,
        role: statement.role.clone(),
        text: basis.texts.get(&statement.key()).cloned(),
    }
}
