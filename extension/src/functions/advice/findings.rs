//! ebs_findings: problems to fix before a volume is bought.

use std::collections::BTreeMap;

use ebs_advice::Request;
use ebs_answer::{RunFindings, StatementActivity};
use ebs_report::{Arguments, reasons};
use ebs_tuning::findings::Finding;
use pgrx::AnyNumeric;
use pgrx::datum::Interval;
use pgrx::prelude::*;

use super::index_advice::missing_indexes;
use super::request::{RequestArguments, resolve_request};
use crate::errors::{Error, SqlResult, notice_with_hint};
use crate::functions::evidence::statement_activity::{reading_pair, statement_texts};
use crate::functions::run_selection::RunSelection;
use crate::functions::sql_row::{Columns, sql_row, table};
use crate::functions::values::{to_numeric, to_percent};

sql_row! {
    struct FindingRow(rank: i32, finding: &Finding, arguments: &Arguments) {
        rank: i32 = rank,
        finding: &'static str = finding.kind().name(),
        subject: String = reasons::findings::describe_subject(finding),
        measured: String = reasons::findings::describe_measurement(finding),
        demand_pct: Option<f64> = finding.share.map(to_percent),
        requests_s_saved_low: Option<f64> = finding.saving.map(|saving| saving.low),
        requests_s_saved_high: Option<f64> = finding.saving.map(|saving| saving.high),
        usd_month_saved: Option<AnyNumeric> = finding.usd_month_saved.map(to_numeric),
        reason: String = reasons::findings::describe_reason(finding),
        remedy: String = reasons::findings::describe_remedy(finding, arguments),
    }
}

#[pg_extern(sql = false)]
fn ebs_findings(
    run: Option<&str>,
    lookback: Option<Interval>,
) -> SqlResult<TableIterator<'static, Columns<FindingRow>>> {
    let (selection, request) = resolve_request(&RequestArguments::default(), run, lookback)?;
    let findings = collect_findings(&selection, &request)?;
    selection.notice_if_empty(findings.is_empty(), "finding");
    if let Some(Err(missing)) = reading_pair(&selection)?.map(|readings| readings.statements()) {
        let message =
            format!("statements are not among the findings: {}", reasons::statements::describe_reason_then(&missing));
        notice_with_hint(message, reasons::statements::describe_remedy_then(&missing));
    }
    let arguments = selection.arguments();
    let rows = (1..).zip(findings).map(|(rank, finding)| FindingRow::new(rank, &finding, &arguments));
    Ok(table(rows.collect::<Vec<_>>()))
}

/// Collects the findings of a run, or of a look-back as far as samples show them.
pub fn collect_findings(selection: &RunSelection, request: &Request) -> Result<Vec<Finding>, Error> {
    let readings = reading_pair(selection)?;
    let activity = readings.as_ref().and_then(|span| StatementActivity::from_readings(span, &selection.window));
    let texts = match &activity {
        Some(activity) => statement_texts(selection, &activity.observed)?,
        None => BTreeMap::new(),
    };
    let findings = RunFindings {
        window: &selection.window,
        readings: readings.as_ref(),
        activity: activity.as_ref(),
        texts: &texts,
        environment: selection.run.as_ref().and_then(|run| run.environment.as_ref()),
    };
    Ok(findings.collect(missing_indexes(selection, request)?))
}
