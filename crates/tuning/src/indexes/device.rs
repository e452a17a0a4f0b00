//! An advised index as one of the findings that a report begins with.

use super::finding::Finding;
use crate::findings::{self, Kind, Saving};
use ebs_base::format::rate;
use ebs_base::units::Usd;
use ebs_workload::statements::{Device, Observed};

/// Estimates are taken to be this far off, as a share: what docs/index-advice.md holds them to.
const DOUBT: f64 = 0.3;

/// What of a statement's reads reaches the device.
#[derive(Clone, Copy, Debug, Default)]
pub struct AtDevice {
    /// Requests of the device for each page that PostgreSQL asks the kernel for; `None` where that is not known.
    pub requests_a_page: Option<f64>,
    /// The statement's share of the device's requests, 0 to 1.
    pub share: Option<f64>,
}

impl AtDevice {
    /// Of the statement that a finding is about.
    pub fn of(finding: &Finding, observed: &Observed, device: Option<&Device>) -> AtDevice {
        let own = observed.statements.iter().find(|of| Some(of.query_id) == finding.query_id);
        let Some(own) = own.filter(|_| device.is_some()) else { return AtDevice::default() };
        let pages_s = own.per_second(own.blocks_read as f64).filter(|pages_s| *pages_s > 0.0);
        let requests_a_page = own.device_reads_s.zip(pages_s).map(|(requests_s, pages_s)| requests_s / pages_s);
        AtDevice { requests_a_page, share: own.demand_share }
    }
}

/// The finding as reports show it.
pub fn as_finding(of: &Finding, device: AtDevice, usd_month_saved: Option<Usd>) -> findings::Finding {
    let pages = of.before.as_ref().map_or(0.0, |price| price.pages);
    let saved = device.requests_a_page.zip(of.saved_s).map(|(requests, saved_s)| {
        let cost_s = of.cost.map_or(0.0, |cost| cost.requests_s());
        let saved = |factor: f64| (saved_s * requests * factor - cost_s).max(0.0);
        Saving { low: saved(1.0 - DOUBT), high: saved(1.0) }
    });
    findings::Finding {
        kind: Kind::Index,
        subject: format!("a missing index on {}", of.table.as_deref().unwrap_or_default()),
        measured: format!(
            "a statement reads {} pages/s, an estimated {} a call: {}",
            rate(of.reads_s.unwrap_or(0.0)),
            rate(pages),
            shortened(of.statement.as_deref().unwrap_or_default())
        ),
        share: device.share,
        saving: saved,
        usd_month_saved,
        reason: of.reason.clone(),
        remedy: of.command.clone().unwrap_or_default(),
    }
}

/// The beginning of a text, on one line.
fn shortened(text: &str) -> String {
    const MOST: usize = 80;
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &words[..at]),
        None => words,
    }
}
