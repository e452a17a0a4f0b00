//! ebs_nvme and ebs_nvme_histogram: what EBS counted of its volumes itself.

use ebs_workload::nvme::{figures, histogram};
use pgrx::datum::Interval;
use pgrx::prelude::*;

use crate::errors::SqlResult;
use crate::functions::subject::{hint_if_empty, subject};

const WHAT: &str = "page of an EBS volume was read";
const HINT: &str = "ebs-nvme-stats reads them, on EC2; see the check nvme of ebs_status(), and docs/nvme.md.";

type Row = (name!(volume, String), name!(metric, &'static str), name!(unit, &'static str), name!(value, Option<f64>));

#[pg_extern(sql = false)]
fn ebs_nvme(run: Option<&str>, lookback: Option<Interval>) -> SqlResult<TableIterator<'static, Row>> {
    let subject = subject(run, lookback)?;
    let figures = figures(&subject.window);
    hint_if_empty(&subject, figures.is_empty(), WHAT, HINT);
    let row = figures.into_iter().map(|figure| (figure.volume, figure.metric, figure.unit, figure.value));
    Ok(TableIterator::new(row))
}

type Bin = (
    name!(volume, String),
    name!(operation, &'static str),
    name!(lower_us, i64),
    name!(upper_us, Option<i64>),
    name!(requests, i64),
    name!(share_pct, f64),
);

#[pg_extern(sql = false)]
fn ebs_nvme_histogram(run: Option<&str>, lookback: Option<Interval>) -> SqlResult<TableIterator<'static, Bin>> {
    let subject = subject(run, lookback)?;
    hint_if_empty(&subject, subject.window.totals.ebs.is_empty(), WHAT, HINT);
    let signed = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let rows = histogram(&subject.window).into_iter().map(move |share| {
        let (bin, percent) = (share.bin, share.share * 100.0);
        (share.volume, share.operation, signed(bin.lower_us), bin.upper_us.map(signed), signed(bin.count), percent)
    });
    Ok(TableIterator::new(rows))
}
