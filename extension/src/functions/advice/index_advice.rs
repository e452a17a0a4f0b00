//! ebs_index_advice: indexes that would spare reads, and the price of the volume with each.

use ebs_advice::Request;
use ebs_answer::{IndexPrices, StatementActivity, priced_indexes};
use ebs_base::error::within;
use ebs_report::reasons::indexes;
use ebs_tuning::findings;
use ebs_tuning::indexes::{DEFAULT_MAX_PLANS, Finding, Kind, Reason};
use pgrx::AnyNumeric;
use pgrx::prelude::*;

use super::imported_indexes::{imported_findings, imported_recommendations, refuse_max_plans};
use super::request::{RequestArguments, resolve_request};
use crate::errors::{Error, SqlResult, notice};
use crate::ffi::CalledFunction;
use crate::functions::evidence::statement_activity::{statement_activity, statement_texts};
use crate::functions::run_selection::RunSelection;
use crate::functions::sql_row::{Columns, sql_row, table};
use crate::functions::values::to_numeric;
use crate::interrupts::check_interrupts;
use crate::planner;

/// Largest `max_plans` that is accepted.
const MAX_PLANS: f64 = 100_000.0;

/// Most plans for a report, which is to be there in a second.
const REPORT_MAX_PLANS: usize = 400;

sql_row! {
    struct IndexRow(rank: i32, finding: &Finding, prices: Option<&IndexPrices>)
    where {
        let volume = prices.and_then(|prices| prices.with_index(finding));
        let (candidate, saved) = volume.map_or((None, None), |(candidate, saved)| (Some(candidate), saved));
        let config = candidate.as_ref().map(|candidate| candidate.config);
    } {
        rank: i32 = rank,
        kind: &'static str = finding.kind.name(),
        advised: bool = finding.advised,
        relation: Option<String> = finding.table.clone(),
        ddl: Option<String> = finding.command.clone(),
        query_id: Option<i64> = finding.query_id,
        statement: Option<String> = finding.statement.clone(),
        cost_before: Option<f64> = finding.before.as_ref().map(|price| price.cost),
        cost_after: Option<f64> = finding.after.as_ref().map(|price| price.cost),
        blocks_before: Option<f64> = finding.before.as_ref().map(|price| price.pages),
        blocks_after: Option<f64> = finding.after.as_ref().map(|price| price.pages),
        reads_s: Option<f64> = finding.reads_s,
        reads_s_saved: Option<f64> = finding.saved_s,
        writes_s_added: Option<f64> = finding.cost.map(|cost| cost.requests_s()),
        wal_bytes_s_added: Option<f64> = finding.cost.map(|cost| cost.wal_bytes_s),
        net_reads_s_saved: Option<f64> = finding.net_s(),
        size_bytes: Option<i64> = finding.size_bytes,
        volume_type: Option<&'static str> = config.map(|config| config.volume_type.name()),
        volumes: Option<i32> = candidate.as_ref().and_then(|candidate| i32::try_from(candidate.volumes).ok()),
        size_gib: Option<i64> = config.and_then(|config| i64::try_from(config.size_gib).ok()),
        iops: Option<i64> = config.and_then(|config| i64::try_from(config.iops).ok()),
        throughput_mibps: Option<i64> = config.and_then(|config| i64::try_from(config.throughput_mibps).ok()),
        usd_month: Option<AnyNumeric> = candidate.as_ref().and_then(|candidate| candidate.usd_month()).map(to_numeric),
        usd_month_saved: Option<AnyNumeric> = saved.map(to_numeric),
        reason: String = indexes::describe_reason(finding),
    }
}

