//! ebs_waits: wait events of sessions.

use ebs_workload::waits::{Wait, waits};
use pgrx::datum::Interval;
use pgrx::prelude::*;

use crate::errors::SqlResult;
use crate::functions::run_selection::select_run;
use crate::functions::sql_row::{Columns, sql_row, table};
use crate::functions::values::to_percent;

sql_row! {
    struct WaitRow(wait: Wait) {
        backend_type: String = wait.key.backend_type,
        wait_class: String = wait.key.class,
        wait_event: String = wait.key.event,
        kind: &'static str = wait.kind.name(),
        average_active_sessions: f64 = wait.average_active_sessions,
        db_time_pct: Option<f64> = wait.share_of_db_time.map(to_percent),
        database: Option<String> = wait.key.session.database,
        role: Option<String> = wait.key.session.role,
        application_name: Option<String> = wait.key.session.application,
        query_id: Option<i64> = wait.key.session.query_id,
    }
}

#[pg_extern(sql = false)]
fn ebs_waits(run: Option<&str>, lookback: Option<Interval>) -> SqlResult<TableIterator<'static, Columns<WaitRow>>> {
    let selection = select_run(run, lookback)?;
    let waits = waits(&selection.window);
    selection.notice_if_empty(waits.is_empty(), "wait event was sampled");
    Ok(table(waits.into_iter().map(WaitRow::new)))
}
