//! ebs_io_sessions: I/O by session.

use ebs_base::format::share;
use ebs_workload::sessions::{SessionIo, known_share, sessions};
use pgrx::datum::Interval;
use pgrx::prelude::*;

use crate::errors::{SqlResult, notice};
use crate::ffi;
use crate::functions::run_selection::{RunSelection, select_run};
use crate::functions::sql_row::{Columns, sql_row, table};
use crate::functions::values::{to_bigint, to_percent};

/// Share of the time below which the missing time is reported: sessions are read with each sample, so at most the first one of a
/// block is missing.
const COMPLETE_SHARE: f64 = 0.95;

sql_row! {
    struct IoSessionRow(session: SessionIo) {
        backend_type: String = session.key.backend_type,
        database: Option<String> = session.key.session.database,
        role: Option<String> = session.key.session.role,
        application_name: Option<String> = session.key.session.application,
        read_bytes: i64 = to_bigint(session.bytes.read_bytes),
        write_bytes: i64 = to_bigint(session.bytes.write_bytes),
        extend_bytes: i64 = to_bigint(session.bytes.extend_bytes),
        share_pct: Option<f64> = session.share.map(to_percent),
    }
}

#[pg_extern(sql = false)]
fn ebs_io_sessions(
    run: Option<&str>,
    lookback: Option<Interval>,
) -> SqlResult<TableIterator<'static, Columns<IoSessionRow>>> {
    let selection = select_run(run, lookback)?;
    let sessions = sessions(&selection.window);
    explain_missing_sessions(&selection, sessions.is_empty());
    Ok(table(sessions.into_iter().map(IoSessionRow::new)))
}

/// Reports the reason that sessions are missing, if they are.
fn explain_missing_sessions(selection: &RunSelection, is_empty: bool) {
    let settings = "ebs_advisor.track_database, ebs_advisor.track_role and ebs_advisor.track_application_name were off";
    match known_share(&selection.window) {
        None => selection.notice_if_empty(is_empty, "I/O of PostgreSQL was sampled"),
        Some(0.0) if !ffi::COUNTS_BACKEND_IO => notice("I/O is counted by session from PostgreSQL 18 on"),
        Some(0.0) => notice(format!("no I/O was told apart by session in {}: {settings}", selection.name)),
        Some(part) => {
            selection.notice_if_empty(is_empty, "I/O of a session was seen");
            if part < COMPLETE_SHARE {
                let part = share(part);
                notice(format!(
                    "I/O was told apart by session for {part} of the time sampled in {}; else {settings}",
                    selection.name
                ));
            }
        }
    }
}
