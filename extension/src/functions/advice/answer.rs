//! The answer that ebs_options, ebs_advise, ebs_advise_json and ebs_report_html show, each in its way.

use ebs_advice::{Request, advise, insufficient};
use ebs_report::{Arguments, Report};
use ebs_samples::evidence::{Coverage, Window};
use ebs_workload::io_sources::sources;
use ebs_workload::waits::waits;
use pgrx::datum::Interval;

use super::findings::collect_findings;
use super::request::{RequestArguments, resolve_request};
use crate::errors::Error;
use crate::functions::run_selection::RunSelection;
use crate::functions::utc_offset::session_utc_offset;
use crate::interrupts::check_interrupts;
use crate::sql::first_text;

/// Declares a SQL function with the contract's arguments: one that renders the report, or one with a baseline behind the run or with
/// `show` as the last argument, which `$answer` answers.
macro_rules! answers {
    ($name:ident, $returns:ty, $render:path) => {
        answers!($name(), $returns, |arguments, run, lookback| {
            $crate::functions::advice::answer::answer(arguments, run, lookback, |report, _| Ok($render(report)))
        });
    };
    ($name:ident($($baseline:ident)?$(; $show:ident)?), $returns:ty, $answer:expr) => {
        #[allow(clippy::too_many_arguments, reason = "the contract's arguments")]
        #[pgrx::pg_extern(sql = false)]
        fn $name(
            run: Option<&str>,
            $($baseline: Option<&str>,)?
            lookback: Option<pgrx::datum::Interval>,
            platform: Option<&str>,
            region: Option<&str>,
            instance: Option<&str>,
            percentile: Option<f64>,
            headroom: Option<f64>,
            max_throttled_pct: Option<f64>,
            keep_throughput_pct: Option<f64>,
            min_throughput_ratio: Option<f64>,
            latency_target_ms: Option<f64>,
            durability_pct: Option<f64>,
            budget_usd: Option<pgrx::AnyNumeric>,
            max_volumes: Option<i32>,
            min_size_gib: Option<i64>,
            io_source: Option<&str>,
            $($show: Option<&str>,)?
        ) -> $crate::errors::SqlResult<$returns> {
            let arguments = $crate::functions::advice::request::RequestArguments {
                platform,
                region,
                instance,
                percentile,
                headroom,
                max_throttled_pct,
                keep_throughput_pct,
                min_throughput_ratio,
                latency_target_ms,
                durability_pct,
                budget_usd,
                max_volumes,
                min_size_gib,
                io_source,
            };
            let answer = $answer;
            Ok(answer(&arguments, run, $($baseline,)? lookback$(, $show)?)?)
        }
    };
}
pub(in crate::functions) use answers;

/// Answers a request, and renders the report.
pub fn answer<T>(
    arguments: &RequestArguments,
    run: Option<&str>,
    lookback: Option<Interval>,
    render: impl FnOnce(&Report, &RunSelection) -> Result<T, Error>,
) -> Result<T, Error> {
    let (selection, request) = resolve_request(arguments, run, lookback)?;
    let mut given = selection.arguments();
    given.named.extend(arguments.to_sql());
    let report = report(&selection, &request, given)?;
    render(&report, &selection)
}

fn report<'a>(selection: &'a RunSelection, request: &'a Request, arguments: Arguments) -> Result<Report<'a>, Error> {
    let window = &selection.window;
    let coverage = Coverage::from_window(window);
    let enough = insufficient(window, &coverage).is_none();
    Ok(Report {
        subject: selection.name.clone(),
        server: selection.server.clone(),
        when: time_range(window)?,
        utc_offset: session_utc_offset(window)?,
        request,
        window,
        coverage,
        steadiness: selection.steadiness,
        checkpoint_timeout_s: selection.checkpoint_timeout_s()?,
        advice: enough.then(|| advise(window, request, &selection.configured.declared, &check_interrupts)),
        sources: sources(window),
        waits: waits(window),
        declared: &selection.configured.declared,
        arguments,
        findings: if enough { collect_findings(selection, request)? } else { Vec::new() },
    })
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
