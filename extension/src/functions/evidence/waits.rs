//! ebs_waits: what sessions waited for.

use pgrx::datum::Interval;
use pgrx::prelude::*;

use crate::errors::SqlResult;
use crate::functions::subject::{notice_if_empty, subject};

type Row = (
    name!(backend_type, String),
    name!(wait_class, String),
    name!(wait_event, String),
    name!(kind, &'static str),
    name!(average_active_sessions, f64),
    name!(db_time_pct, Option<f64>),
    name!(database, Option<String>),
    name!(role, Option<String>),
    name!(application_name, Option<String>),
    name!(query_id, Option<i64>),
);

#[pg_extern(sql = false)]
fn ebs_waits(run: Option<&str>, lookback: Option<Interval>) -> SqlResult<TableIterator<'static, Row>> {
    let subject = subject(run, lookback)?;
    let waits = ebs_workload::waits::waits(&subject.window);
    notice_if_empty(&subject, waits.is_empty(), "wait event was sampled");
    let rows = waits.into_iter().map(|wait| {
        (
            wait.key.backend_type,
            wait.key.class,
            wait.key.event,
            wait.kind.name(),
            wait.average_active_sessions,
            wait.share_of_db_time.map(|share| share * 100.0),
            wait.key.session.database,
            wait.key.session.role,
            wait.key.session.application,
            wait.key.session.query_id,
        )
    });
    Ok(TableIterator::new(rows))
}
