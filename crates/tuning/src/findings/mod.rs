//! What to put right before a volume is bought: causes of I/O that the run itself shows, each with its share of the demand and
//! what would be saved at least and at most. Nothing is named without evidence in this run.

mod basis;
mod checkpoints;
mod finding;
mod pages;
mod rates;
mod settings;
mod spills;
mod statements;
mod vacuum;

pub use basis::Basis;
pub use finding::{Finding, Kind, Saving};
use rates::Rates;
pub use settings::Settings;

/// Below this share of the device's requests a finding is not worth a line. A choice.
pub const LEAST_SHARE: f64 = 0.01;

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
