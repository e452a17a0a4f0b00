//! ebs_io_sources: who asked.

use ebs_workload::sources::sources;
use pgrx::datum::Interval;
use pgrx::prelude::*;

use crate::errors::SqlResult;
use crate::functions::subject::{notice_if_empty, subject};

type Row = (
    name!(backend_type, String),
    name!(object, String),
    name!(context, String),
    name!(read_bytes, i64),
    name!(write_bytes, i64),
    name!(extend_bytes, i64),
    name!(fsyncs, i64),
    name!(hits, i64),
    name!(stall_ms, Option<f64>),
    name!(share_pct, Option<f64>),
);

#[pg_extern(sql = false)]
fn ebs_io_sources(run: Option<&str>, lookback: Option<Interval>) -> SqlResult<TableIterator<'static, Row>> {
    let subject = subject(run, lookback)?;
    let sources = sources(&subject.window);
    notice_if_empty(&subject, sources.rows.is_empty(), "I/O of PostgreSQL was sampled");
    let signed = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let rows = sources.rows.into_iter().map(move |row| {
        let counts = row.counts;
        (
            row.key.backend_type,
            row.key.object,
            row.key.context,
            signed(counts.read_bytes),
            signed(counts.write_bytes),
            signed(counts.extend_bytes),
            signed(counts.fsyncs),
            signed(counts.hits),
            row.stall_ms,
            row.share.map(|share| share * 100.0),
        )
    });
    Ok(TableIterator::new(rows))
}
