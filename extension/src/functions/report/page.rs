//! ebs_report_html: the report as one page with plots.

use ebs_advice::frontier_from_advice;
use ebs_base::format::plain_page;
use ebs_comparison::card::{histograms, report_card};
use ebs_comparison::compare::Options;
use ebs_report::Report;
use ebs_report::html::{self, Comparison, Page};
use pgrx::datum::Interval;

use super::compare::compare_sets;
use super::fio_reports::fio_reports;
use crate::errors::Error;
use crate::functions::advice::answer::{answer, answers};
use crate::functions::advice::request::RequestArguments;
use crate::functions::run_selection::RunSelection;
use crate::functions::utc_offset::session_utc_offset;
use crate::interrupts::check_interrupts;

answers!(ebs_report_html(baseline), String, answer_with_comparison);

fn answer_with_comparison(
    arguments: &RequestArguments,
    run: Option<&str>,
    baseline: Option<&str>,
    lookback: Option<Interval>,
) -> Result<String, Error> {
    let comparison = baseline.map(|baseline| compare_with(baseline, run)).transpose()?;
    answer(arguments, run, lookback, |report, selection| render(report, selection, run, comparison))
}

fn render(
    report: &Report,
    selection: &RunSelection,
    run: Option<&str>,
    comparison: Option<Comparison>,
) -> Result<String, Error> {
    let (window, request) = (&selection.window, report.request);
    let fio = fio_reports(run)?;
    let frontier =
        report.advice.iter().flat_map(|advice| frontier_from_advice(advice, request, None, &check_interrupts));
    let page = html::render(&Page {
        report,
        insufficient: Page::insufficient(report),
        timeline: selection.timeline.as_ref(),
        frontier: frontier.collect(),
        histograms: histograms(window, &fio),
        card: report_card(window, &fio),
        comparison,
        utc_offset: session_utc_offset(window)?,
    });
    Ok(plain_page(&page))
}

/// Compares the run with `baseline`; either may be a pattern, as in ebs_compare.
fn compare_with(baseline: &str, run: Option<&str>) -> Result<Comparison, Error> {
    let Some(run) = run else {
        let message = "a baseline is compared with a run, and none is named";
        let hint = "Name it: SELECT ebs_report_html('io2-1', baseline => 'gp3-1').";
        return Err(Error::invalid_parameter(message, hint));
    };
    let rows = compare_sets(Some(baseline), Some(run), &Options::default())?;
    Ok(Comparison { baseline: baseline.trim().to_owned(), run: run.trim().to_owned(), rows })
}
