//! ebs_io_sessions: whose I/O it was.

use ebs_base::format::share;
use ebs_workload::sessions::{known_share, sessions};
use pgrx::datum::Interval;
use pgrx::prelude::*;

use crate::errors::{SqlResult, notice};
use crate::ffi;
use crate::functions::subject::{Subject, notice_if_empty, subject};

/// Below this the missing time is worth a word: a look comes with each sample, so the first one of a block is missing at
/// most.
const WHOLE: f64 = 0.95;

type Row = (
    name!(backend_type, String),
    name!(database, Option<String>),
    name!(role, Option<String>),
    name!(application_name, Option<String>),
    name!(read_bytes, i64),
    name!(write_bytes, i64),
    name!(extend_bytes, i64),
    name!(share_pct, Option<f64>),
);

#[pg_extern(sql = false)]
fn ebs_io_sessions(run: Option<&str>, lookback: Option<Interval>) -> SqlResult<TableIterator<'static, Row>> {
    let subject = subject(run, lookback)?;
    let sessions = sessions(&subject.window);
    explain_missing_sessions(&subject, sessions.is_empty());
    let signed = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let rows = sessions.into_iter().map(move |session| {
        let (key, bytes) = (session.key, session.bytes);
        (
            key.backend_type,
            key.session.database,
            key.session.role,
            key.session.application,
            signed(bytes.read_bytes),
            signed(bytes.write_bytes),
            signed(bytes.extend_bytes),
            session.share.map(|share| share * 100.0),
        )
    });
    Ok(TableIterator::new(rows))
}

/// Says why sessions are missing, if they are.
fn explain_missing_sessions(subject: &Subject, nothing: bool) {
    let settings = "ebs_advisor.track_database, ebs_advisor.track_role and ebs_advisor.track_application_name were off";
    match known_share(&subject.window) {
        None => notice_if_empty(subject, nothing, "I/O of PostgreSQL was sampled"),
        Some(0.0) if !ffi::COUNTS_BACKEND_IO => notice("I/O is counted by session from PostgreSQL 18 on"),
        Some(0.0) => notice(format!("no I/O was told apart by session in {}: {settings}", subject.name)),
        Some(part) => {
            notice_if_empty(subject, nothing, "I/O of a session was seen");
            if part < WHOLE {
                let part = share(part);
                notice(format!(
                    "I/O was told apart by session for {part} of the time sampled in {}; else {settings}",
                    subject.name
                ));
            }
        }
    }
}
