//! ebs_workload: what the database did.

use ebs_workload::workload::workload;
use pgrx::datum::Interval;
use pgrx::prelude::*;

use crate::errors::SqlResult;
use crate::functions::subject::{notice_if_empty, subject};

type Row = (name!(metric, &'static str), name!(value, Option<f64>), name!(unit, &'static str), name!(detail, String));

#[pg_extern(sql = false)]
fn ebs_workload(run: Option<&str>, lookback: Option<Interval>) -> SqlResult<TableIterator<'static, Row>> {
    let subject = subject(run, lookback)?;
    let figures = workload(&subject.window);
    notice_if_empty(&subject, figures.is_empty(), "workload was sampled");
    let row = figures.into_iter().map(|figure| (figure.metric, figure.value, figure.unit, figure.detail));
    Ok(TableIterator::new(row))
}
