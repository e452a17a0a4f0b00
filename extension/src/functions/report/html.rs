//! ebs_report_html: the report as one page with plots.

use ebs_advice::advice::frontier_beside;
use ebs_base::format::plain_page;
use ebs_comparison::card::{histograms, report_card};
use ebs_comparison::compare::Options;
use ebs_report::page::{Comparison, Page, render_page};
use ebs_report::report::{Clock, Report};
use ebs_samples::evidence::Window;
use pgrx::datum::Interval;
use pgrx::prelude::*;
use pgrx::{AnyNumeric, PgSqlErrorCode};

use super::card::imports;
use super::compare::compared;
use crate::errors::{Error, SqlResult};
use crate::functions::advice::answer::Arguments;
use crate::functions::subject::Subject;
use crate::interrupts::check_interrupts;
use crate::storage;

#[allow(clippy::too_many_arguments, reason = "the contract's arguments")]
#[pg_extern(sql = false)]
fn ebs_report_html(
    run: Option<&str>,
    baseline: Option<&str>,
    lookback: Option<Interval>,
    platform: Option<&str>,
    region: Option<&str>,
    instance: Option<&str>,
    percentile: Option<f64>,
    headroom: Option<f64>,
    max_throttled_pct: Option<f64>,
    min_throughput_ratio: Option<f64>,
    latency_target_ms: Option<f64>,
    durability_pct: Option<f64>,
    budget_usd: Option<AnyNumeric>,
    max_volumes: Option<i32>,
    min_size_gib: Option<i64>,
) -> SqlResult<String> {
    let comparison = baseline.map(|baseline| against(baseline, run)).transpose()?;
    let arguments = Arguments {
        run,
        lookback,
        platform,
        region,
        instance,
        percentile,
        headroom,
        max_throttled_pct,
        min_throughput_ratio,
        latency_target_ms,
        durability_pct,
        budget_usd,
        max_volumes,
        min_size_gib,
    };
    Ok(arguments.answer_with(|report, subject| shown(report, subject, run, comparison))?)
}

fn shown(
    report: &Report,
    subject: &Subject,
    run: Option<&str>,
    comparison: Option<Comparison>,
) -> Result<String, Error> {
    let (window, request) = (&subject.window, report.request);
    let fio = imports(run)?;
    let frontier = report
        .advice
        .iter()
        .flat_map(|advice| frontier_beside(advice, window, request, None, &subject.declared, &check_interrupts));
    let page = render_page(&Page {
        report,
        insufficient: Page::insufficient(report),
        course: subject.course.as_ref(),
        frontier: frontier.collect(),
        histograms: histograms(window, &fio),
        card: report_card(window, &fio),
        comparison,
        clock: clock(window)?,
    });
    Ok(plain_page(&page))
}

/// What `run` differs by from `baseline`: either may be a pattern, as of ebs_compare.
fn against(baseline: &str, run: Option<&str>) -> Result<Comparison, Error> {
    let Some(run) = run else {
        let message = "a baseline is compared with a run, and none is named";
        let hint = "Name it: SELECT ebs_report_html('io2-1', baseline => 'gp3-1').";
        return Err(Error::new(PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE, message, hint));
    };
    let rows = compared(Some(baseline), Some(run), &Options::default())?;
    Ok(Comparison { baseline: baseline.trim().to_owned(), run: run.trim().to_owned(), rows })
}

/// The session's time of day at the beginning of the window. Where clocks are changed within it, the page stays with this one, and
/// says which it is.
pub(super) fn clock(window: &Window) -> Result<Clock, Error> {
    let offset = storage::first_text(
        "SELECT pg_catalog.date_part('timezone', timestamptz 'epoch' + $1 * interval '1 microsecond')::int::text",
        &[window.from_us.into()],
    )?;
    Ok(Clock::from_offset(offset.parse().unwrap_or(0)))
}
