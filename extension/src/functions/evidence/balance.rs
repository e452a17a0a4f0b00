//! ebs_balance: PostgreSQL's bytes against the device's.

use ebs_report::reasons::balance::describe_line;
use ebs_workload::balance::{Line, lines};
use pgrx::datum::Interval;
use pgrx::prelude::*;

use crate::errors::SqlResult;
use crate::functions::run_selection::select_run;
use crate::functions::sql_row::{Columns, sql_row, table};

sql_row! {
    struct BalanceRow {
        line: String,
        side: &'static str,
        read_bytes: Option<i64>,
        write_bytes: Option<i64>,
        read_pct: Option<f64>,
        write_pct: Option<f64>,
        note: String,
    }
}

impl From<&Line<'_>> for BalanceRow {
    fn from(line: &Line) -> BalanceRow {
        BalanceRow {
            line: line.subject.name(),
            side: line.subject.side().name(),
            read_bytes: line.bytes.read,
            write_bytes: line.bytes.write,
            read_pct: line.read_pct,
            write_pct: line.write_pct,
            note: describe_line(&line.subject),
        }
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
    Ok(table(lines.iter().map(BalanceRow::from).collect::<Vec<_>>()))
}
