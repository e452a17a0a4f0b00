//! A recommended index as a finding.

use super::cause::Cause;
use super::finding::{Finding, Saving};
use crate::indexes::finding::Finding as IndexFinding;
use ebs_base::units::Usd;
use ebs_workload::statements::{Device, Observed};

/// Relative error of the estimates: the bound that docs/index-advice.md validates.
const UNCERTAINTY: f64 = 0.3;

/// Part of a statement's reads that reaches the device.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeviceShare {
    /// Requests of the device for each page that PostgreSQL asks the kernel for; `None` where that is not known.
    pub requests_per_page: Option<f64>,
    /// The statement's share of the device's requests, 0 to 1.
    pub share: Option<f64>,
    /// All requests of the device, a second, which no saving exceeds; `None` where they are not known.
    pub requests_s: Option<f64>,
}

impl DeviceShare {
    /// Looks up the statement of a finding.
    pub fn new(finding: &IndexFinding, observed: &Observed, device: Option<&Device>) -> DeviceShare {
        let statement = observed.statements.iter().find(|statement| Some(statement.query_id) == finding.query_id);
        let Some(statement) = statement.filter(|_| device.is_some()) else { return DeviceShare::default() };
        let pages_s = statement.per_second(statement.blocks_read as f64).filter(|pages_s| *pages_s > 0.0);
        let requests_per_page = statement.device_reads_s.zip(pages_s).map(|(requests_s, pages_s)| requests_s / pages_s);
        DeviceShare {
            requests_per_page,
            share: statement.demand_share,
            requests_s: device.map(|device| device.requests_s),
        }
    }
}

/// Creates the finding of a recommended index.
pub fn missing_index(index: IndexFinding, device: DeviceShare, usd_month_saved: Option<Usd>) -> Finding {
    let saving = device.requests_per_page.zip(index.saved_s).map(|(requests, saved_s)| {
        let cost_s = index.cost.map_or(0.0, |cost| cost.requests_s());
        let most_s = device.requests_s.unwrap_or(f64::INFINITY);
        let saved = |factor: f64| (saved_s * requests * factor - cost_s).clamp(0.0, most_s);
        Saving { low: saved(1.0 - UNCERTAINTY), high: saved(1.0) }
    });
    Finding { cause: Cause::MissingIndex(Box::new(index)), share: device.share, saving, usd_month_saved }
}
