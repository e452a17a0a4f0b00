//! Active sessions by wait event.

use std::collections::BTreeMap;

use super::shares::list_shares;
use crate::Report;
use ebs_base::format::{size, whole_pct};
use ebs_samples::evidence::WaitKey;
use ebs_workload::waits::{Kind, Station};

/// Describes average active sessions and their waits: `Average active sessions: 4.46 (…)`.
pub fn describe(report: &Report) -> String {
    if report.window.totals.waits.sweeps == 0 {
        return "Average active sessions: unknown (no wait events in this evidence)".to_owned();
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
        return "Average active sessions: 0".to_owned();
    }
    format!("Average active sessions: {} ({} of their time)", size(active), list_shares(shares))
}

/// Describes active sessions by station in a few words: `sessions: commits 36 %, CPU 27 %, reads 15 %`; `None` where none was seen
/// at work.
pub fn describe_briefly(report: &Report) -> Option<String> {
    let mut shares: BTreeMap<&str, f64> = BTreeMap::new();
    for wait in report.waits.iter().filter(|wait| wait.kind == Kind::Active) {
        *shares.entry(station_name(&wait.key)).or_default() += wait.share_of_db_time.unwrap_or(0.0);
    }
    let mut sorted: Vec<(&str, f64)> = shares.into_iter().filter(|(_, part)| *part >= 0.005).collect();
    sorted.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    let words: Vec<String> = sorted.iter().take(4).map(|(name, part)| format!("{name} {}", whole_pct(*part))).collect();
    (!words.is_empty()).then(|| format!("sessions: {}", words.join(", ")))
}

fn station_name(key: &WaitKey) -> &'static str {
    let event = key.event.to_ascii_lowercase();
    match Station::from_key(key) {
        Station::Read => "reads",
        Station::Wal => "commits",
        Station::Lock => "locks",
        Station::Processor => "CPU",
        Station::Other if key.class == "IO" && event.starts_with("datafile") => "data writes",
        Station::Other => "other",
    }
}
