//! What to put right before a volume is bought: causes of I/O that the run itself shows, each with its share of the demand and
//! what would be saved at least and at most. Nothing is named without evidence in this run.

mod checkpoints;
mod finding;
mod pages;
mod rates;
mod settings;
mod spills;
mod statements;
mod vacuum;

use std::collections::BTreeMap;

pub use finding::{Finding, Kind, Saving};
use rates::Rates;
pub use settings::Settings;

use ebs_samples::evidence::Window;
use ebs_workload::queries::{Observed, StatementKey};
use ebs_workload::reading::Span;

/// Below this share of the device's requests a finding is not worth a line. A choice.
pub const LEAST_SHARE: f64 = 0.01;

/// What findings rest on.
pub struct Basis<'a> {
    /// The samples.
    pub window: &'a Window,
    /// The readings at both ends of the run; `None` of a look-back, and of a run without them.
    pub span: Option<&'a Span>,
    /// What statements did, as far as it reached the device is said ([`ebs_workload::queries::attribute`]).
    pub observed: Option<&'a Observed>,
    /// Texts of the statements that the reader may read.
    pub texts: &'a BTreeMap<StatementKey, String>,
    /// The server's settings when the run began.
    pub settings: Settings,
    /// The run's label as SQL wants it, `'tpcc-100'`; empty of a look-back.
    pub argument: &'a str,
}

/// All findings, those that may save most first; `more` are those that were found elsewhere (an index that is missing). Without
/// a device that was sampled there are none.
pub fn findings(basis: &Basis, more: Vec<Finding>) -> Vec<Finding> {
    let Some(rates) = Rates::of(basis.window) else { return more };
    let mut found = more;
    found.extend(statements::finding(basis, &rates));
    found.extend(spills::finding(basis, &rates));
    found.extend(checkpoints::finding(basis, &rates));
    found.extend(pages::findings(basis, &rates));
    found.extend(vacuum::finding(basis, &rates));
    found
        .retain(|finding| finding.usd_month_saved.is_some() || finding.share.is_some_and(|share| share >= LEAST_SHARE));
    found.sort_by(|a, b| {
        let dollars = b.usd_month_saved.cmp(&a.usd_month_saved);
        dollars.then_with(|| b.weight().total_cmp(&a.weight())).then_with(|| a.subject.cmp(&b.subject))
    });
    found
}

#[cfg(test)]
#[path = "findings_tests.rs"]
mod tests;
