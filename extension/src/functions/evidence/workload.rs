//! ebs_workload: activity of the database.

use ebs_report::reasons::activity::describe_figure;
use ebs_workload::activity::{Figure, workload};
use pgrx::datum::Interval;
use pgrx::prelude::*;

use crate::errors::SqlResult;
use crate::functions::run_selection::select_run;
use crate::functions::sql_row::{Columns, sql_row, table};

sql_row! {
    struct WorkloadRow(figure: Figure) {
        metric: &'static str = figure.metric.name(),
        value: Option<f64> = figure.value,
        unit: &'static str = figure.metric.unit(),
        detail: String = describe_figure(&figure),
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
    Ok(table(figures.into_iter().map(WorkloadRow::new)))
}
