//! Who asked, what sessions waited for, and what holds them back.

use std::collections::BTreeMap;

use super::{Report, held, wrapped};
use ebs_base::format::{share, size};
use ebs_samples::evidence::IoKey;
use ebs_workload::waits::Kind;

pub(super) fn lines(report: &Report) -> Vec<String> {
    let mut lines = vec![String::new()];
    lines.extend(wrapped(&who(report), "  "));
    lines.extend(wrapped(&sessions(report), "  "));
    lines.extend(held::of(report).map(|held| wrapped(&held::text(&held), "  ")).unwrap_or_default());
    lines
}

/// The word for a row of pg_stat_io in a sentence.
fn source(key: &IoKey) -> String {
    match (key.backend_type.as_str(), key.object.as_str(), key.context.as_str()) {
        (_, "wal", _) => "WAL".to_owned(),
        (_, "temp relation", _) => "temporary tables".to_owned(),
        ("autovacuum worker", ..) | (_, _, "vacuum") => "vacuum".to_owned(),
        ("client backend", ..) => "client backends".to_owned(),
        ("background worker", ..) => "background workers".to_owned(),
        (other, ..) => other.to_owned(),
    }
}

/// `Who asked: client backends 61 % · …`.
pub(crate) fn who(report: &Report) -> String {
    let mut shares: BTreeMap<String, f64> = BTreeMap::new();
    let mut bytes = 0;
    for row in &report.sources.rows {
        *shares.entry(source(&row.key)).or_default() += row.share.unwrap_or(0.0);
        bytes += row.bytes();
    }
    if report.sources.seconds == 0.0 {
        return "Who asked: not known (no pg_stat_io in this evidence)".to_owned();
    }
    if bytes == 0 {
        return "Who asked: PostgreSQL moved no bytes (pg_stat_io)".to_owned();
    }
    let per_second = bytes as f64 / ebs_base::units::MIB as f64 / report.sources.seconds;
    format!("Who asked: {} of PostgreSQL's {} MiB/s", listed(shares), size(per_second))
}

/// `Sessions: 4.46 active on average · …`.
pub(crate) fn sessions(report: &Report) -> String {
    if report.window.totals.waits.sweeps == 0 {
        return "Sessions: not known (no wait events in this evidence)".to_owned();
    }
    let mut shares: BTreeMap<String, f64> = BTreeMap::new();
    let mut active = 0.0;
    for wait in report.waits.iter().filter(|wait| wait.kind == Kind::Active) {
        let name = match wait.key.class == wait.key.event {
            true => wait.key.event.clone(),
            false => format!("{}:{}", wait.key.class, wait.key.event),
        };
        *shares.entry(name).or_default() += wait.share_of_db_time.unwrap_or(0.0);
        active += wait.average_active_sessions;
    }
    if shares.is_empty() {
        return "Sessions: none was seen at work".to_owned();
    }
    format!("Sessions: {} active on average · {} of their time", size(active), listed(shares))
}

/// `client backends 61 % · WAL 22 %`: largest first, those below one per cent left out.
fn listed(shares: BTreeMap<String, f64>) -> String {
    let mut sorted: Vec<(String, f64)> = shares.into_iter().filter(|(_, part)| *part >= 0.01).collect();
    sorted.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    sorted.iter().map(|(name, part)| format!("{name} {}", share(*part))).collect::<Vec<_>>().join(" · ")
}
