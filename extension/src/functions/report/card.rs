//! ebs_report_card and ebs_latency_histogram: grades, and the latencies behind them.

use ebs_comparison::card::{bar, histograms, report_card};
use ebs_report::reasons::card;
use pgrx::datum::Interval;
use pgrx::prelude::*;

use super::fio_reports::{fio_reports, hint_if_no_histogram};
use crate::errors::SqlResult;
use crate::functions::run_selection::select_run;
use crate::functions::sql_row::{Columns, sql_row, table};
use crate::functions::values::{to_bigint, to_percent};

sql_row! {
    struct GradeRow {
        test: String,
        device: Option<String>,
        measured: Option<f64>,
        unit: Option<&'static str>,
        grade: Option<String>,
        thresholds: Option<String>,
        basis: Option<&'static str>,
        source: Option<&'static str>,
        note: String,
    }
}

#[pg_extern(sql = false)]
fn ebs_report_card(
    run: Option<&str>,
    lookback: Option<Interval>,
) -> SqlResult<TableIterator<'static, Columns<GradeRow>>> {
    let selection = select_run(run, lookback)?;
    Ok(table(report_card(&selection.window, &fio_reports(run)?).into_iter().map(|line| GradeRow {
        test: card::describe_test(&line),
        measured: line.measured,
        unit: card::describe_unit(&line),
        grade: line.grade.as_ref().map(card::describe_grade),
        thresholds: card::describe_thresholds(&line),
        basis: line.basis.map(card::describe_basis),
        source: card::describe_source(&line),
        note: card::describe_note(&line),
        device: line.device,
    })))
}

sql_row! {
    struct BucketRow {
        source: String,
        device: Option<String>,
        kind: &'static str,
        from_us: i64,
        to_us: Option<i64>,
        requests: i64,
        share_pct: f64,
        bar: String,
    }
}

#[pg_extern(sql = false)]
fn ebs_latency_histogram(
    run: Option<&str>,
    lookback: Option<Interval>,
) -> SqlResult<TableIterator<'static, Columns<BucketRow>>> {
    let selection = select_run(run, lookback)?;
    let mut rows = Vec::new();
    for histogram in histograms(&selection.window, &fio_reports(run)?) {
        let largest = histogram.buckets.iter().map(|bucket| histogram.share(bucket)).fold(0.0, f64::max);
        rows.extend(histogram.buckets.iter().map(|bucket| {
            let share = histogram.share(bucket);
            BucketRow {
                source: card::describe_histogram_source(&histogram.source),
                device: histogram.device.clone(),
                kind: histogram.kind,
                from_us: to_bigint(bucket.lower_us),
                to_us: bucket.upper_us.map(to_bigint),
                requests: to_bigint(bucket.count),
                share_pct: to_percent(share),
                bar: bar(share, largest),
            }
        }));
    }
    hint_if_no_histogram(&selection, rows.is_empty());
    Ok(table(rows))
}
