//! ebs_index_advice: which index would spare reads, and what the volume would cost with it.

use ebs_advice::advice::{Request, Settings};
use ebs_base::error::within;
use ebs_base::names;
use ebs_tuning::findings;
use ebs_tuning::indexes::device::{AtDevice, as_finding};
use ebs_tuning::indexes::{Finding, Kind};
use pgrx::AnyNumeric;
use pgrx::datum::Interval;
use pgrx::prelude::*;

use super::answer::seen;
use super::index_price::Prices;
use super::price::numeric;
use crate::errors::{Error, SqlResult};
use crate::functions::evidence::queries::texts;
use crate::functions::evidence::statements::{Done, done};
use crate::functions::subject::{Subject, subject};
use crate::{planner, storage};

type Row = (
    name!(rank, i32),
    name!(kind, &'static str),
    name!(advised, bool),
    name!(relation, Option<String>),
    name!(ddl, Option<String>),
    name!(query_id, Option<i64>),
    name!(statement, Option<String>),
    name!(cost_before, Option<f64>),
    name!(cost_after, Option<f64>),
    name!(blocks_before, Option<f64>),
    name!(blocks_after, Option<f64>),
    name!(reads_s, Option<f64>),
    name!(reads_s_saved, Option<f64>),
    name!(writes_s_added, Option<f64>),
    name!(wal_bytes_s_added, Option<f64>),
    name!(net_reads_s_saved, Option<f64>),
    name!(size_bytes, Option<i64>),
    name!(volume_type, Option<&'static str>),
    name!(volumes, Option<i32>),
    name!(size_gib, Option<i64>),
    name!(iops, Option<i64>),
    name!(throughput_mibps, Option<i64>),
    name!(usd_month, Option<AnyNumeric>),
    name!(usd_month_saved, Option<AnyNumeric>),
    name!(reason, String),
);

/// Plans that are asked for where nobody says how many.
const PLANS: i32 = 2_000;

#[pg_extern(sql = false)]
fn ebs_index_advice(
    run: Option<&str>,
    platform: Option<&str>,
    region: Option<&str>,
    instance: Option<&str>,
    max_plans: Option<i32>,
    lookback: Option<Interval>,
    search_path: Option<&str>,
) -> SqlResult<TableIterator<'static, Row>> {
    let default = Settings::default();
    let settings = Settings {
        platform: names::owned(platform.unwrap_or(&default.platform)),
        region: names::owned(region.unwrap_or(&default.region)),
        instance: instance.map(names::owned),
        ..default
    };
    let plans = "The most plans that are asked for, for example 2000; one takes a millisecond or so.";
    let most = within("max_plans", f64::from(max_plans.unwrap_or(PLANS)), (1.0, 100_000.0), plans);
    let most = most.map_err(Error::from)? as usize;
    let request = settings.check(storage::prices_of_region(&settings.region)?).map_err(Error::from)?;
    if let Some(label) = run {
        require_own(label)?;
    }
    let path = search_path.unwrap_or("\"$user\", public");
    planner::check_search_path(path)?;
    let subject = subject(run, lookback)?;
    let instance = settings.instance.as_deref().map_or_else(|| seen(&subject), |_| request.instance);
    let request = Request { instance, ..request };
    let question = planner::PlanningLimits { search_path: path, max_plans: most };
    let found = found(&subject, &question)?;
    let prices = Prices::of(&subject, &request);
    let rows: Vec<Row> = (1..).zip(found).map(|(rank, finding)| row(rank, finding, prices.as_ref())).collect();
    Ok(TableIterator::new(rows))
}

/// What is advised on the statements of a run or a look-back.
fn found(subject: &Subject, question: &planner::PlanningLimits) -> Result<Vec<Finding>, Error> {
    match done(subject)? {
        Ok(Done { observed, .. }) => {
            let texts = texts(subject, &observed)?;
            planner::advise_indexes(Some(planner::plannable_statements(&observed, &texts)?), question)
        }
        Err(missing) => {
            let reason = format!("which statements read is not known: {}. {}", missing.text(), missing.remedy());
            let mut found = planner::advise_indexes(None, question)?;
            found.push(Finding::new(Kind::Missing, reason));
            Ok(found)
        }
    }
}

/// Statements and tables of another server are not here.
fn require_own(label: &str) -> Result<(), Error> {
    if !storage::find_run(label)?.imported {
        return Ok(());
    }
    let hint = "Ask on the server where the run was made.";
    let message = format!("run \"{label}\" was imported: its statements and tables are not known here");
    Err(Error::new(PgSqlErrorCode::ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE, message, hint))
}

/// Most plans for a report, which is to be there in a second.
const PLANS_FOR_A_REPORT: usize = 400;

/// Missing indexes of a run as findings, those that are advised alone; none where hypopg is not there. Names without a schema
/// are looked up where this session looks by default: what it has set meanwhile a function with a search_path cannot see.
pub fn missing_indexes(subject: &Subject, request: &Request) -> Result<Vec<findings::Finding>, Error> {
    let own = subject.run.as_ref().is_some_and(|run| !run.imported);
    if !own || !planner::can_try_indexes()? {
        return Ok(Vec::new());
    }
    let Ok(Done { observed, device }) = done(subject)? else { return Ok(Vec::new()) };
    let texts = texts(subject, &observed)?;
    let seen = planner::plannable_statements(&observed, &texts)?;
    let path = planner::default_search_path()?;
    let question = planner::PlanningLimits { search_path: &path, max_plans: PLANS_FOR_A_REPORT };
    let advised = planner::recommended_indexes(seen, &question)?;
    if advised.is_empty() {
        return Ok(Vec::new());
    }
    let prices = Prices::of(subject, request);
    let at_device = |finding: &Finding| AtDevice::of(finding, &observed, device.as_ref());
    let saved = |finding: &Finding| prices.as_ref().and_then(|prices| prices.of_finding(finding)?.1);
    Ok(advised.iter().map(|finding| as_finding(finding, at_device(finding), saved(finding))).collect())
}

fn row(rank: i32, finding: Finding, prices: Option<&Prices>) -> Row {
    let volume = prices.and_then(|prices| prices.of_finding(&finding));
    let (candidate, saved) = volume.map_or((None, None), |(candidate, saved)| (Some(candidate), saved));
    let config = candidate.as_ref().map(|candidate| candidate.config);
    let signed = |count: u64| i64::try_from(count).ok();
    let net_s = finding.net_s();
    (
        rank,
        finding.kind.name(),
        finding.advised,
        finding.table,
        finding.command,
        finding.query_id,
        finding.statement,
        finding.before.as_ref().map(|price| price.cost),
        finding.after.as_ref().map(|price| price.cost),
        finding.before.as_ref().map(|price| price.pages),
        finding.after.as_ref().map(|price| price.pages),
        finding.reads_s,
        finding.saved_s,
        finding.cost.map(|cost| cost.requests_s()),
        finding.cost.map(|cost| cost.wal_bytes_s),
        net_s,
        finding.size_bytes,
        config.map(|config| config.volume_type.name()),
        candidate.as_ref().and_then(|candidate| i32::try_from(candidate.volumes).ok()),
        config.and_then(|config| signed(config.size_gib)),
        config.and_then(|config| signed(config.iops)),
        config.and_then(|config| signed(config.throughput_mibps)),
        candidate.as_ref().map(|candidate| numeric(candidate.total())),
        saved.map(numeric),
        finding.reason,
    )
}
