//! The answer that ebs_options, ebs_advise, ebs_advise_json and ebs_report_html show, each in its way.

use ebs_advice::Request;
use ebs_answer::{LocalTime, ReportInput};
use ebs_report::{Arguments, Report};
use ebs_samples::evidence::Window;

use super::findings::collect_findings;
use super::request::{RequestArguments, resolve_request};
use crate::errors::Error;
use crate::ffi::CalledFunction;
use crate::functions::run_selection::RunSelection;
use crate::functions::utc_offset::session_utc_offset;
use crate::interrupts::check_interrupts;
use crate::sql::first_text;

/// Answers a request, and renders the report.
pub fn answer<T>(
    call: &CalledFunction,
    render: impl FnOnce(&Report, &RunSelection) -> Result<T, Error>,
) -> Result<T, Error> {
    let arguments = RequestArguments::from_call(call);
    let (selection, request) = resolve_request(&arguments, call.text("run"), call.interval("lookback"))?;
    let mut given = selection.arguments();
    given.named.extend(arguments.to_sql());
    let report = report(&selection, &request, given)?;
    render(&report, &selection)
}

fn report<'a>(selection: &'a RunSelection, request: &'a Request, arguments: Arguments) -> Result<Report<'a>, Error> {
    let window = &selection.window;
    let input = ReportInput {
        subject: selection.name.clone(),
        server: selection.server.clone(),
        local: LocalTime { when: time_range(window)?, utc_offset: session_utc_offset(window)? },
        request,
        window,
        steadiness: selection.steadiness,
        checkpoint_timeout_s: selection.checkpoint_timeout_s()?,
        declared: &selection.configured.declared,
        arguments,
    };
    input.report(|| collect_findings(selection, request), &check_interrupts)
}

/// The window in the session's time zone: `2026-11-21 10:41:00 to 10:42:00 UTC`.
fn time_range(window: &Window) -> Result<String, Error> {
    first_text(
        "SELECT pg_catalog.concat(pg_catalog.to_char(a, 'YYYY-MM-DD HH24:MI:SS'), ' to ',
                    pg_catalog.to_char(b, CASE WHEN a::date = b::date THEN 'HH24:MI:SS TZ' ELSE 'YYYY-MM-DD HH24:MI:SS TZ' END))
         FROM (SELECT timestamptz 'epoch' + $1 * interval '1 microsecond' AS a,
                      timestamptz 'epoch' + $2 * interval '1 microsecond' AS b) bounds",
        &[window.from_us.into(), window.to_us.into()],
    )
}
