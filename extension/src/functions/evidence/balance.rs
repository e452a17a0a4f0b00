//! ebs_balance: PostgreSQL's bytes against the device's.

use ebs_workload::balance::lines;
use pgrx::datum::Interval;
use pgrx::prelude::*;

use crate::errors::SqlResult;
use crate::functions::subject::{notice_if_empty, subject};

type Row = (
    name!(line, String),
    name!(side, &'static str),
    name!(read_bytes, Option<i64>),
    name!(write_bytes, Option<i64>),
    name!(read_pct, Option<f64>),
    name!(write_pct, Option<f64>),
    name!(note, String),
);

#[pg_extern(sql = false)]
fn ebs_balance(run: Option<&str>, lookback: Option<Interval>) -> SqlResult<TableIterator<'static, Row>> {
    let subject = subject(run, lookback)?;
    let nothing = subject.window.moments.is_empty();
    notice_if_empty(&subject, nothing, "I/O was sampled");
    let lines = if nothing { Vec::new() } else { lines(&subject.window) };
    let rows = lines.into_iter().map(|line| {
        (line.name, line.side.name(), line.bytes.read, line.bytes.write, line.read_pct, line.write_pct, line.note)
    });
    Ok(TableIterator::new(rows))
}
