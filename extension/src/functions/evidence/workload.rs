//! ebs_workload: activity of the database.

use ebs_report::reasons::activity::describe_figure;
use ebs_workload::activity::workload;
use pgrx::datum::Interval;
use pgrx::prelude::*;

use crate::errors::SqlResult;
use crate::functions::run_selection::select_run;
use crate::functions::sql_row::{Columns, sql_row, table};

sql_row! {
    struct WorkloadRow {
        metric: &'static str,
        value: Option<f64>,
        unit: &'static str,
        detail: String,
    }
}

#[pg_extern(sql = false)]
fn ebs_workload(
    run: Option<&str>,
    lookback: Option<Interval>,
) -> SqlResult<TableIterator<'static, Columns<WorkloadRow>>> {
    let selection = select_run(run, lookback)?;
    let figures = workload(&selection.window);
    selection.notice_if_empty(figures.is_empty(), "workload was sampled");
    Ok(table(figures.into_iter().map(|figure| WorkloadRow {
        metric: figure.metric.name(),
        value: figure.value,
        unit: figure.metric.unit(),
        detail: describe_figure(&figure),
    })))
}
