//! ebs_report_html: the report as one page with plots.

use ebs_answer::render_page;
use ebs_comparison::compare::Options;
use ebs_report::Report;
use ebs_report::html::Comparison;
use pgrx::pg_extern;

use super::compare::compare_sets;
use super::fio_reports::fio_reports;
use crate::errors::{Error, SqlResult};
use crate::ffi::CalledFunction;
use crate::functions::advice::answer::answer;
use crate::functions::run_selection::RunSelection;
use crate::interrupts::check_interrupts;

#[pg_extern(sql = false)]
fn ebs_report_html(call: CalledFunction) -> SqlResult<String> {
    let run = call.text("run");
    let comparison = call.text("baseline").map(|baseline| compare_with(baseline, run)).transpose()?;
    Ok(answer(&call, |report, selection| render(report, selection, run, comparison))?)
}

fn render(
    report: &Report,
    selection: &RunSelection,
    run: Option<&str>,
    comparison: Option<Comparison>,
) -> Result<String, Error> {
    let fio = fio_reports(run)?;
    Ok(render_page(report, selection.timeline.as_ref(), &fio, comparison, &check_interrupts))
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
