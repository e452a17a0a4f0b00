//! ebs_report_card and ebs_latency_histogram: grades, and the latencies behind them.

use ebs_comparison::card::{bar, histograms, report_card};
use ebs_imports::driver::fio::Fio;
use pgrx::datum::Interval;
use pgrx::prelude::*;

use crate::errors::{Error, SqlResult};
use crate::functions::subject::{Subject, hint_if_empty, subject};
use crate::storage;

type Row = (
    name!(test, String),
    name!(device, Option<String>),
    name!(measured, Option<f64>),
    name!(unit, Option<&'static str>),
    name!(grade, Option<String>),
    name!(thresholds, Option<String>),
    name!(basis, Option<&'static str>),
    name!(source, Option<&'static str>),
    name!(note, String),
);

#[pg_extern(sql = false)]
fn ebs_report_card(run: Option<&str>, lookback: Option<Interval>) -> SqlResult<TableIterator<'static, Row>> {
    let subject = subject(run, lookback)?;
    let lines = report_card(&subject.window, &imports(run)?);
    let rows = lines.into_iter().map(|line| {
        let (measured, unit, grade) = (line.measured, line.unit, line.grade);
        (line.test, line.device, measured, unit, grade, line.thresholds, line.basis, line.source, line.note)
    });
    Ok(TableIterator::new(rows))
}

/// What fio reported with the run; a look-back has no report.
pub(super) fn imports(run: Option<&str>) -> Result<Vec<Fio>, Error> {
    let Some(label) = run else { return Ok(Vec::new()) };
    let imports = storage::fio_imports(storage::find_run(label)?.run_id)?;
    Ok(imports.into_iter().map(|import| import.fio).collect())
}

type Bucket = (
    name!(source, String),
    name!(device, Option<String>),
    name!(kind, &'static str),
    name!(from_us, i64),
    name!(to_us, Option<i64>),
    name!(requests, i64),
    name!(share_pct, f64),
    name!(bar, String),
);

#[pg_extern(sql = false)]
fn ebs_latency_histogram(run: Option<&str>, lookback: Option<Interval>) -> SqlResult<TableIterator<'static, Bucket>> {
    let subject = subject(run, lookback)?;
    let signed = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let mut rows: Vec<Bucket> = Vec::new();
    for histogram in histograms(&subject.window, &imports(run)?) {
        let largest = histogram.buckets.iter().map(|bucket| histogram.share(bucket)).fold(0.0, f64::max);
        for bucket in &histogram.buckets {
            let share = histogram.share(bucket);
            rows.push((
                histogram.source.clone(),
                histogram.device.clone(),
                histogram.kind,
                signed(bucket.lower_us),
                bucket.upper_us.map(signed),
                signed(bucket.count),
                share * 100.0,
                bar(share, largest),
            ));
        }
    }
    without_histogram(&subject, rows.is_empty());
    Ok(TableIterator::new(rows))
}

/// Says, where single requests' latencies are asked for and there are none, what would bring them.
pub(super) fn without_histogram(subject: &Subject, nothing: bool) {
    let hint = "The sampler sees means only. An EBS volume counts each request (ebs-nvme-stats, docs/nvme.md), and so does fio (ebs_import_fio).";
    hint_if_empty(subject, nothing, "histogram of latencies", hint);
}
