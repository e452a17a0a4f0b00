//! ebs_chart: a figure as bars for a terminal.

use ebs_base::format::plain;
use ebs_comparison::card::histograms;
use ebs_report::terminal::{self, Metric, Room};
use ebs_workload::io_sources::sources;
use ebs_workload::waits::waits;
use pgrx::datum::Interval;
use pgrx::prelude::*;

use super::fio_reports::{fio_reports, hint_if_no_histogram};
use crate::errors::{Error, SqlResult};
use crate::functions::run_selection::select_run;
use crate::functions::utc_offset::session_utc_offset;

#[pg_extern(sql = false)]
fn ebs_chart(
    run: Option<&str>,
    metric: Option<&str>,
    width: Option<i32>,
    rows: Option<i32>,
    lookback: Option<Interval>,
) -> SqlResult<SetOfIterator<'static, String>> {
    // Arguments are checked before evidence is read.
    let metric: Metric = metric.unwrap_or("requests").parse().map_err(Error::from)?;
    let room = Room::from_arguments(width, rows).map_err(Error::from)?;
    let selection = select_run(run, lookback)?;
    let window = &selection.window;
    let lines = match metric {
        Metric::OverTime(metric) => terminal::draw_over_time(window, metric, &session_utc_offset(window)?, room),
        Metric::Waits => terminal::draw_waits(&waits(window), room),
        Metric::Sources => terminal::draw_sources(&sources(window), room),
        Metric::Latencies => terminal::draw_latencies(&histograms(window, &fio_reports(run)?), room),
    };
    match metric {
        Metric::Latencies => hint_if_no_histogram(&selection, lines.is_empty()),
        _ => selection.notice_if_empty(lines.is_empty(), "such figure was sampled"),
    }
    Ok(SetOfIterator::new(lines.into_iter().map(|line| plain(&line))))
}
