//! Notes on statements' figures, for users.

use super::attribute::Device;
use super::delta::{Lost, Observed};
use super::demand::{Known, StatementDemand};
use ebs_base::format::{count, share};

impl Lost {
    /// Of a statement that went.
    pub const NOTE: &str = "evicted or reset in between, and not back: what it did is not known";
}

/// Of a statement; `None` where all of it is known.
pub fn statement_note(statement: &StatementDemand, observed: &Observed) -> Option<String> {
    let note = statement.known.note()?;
    let whole = (observed.to_us.saturating_sub(observed.from_us)).max(0) as f64 / 1e6;
    let part = statement.known != Known::AtLeast && statement.seconds < whole;
    let known =
        if part { format!(", counted for {} of {} s", count(statement.seconds), count(whole)) } else { String::new() };
    Some(format!("{note}{known}"))
}

/// Of what no statement accounts for: how sure all of it is.
pub fn rest_note(observed: &Observed, device: &Device) -> String {
    let mut notes = vec![
        "no statement: VACUUM and other background work, temporary files, other programs, what had not ended"
            .to_owned(),
        format!("{} of PostgreSQL's reads reached the device{}", share(device.passed), basis(device)),
    ];
    match observed.evictions {
        Some(0) => {}
        Some(times) => notes
            .push(format!("pg_stat_statements evicted {} times: raise pg_stat_statements.max", count(times as f64))),
        None => notes.push("whether statements were evicted is not known".to_owned()),
    }
    if observed.hidden > 0 {
        notes.push(format!("{} statements of other roles could not be read", count(observed.hidden as f64)));
    }
    notes.join("; ")
}

fn basis(device: &Device) -> &'static str {
    if device.by_processes { "" } else { ", if nobody else read it (what processes read is not known)" }
}
