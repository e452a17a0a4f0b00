//! A decision: the reason for its action, and the findings beside it, each with a code that stays.

mod brief;
mod carried;
mod finding;
mod pending_state;
mod reason;

pub use brief::describe_reason_briefly;
pub use finding::describe_finding;
pub use reason::describe_reason;

use super::observed::Observed;
use crate::Report;
use ebs_advice::{Action, Decision, Finding, PricedVolumes, UsedSpace};
use ebs_aws::catalogue::Platform;
use ebs_base::format::count;
use ebs_base::units::Usd;

/// A code with its sentence.
pub type Coded = (&'static str, String);

/// A decision, as far as its sentences depend on it.
pub struct Decided<'a> {
    /// The thing whose counts it rests on.
    pub observed: Observed,
    /// Platform of the volumes.
    pub platform: Platform,
    /// Type by a document that the catalogue lacks; `None` of known ones.
    pub unknown_type: Option<&'a str>,
    /// Usual interval of the counts, seconds; `None` without any.
    pub interval_s: Option<f64>,
    /// The present volumes; `None` where they are not known.
    pub present: Option<PricedVolumes>,
    /// The volumes that it leads to; `None` without any.
    pub volumes: Option<PricedVolumes>,
    /// Used space; `None` where it is not known.
    pub space: Option<UsedSpace>,
    /// The action.
    pub action: Action,
    /// Its saving a month; `None` where a price is not known.
    pub saved: Option<Usd>,
    /// The findings.
    pub findings: &'a [Finding],
}

impl<'a> Decided<'a> {
    /// A decision on the counts of a run or a look-back, about these present volumes and their used space.
    pub(crate) fn of_run(
        report: &Report,
        decision: &'a Decision,
        present: Option<PricedVolumes>,
        space: Option<UsedSpace>,
    ) -> Decided<'a> {
        Decided {
            observed: Observed::Run,
            platform: report.request.platform,
            unknown_type: None,
            interval_s: Some(report.coverage.interval_s),
            present,
            volumes: decision.volumes,
            space,
            action: decision.action,
            saved: decision.saved,
            findings: &decision.findings,
        }
    }
}

fn coded(code: &'static str, text: impl Into<String>) -> Coded {
    (code, text.into())
}

/// Describes a time in days: `1 day`, `14 days`.
fn describe_days(seconds: f64) -> String {
    let days = count(seconds / 86_400.0);
    format!("{days} {}", if days == "1" { "day" } else { "days" })
}
