//! ebs_balance: PostgreSQL's bytes against the device's.

use ebs_report::reasons::balance::describe_line;
use ebs_workload::balance::{Line, lines};
use pgrx::datum::Interval;
use pgrx::prelude::*;

use crate::errors::SqlResult;
use crate::functions::run_selection::select_run;
use crate::functions::sql_row::{Columns, sql_row, table};

sql_row! {
    struct BalanceRow(line: &Line) {
        line: String = line.subject.name(),
        side: &'static str = line.subject.side().name(),
        read_bytes: Option<i64> = line.bytes.read,
        write_bytes: Option<i64> = line.bytes.write,
        read_pct: Option<f64> = line.read_pct,
        write_pct: Option<f64> = line.write_pct,
        note: String = describe_line(&line.subject),
    }
}

#[pg_extern(sql = false)]
fn ebs_balance(
    run: Option<&str>,
    lookback: Option<Interval>,
) -> SqlResult<TableIterator<'static, Columns<BalanceRow>>> {
    let selection = select_run(run, lookback)?;
    let is_empty = selection.window.intervals.is_empty();
    selection.notice_if_empty(is_empty, "I/O was sampled");
    let lines = if is_empty { Vec::new() } else { lines(&selection.window) };
    Ok(table(lines.iter().map(BalanceRow::new).collect::<Vec<_>>()))
}