#[pg_extern(sql = false)]
fn ebs_index_advice(call: CalledFunction) -> SqlResult<TableIterator<'static, Columns<IndexRow>>> {
    let (run, max_plans) = (call.text("run"), call.integer("max_plans"));
    let imported = run.map(imported_findings).transpose()?.flatten();
    if imported.is_some() {
        refuse_max_plans(run.unwrap_or_default(), max_plans)?;
    }
    let plans = "The maximum number of plans, for example 2000; one takes a millisecond or so.";
    let max_plans = max_plans.map_or(DEFAULT_MAX_PLANS as f64, |plans| plans as f64);
    let max_plans = within("max_plans", max_plans, (1.0, MAX_PLANS), plans).map_err(Error::from)? as usize;
    let arguments = RequestArguments::from_call(&call);
    let search_path = call.text("search_path").unwrap_or("\"$user\", public");
    planner::check_search_path(search_path)?;
    let (selection, request) = resolve_request(&arguments, run, call.interval("lookback"))?;
    let findings = match imported {
        Some(findings) => findings,
        None => {
            let checkpoint_s = selection.checkpoint_timeout_s()?;
            find_indexes(&selection, &planner::PlanningLimits { search_path, max_plans, checkpoint_s })?
        }
    };
    let prices = index_prices(&selection, &request);
    let rows = (1..).zip(findings).map(|(rank, finding)| IndexRow::new(rank, &finding, prices.as_ref()));
    Ok(table(rows.collect::<Vec<_>>()))
}

/// Findings on the statements of a run or a look-back.
fn find_indexes(selection: &RunSelection, limits: &planner::PlanningLimits) -> Result<Vec<Finding>, Error> {
    match statement_activity(selection)? {
        Ok(StatementActivity { observed, .. }) => {
            let texts = statement_texts(selection, &observed)?;
            planner::advise_indexes(Some(planner::plannable_statements(&observed, &texts)), limits)
        }
        Err(missing) => {
            let mut findings = planner::advise_indexes(None, limits)?;
            findings.push(Finding::new(Kind::Missing, Reason::StatementsUnknown(missing)));
            Ok(findings)
        }
    }
}

/// Missing indexes of a run as findings, the recommended ones alone; none where no planner was asked. Names without a schema are
/// looked up in the search_path that the session began with: a function with its own search_path cannot see what was set since.
pub fn missing_indexes(selection: &RunSelection, request: &Request) -> Result<Vec<findings::Finding>, Error> {
    let Some(run) = &selection.run else { return Ok(Vec::new()) };
    if !run.imported && !planner::can_try_indexes()? {
        return Ok(Vec::new());
    }
    let imported = run.imported.then(|| imported_recommendations(run)).transpose()?;
    if imported.as_ref().is_some_and(Vec::is_empty) {
        return Ok(Vec::new());
    }
    let activity = statement_activity(selection)?.ok();
    let recommended = match (imported, &activity) {
        (Some(recommended), _) => recommended,
        (None, Some(activity)) => local_recommendations(selection, activity)?,
        (None, None) => Vec::new(),
    };
    if recommended.is_empty() {
        return Ok(Vec::new());
    }
    let prices = index_prices(selection, request);
    Ok(priced_indexes(recommended, activity.as_ref(), prices.as_ref()))
}

/// Prices of the volume with an index in place; a notice tells why there are none.
fn index_prices<'a>(selection: &'a RunSelection, request: &'a Request) -> Option<IndexPrices<'a>> {
    let declared = &selection.configured.declared;
    IndexPrices::new(&selection.window, request, declared, &check_interrupts)
        .map_err(|missing| notice(format!("no volume with an index in place: {missing}")))
        .ok()
}

fn local_recommendations(selection: &RunSelection, activity: &StatementActivity) -> Result<Vec<Finding>, Error> {
    let texts = statement_texts(selection, &activity.observed)?;
    let statements = planner::plannable_statements(&activity.observed, &texts);
    let search_path = planner::default_search_path()?;
    let checkpoint_s = selection.checkpoint_timeout_s()?;
    let limits = planner::PlanningLimits { search_path: &search_path, max_plans: REPORT_MAX_PLANS, checkpoint_s };
    planner::recommended_indexes(statements, &limits)
}
