//! ebs_advise: the report.

use ebs_advisor_model::advice::{advise, insufficient};
use ebs_advisor_model::evidence::{Coverage, Window};
use ebs_advisor_model::report::{Report, lines};
use ebs_advisor_model::sources::sources;
use ebs_advisor_model::waits::waits;
use pgrx::AnyNumeric;
use pgrx::datum::Interval;
use pgrx::prelude::*;

use super::options::settings;
use super::subject::subject;
use crate::errors::{Failure, Outcome};

#[allow(clippy::too_many_arguments, reason = "the contract's arguments, all of them with defaults")]
#[pg_extern(sql = false)]
fn ebs_advise(
    run: Option<&str>,
    lookback: Option<Interval>,
    platform: Option<&str>,
    region: Option<&str>,
    instance: Option<&str>,
    percentile: Option<f64>,
    headroom: Option<f64>,
    max_throttled_pct: Option<f64>,
    durability_pct: Option<f64>,
    budget_usd: Option<AnyNumeric>,
    max_volumes: Option<i32>,
    min_size_gib: Option<i64>,
) -> Outcome<SetOfIterator<'static, String>> {
    let settings = settings(
        (platform, region, instance),
        (percentile, headroom, max_throttled_pct),
        (durability_pct, budget_usd),
        (max_volumes, min_size_gib),
    )?;
    let request = settings.check().map_err(Failure::from)?;
    let subject = subject(run, lookback)?;
    let window = &subject.window;
    let coverage = Coverage::of(window);
    let enough = insufficient(window, &coverage).is_none();
    let report = Report {
        subject: subject.name.clone(),
        server: subject.server.clone(),
        when: when(window)?,
        request: &request,
        window,
        coverage,
        roles: if enough { advise(window, &request) } else { Vec::new() },
        sources: sources(window),
        waits: waits(window),
        details: format!("SELECT * FROM ebs_options({})", subject.argument),
    };
    Ok(SetOfIterator::new(lines(&report)))
}

/// The window in the session's time zone: `2026-11-21 10:41:00 to 10:42:00 UTC`.
fn when(window: &Window) -> Result<String, Failure> {
    let text = Spi::get_one_with_args::<String>(
        "SELECT pg_catalog.concat(pg_catalog.to_char(a, 'YYYY-MM-DD HH24:MI:SS'), ' to ',
                    pg_catalog.to_char(b, CASE WHEN a::date = b::date THEN 'HH24:MI:SS TZ' ELSE 'YYYY-MM-DD HH24:MI:SS TZ' END))
         FROM (SELECT timestamptz 'epoch' + $1 * interval '1 microsecond' AS a,
                      timestamptz 'epoch' + $2 * interval '1 microsecond' AS b) bounds",
        &[window.from_us.into(), window.to_us.into()],
    )?;
    Ok(text.unwrap_or_default())
}
