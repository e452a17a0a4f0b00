//! PostgreSQL's I/O by source (pg_stat_io).

use std::collections::BTreeMap;

use super::shares::list_shares;
use ebs_base::format::size;
use ebs_base::units::MIB;
use ebs_samples::evidence::IoKey;
use ebs_workload::io_sources::Sources;

/// Returns the name of a row of pg_stat_io in a sentence.
fn name(key: &IoKey) -> String {
    match (key.backend_type.as_str(), key.object.as_str(), key.context.as_str()) {
        (_, "wal", _) => "WAL".to_owned(),
        (_, "temp relation", _) => "temporary tables".to_owned(),
        ("autovacuum worker", ..) | (_, _, "vacuum") => "vacuum".to_owned(),
        ("client backend", ..) => "client backends".to_owned(),
        ("background worker", ..) => "background workers".to_owned(),
        (other, ..) => other.to_owned(),
    }
}

/// Describes I/O by source: `I/O by source (pg_stat_io): client backends 61 % · …`.
pub fn describe(sources: &Sources) -> String {
    let mut shares: BTreeMap<String, f64> = BTreeMap::new();
    let mut bytes = 0;
    for row in &sources.rows {
        *shares.entry(name(&row.key)).or_default() += row.share.unwrap_or(0.0);
        bytes += row.bytes();
    }
    if sources.seconds == 0.0 {
        return "I/O by source: unknown (no pg_stat_io in this evidence)".to_owned();
    }
    if bytes == 0 {
        return "I/O by source: PostgreSQL moved no bytes (pg_stat_io)".to_owned();
    }
    let per_second = bytes as f64 / MIB as f64 / sources.seconds;
    format!("I/O by source (pg_stat_io): {} of PostgreSQL's {} MiB/s", list_shares(shares), size(per_second))
}
