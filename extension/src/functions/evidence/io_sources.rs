//! ebs_io_sources: I/O by source (pg_stat_io).

use ebs_workload::io_sources::{Source, sources};
use pgrx::datum::Interval;
use pgrx::prelude::*;

use crate::errors::SqlResult;
use crate::functions::run_selection::select_run;
use crate::functions::sql_row::{Columns, sql_row, table};
use crate::functions::values::{to_bigint, to_percent};

sql_row! {
    struct IoSourceRow(source: Source) {
        backend_type: String = source.key.backend_type,
        object: String = source.key.object,
        context: String = source.key.context,
        read_bytes: i64 = to_bigint(source.counts.read_bytes),
        write_bytes: i64 = to_bigint(source.counts.write_bytes),
        extend_bytes: i64 = to_bigint(source.counts.extend_bytes),
        fsyncs: i64 = to_bigint(source.counts.fsyncs),
        hits: i64 = to_bigint(source.counts.hits),
        stall_ms: Option<f64> = source.stall_ms,
        share_pct: Option<f64> = source.share.map(to_percent),
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
    Ok(table(sources.rows.into_iter().map(IoSourceRow::new)))
}
