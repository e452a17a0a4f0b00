//! ebs_report_card and ebs_latency_histogram: grades, and the latencies behind them.

use ebs_comparison::card::{Histogram, Line, bar, histograms, report_card};
use ebs_report::reasons::card;
use ebs_samples::evidence::Bin;
use pgrx::datum::Interval;
use pgrx::prelude::*;

use super::fio_reports::{fio_reports, hint_if_no_histogram};
use crate::errors::SqlResult;
use crate::functions::run_selection::select_run;
use crate::functions::sql_row::{Columns, sql_row, table};
use crate::functions::values::{to_bigint, to_percent};

sql_row! {
    struct GradeRow(line: &Line) {
        test: String = card::describe_test(line),
        device: Option<String> = line.device.clone(),
        measured: Option<f64> = line.measured,
        unit: Option<&'static str> = card::describe_unit(line),
        grade: Option<String> = line.grade.as_ref().map(card::describe_grade),
        thresholds: Option<String> = card::describe_thresholds(line),
        basis: Option<&'static str> = line.basis.map(card::describe_basis),
        source: Option<&'static str> = card::describe_source(line),
        note: String = card::describe_note(line),
    }
}

#[pg_extern(sql = false)]
fn ebs_report_card(
    run: Option<&str>,
    lookback: Option<Interval>,
) -> SqlResult<TableIterator<'static, Columns<GradeRow>>> {
    let selection = select_run(run, lookback)?;
    let lines = report_card(&selection.window, &fio_reports(run)?);
    Ok(table(lines.iter().map(GradeRow::new).collect::<Vec<_>>()))
}

sql_row! {
    struct BucketRow(histogram: &Histogram, bucket: &Bin, largest: f64)
    where {
        let share = histogram.share(bucket);
    } {
        source: String = card::describe_histogram_source(&histogram.source),
        device: Option<String> = histogram.device.clone(),
        kind: &'static str = histogram.kind,
        from_us: i64 = to_bigint(bucket.lower_us),
        to_us: Option<i64> = bucket.upper_us.map(to_bigint),
        requests: i64 = to_bigint(bucket.count),
        share_pct: f64 = to_percent(share),
        bar: String = bar(share, largest),
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
        rows.extend(histogram.buckets.iter().map(|bucket| BucketRow::new(&histogram, bucket, largest)));
    }
    hint_if_no_histogram(&selection, rows.is_empty());
    Ok(table(rows))
}
