//! ebs_chart: a figure as bars for a terminal.

use ebs_base::format::plain;
use ebs_comparison::card::histograms;
use ebs_report::chart::{Metric, Room, latencies, over_time, sources, waits};
use pgrx::datum::Interval;
use pgrx::prelude::*;

use super::card::{imports, without_histogram};
use super::html::clock;
use crate::errors::{Error, SqlResult};
use crate::functions::subject::{notice_if_empty, subject};

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
    let subject = subject(run, lookback)?;
    let window = &subject.window;
    let lines = match metric {
        Metric::OverTime(recipe) => over_time(window, recipe, &clock(window)?, room),
        Metric::Waits => waits(&ebs_workload::waits::waits(window), room),
        Metric::Sources => sources(&ebs_workload::sources::sources(window), room),
        Metric::Latencies => latencies(&histograms(window, &imports(run)?), room),
    };
    match metric {
        Metric::Latencies => without_histogram(&subject, lines.is_empty()),
        _ => notice_if_empty(&subject, lines.is_empty(), "such figure was sampled"),
    }
    Ok(SetOfIterator::new(lines.into_iter().map(|line| plain(&line))))
}
