//! Active sessions by wait event.

use std::collections::BTreeMap;

use super::shares::list_shares;
use crate::Report;
use ebs_base::format::size;
use ebs_workload::waits::Kind;

/// Describes average active sessions and their waits: `Sessions: 4.46 active on average · …`.
pub fn describe(report: &Report) -> String {
    if report.window.totals.waits.sweeps == 0 {
        return "Sessions: not known (no wait events in this evidence)".to_owned();
    }
    let mut shares: BTreeMap<String, f64> = BTreeMap::new();
    let mut active = 0.0;
    for wait in report.waits.iter().filter(|wait| wait.kind == Kind::Active) {
        let (class, event) = (&wait.key.class, &wait.key.event);
        let name = if class == event { event.clone() } else { format!("{class}:{event}") };
        *shares.entry(name).or_default() += wait.share_of_db_time.unwrap_or(0.0);
        active += wait.average_active_sessions;
    }
    if shares.is_empty() {
        return "Sessions: none was seen at work".to_owned();
    }
    format!("Sessions: {} active on average · {} of their time", size(active), list_shares(shares))
}
