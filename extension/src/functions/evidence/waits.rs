//! ebs_waits: wait events of sessions.

use ebs_workload::waits::waits;
use pgrx::datum::Interval;
use pgrx::prelude::*;

use crate::errors::SqlResult;
use crate::functions::run_selection::select_run;
use crate::functions::sql_row::{Columns, sql_row, table};
use crate::functions::values::to_percent;

sql_row! {
    struct WaitRow {
        backend_type: String,
        wait_class: String,
        wait_event: String,
        kind: &'static str,
        average_active_sessions: f64,
        db_time_pct: Option<f64>,
        database: Option<String>,
        role: Option<String>,
        application_name: Option<String>,
        query_id: Option<i64>,
    }
}

#[pg_extern(sql = false)]
fn ebs_waits(run: Option<&str>, lookback: Option<Interval>) -> SqlResult<TableIterator<'static, Columns<WaitRow>>> {
    let selection = select_run(run, lookback)?;
    let waits = waits(&selection.window);
    selection.notice_if_empty(waits.is_empty(), "wait event was sampled");
    Ok(table(waits.into_iter().map(|wait| WaitRow {
        backend_type: wait.key.backend_type,
        wait_class: wait.key.class,
        wait_event: wait.key.event,
        kind: wait.kind.name(),
        average_active_sessions: wait.average_active_sessions,
        db_time_pct: wait.share_of_db_time.map(to_percent),
        database: wait.key.session.database,
        role: wait.key.session.role,
        application_name: wait.key.session.application,
        query_id: wait.key.session.query_id,
    })))
}
