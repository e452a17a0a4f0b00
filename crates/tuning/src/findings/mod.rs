//! Causes of I/O to remove before a volume is bought, each with its share of the demand and the bounds of its saving. Nothing is named without evidence in this run.

mod basis;
mod cause;
mod checkpoints;
mod finding;
mod missing_index;
mod pages;
mod rates;
mod settings;
mod spills;
mod statements;
mod vacuum;

pub use basis::Basis;
pub use cause::{
    AutovacuumIo, Cause, ForcedCheckpoints, Kind, PageMisses, SpillRemedy, StatementName, StatementReads,
    TemporaryFiles,
};
pub use finding::{Finding, Saving};
pub use missing_index::{DeviceShare, missing_index};
use rates::Rates;
pub use settings::Settings;

/// Smallest share of the device's requests for which a finding is shown. A choice.
pub const MIN_SHARE: f64 = 0.01;

/// Collects all findings, those with the largest saving first; `missing_indexes` are those of index advice. Without samples of a
/// device these are all.
pub fn collect_findings(basis: &Basis, missing_indexes: Vec<Finding>) -> Vec<Finding> {
    let Some(rates) = Rates::from_window(basis.window) else { return missing_indexes };
    let mut findings = missing_indexes;
    findings.extend(statements::collect_findings(basis, &rates));
    findings.extend(spills::finding(basis, &rates));
    findings.extend(checkpoints::finding(basis, &rates));
    findings.extend(pages::collect_findings(basis, &rates));
    findings.extend(vacuum::finding(basis, &rates));
    findings
        .retain(|finding| finding.usd_month_saved.is_some() || finding.share.is_some_and(|share| share >= MIN_SHARE));
    findings.sort_by(|a, b| {
        let dollars = b.usd_month_saved.cmp(&a.usd_month_saved);
        dollars
            .then_with(|| b.weight().total_cmp(&a.weight()))
            .then_with(|| a.cause.sort_key().cmp(&b.cause.sort_key()))
    });
    findings
}

#[cfg(test)]
#[path = "findings_tests.rs"]
mod tests;
