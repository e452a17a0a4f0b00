//! ebs_io_sources: I/O by source (pg_stat_io).

use ebs_workload::io_sources::sources;
use pgrx::datum::Interval;
use pgrx::prelude::*;

use crate::errors::SqlResult;
use crate::functions::run_selection::select_run;
use crate::functions::sql_row::{Columns, sql_row, table};
use crate::functions::values::{to_bigint, to_percent};

sql_row! {
    struct IoSourceRow {
        backend_type: String,
        object: String,
        context: String,
        read_bytes: i64,
        write_bytes: i64,
        extend_bytes: i64,
        fsyncs: i64,
        hits: i64,
        stall_ms: Option<f64>,
        share_pct: Option<f64>,
    }
}

#[pg_extern(sql = false)]
fn ebs_io_sources(
    run: Option<&str>,
    lookback: Option<Interval>,
) -> SqlResult<TableIterator<'static, Columns<IoSourceRow>>> {
    let selection = select_run(run, lookback)?;
    let sources = sources(&selection.window);
    selection.notice_if_empty(sources.rows.is_empty(), "I/O of PostgreSQL was sampled");
    Ok(table(sources.rows.into_iter().map(|row| IoSourceRow {
        backend_type: row.key.backend_type,
        object: row.key.object,
        context: row.key.context,
        read_bytes: to_bigint(row.counts.read_bytes),
        write_bytes: to_bigint(row.counts.write_bytes),
        extend_bytes: to_bigint(row.counts.extend_bytes),
        fsyncs: to_bigint(row.counts.fsyncs),
        hits: to_bigint(row.counts.hits),
        stall_ms: row.stall_ms,
        share_pct: row.share.map(to_percent),
    })))
}
