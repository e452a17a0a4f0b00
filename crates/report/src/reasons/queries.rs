//! Notes on the rows of ebs_queries.

use ebs_base::format::{count, share};
use ebs_workload::statements::{Device, Known, Observed, StatementDemand};

/// Note on a statement that was evicted or reset, and not counted again.
pub const LOST_NOTE: &str = "evicted or reset in between, and not back: what it did is unknown";

/// Says which counts of a statement are missing; `None` where it was counted from the first reading to the second.
pub fn describe_statement(statement: &StatementDemand, observed: &Observed) -> Option<String> {
    let note = match statement.known {
        Known::Whole => return None,
        Known::SinceReset => "pg_stat_statements was reset in between: what came before is lost",
        Known::SinceAnew => "evicted or reset in between and counted from zero: what came before is lost",
        Known::AtLeast => "statements were evicted in between: it did at least this",
    };
    let observed_s = (observed.to_us.saturating_sub(observed.from_us)).max(0) as f64 / 1e6;
    let part = if statement.known != Known::AtLeast && statement.seconds < observed_s {
        format!(", counted for {} of {} s", count(statement.seconds), count(observed_s))
    } else {
        String::new()
    };
    Some(format!("{note}{part}"))
}

/// Explains the I/O of no statement, and how certain the figures of all statements are.
pub fn describe_rest(observed: &Observed, device: &Device) -> String {
    let basis = if device.by_processes { "" } else { ", if no other process read it (what processes read is unknown)" };
    let mut notes = vec![
        "no statement: VACUUM and other background work, temporary files, other programs, what had not ended"
            .to_owned(),
        format!("{} of PostgreSQL's reads reached the device{basis}", share(device.passed)),
    ];
    match observed.evictions {
        Some(0) => {}
        Some(evictions) => {
            let evictions = count(evictions as f64);
            notes.push(format!("pg_stat_statements evicted {evictions} times: raise pg_stat_statements.max"));
        }
        None => notes.push("whether statements were evicted is unknown".to_owned()),
    }
    if observed.hidden > 0 {
        let plural = if observed.hidden == 1 { "" } else { "s" };
        notes.push(format!("{} statement{plural} of other roles could not be read", count(observed.hidden as f64)));
    }
    notes.join("; ")
}

#[cfg(test)]
#[path = "queries_tests.rs"]
mod tests;
