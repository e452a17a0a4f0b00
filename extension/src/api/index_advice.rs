//! ebs_index_advice: which index would spare reads, and what the volume would cost with it.

use ebs_advisor_model::advice::{Advice, Candidate, Request, Settings, advise, insufficient};
use ebs_advisor_model::error::within;
use ebs_advisor_model::evidence::Coverage;
use ebs_advisor_model::indexes::{Finding, Kind, less, read_pages_s};
use ebs_advisor_model::units::Usd;
use pgrx::AnyNumeric;
use pgrx::datum::Interval;
use pgrx::prelude::*;

use super::answer::seen;
use super::price::numeric;
use super::queries::texts;
use super::statements::{Done, done};
use super::subject::{Subject, subject};
use crate::errors::{Failure, Outcome};
use crate::{planner, store};

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
) -> Outcome<TableIterator<'static, Row>> {
    let default = Settings::default();
    let settings = Settings {
        platform: platform.unwrap_or(&default.platform).to_owned(),
        region: region.unwrap_or(&default.region).to_owned(),
        instance: instance.map(str::to_owned),
        ..default
    };
    let plans = "The most plans that are asked for, for example 2000; one takes a millisecond or so.";
    let most = within("max_plans", f64::from(max_plans.unwrap_or(PLANS)), (1.0, 100_000.0), plans);
    let most = most.map_err(Failure::from)? as usize;
    let request = settings.check(store::prices(&settings.region)?).map_err(Failure::from)?;
    if let Some(label) = run {
        require_own(label)?;
    }
    let subject = subject(run, lookback)?;
    let instance = settings.instance.as_deref().map_or_else(|| seen(&subject), |_| request.instance);
    let request = Request { instance, ..request };
    let question = planner::Question { search_path: search_path.unwrap_or("\"$user\", public"), most_plans: most };
    let found = found(&subject, &question)?;
    let prices = Prices::of(&subject, &request);
    let rows: Vec<Row> = (1..).zip(found).map(|(rank, finding)| row(rank, finding, prices.as_ref())).collect();
    Ok(TableIterator::new(rows))
}

/// What is advised on the statements of a run or a look-back.
fn found(subject: &Subject, question: &planner::Question) -> Result<Vec<Finding>, Failure> {
    match done(subject)? {
        Ok(Done { observed, .. }) => {
            let texts = texts(subject, &observed)?;
            planner::advice(Some(planner::statements(&observed, &texts)?), question)
        }
        Err(missing) => {
            let reason = format!("which statements read is not known: {}. {}", missing.text(), missing.remedy());
            let mut found = planner::advice(None, question)?;
            found.push(Finding::new(Kind::Missing, reason));
            Ok(found)
        }
    }
}

/// Statements and tables of another server are not here.
fn require_own(label: &str) -> Result<(), Failure> {
    if !store::find(label)?.imported {
        return Ok(());
    }
    let hint = "Ask on the server where the run was made.";
    let message = format!("run \"{label}\" was imported: its statements and tables are not known here");
    Err(Failure::new(PgSqlErrorCode::ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE, message, hint))
}

/// The recommendation as it is, and what is needed for others.
struct Prices<'a> {
    subject: &'a Subject,
    request: &'a Request,
    now_usd: Option<Usd>,
    read_pages_s: f64,
}

impl<'a> Prices<'a> {
    /// `None` where there is no advice, or it is not known what PostgreSQL reads.
    fn of(subject: &'a Subject, request: &'a Request) -> Option<Prices<'a>> {
        let window = &subject.window;
        let missing = insufficient(window, &Coverage::of(window)).map(|reason| format!("insufficient data: {reason}"));
        let pages = read_pages_s(window);
        let missing = missing.or_else(|| pages.is_none().then(|| "PostgreSQL's reads were not sampled".to_owned()));
        if let Some(missing) = missing {
            pgrx::notice!("no volume with an index in place: {missing}");
            return None;
        }
        let now_usd = best(window, subject, request).apart_usd();
        Some(Prices { subject, request, now_usd, read_pages_s: pages? })
    }

    /// What would be recommended without these reads and with these writes more, and what it saves.
    fn without(&self, reads_s: f64, writes_s: f64) -> Option<(Candidate, Option<Usd>)> {
        let window = less(&self.subject.window, reads_s / self.read_pages_s, writes_s);
        let advice = best(&window, self.subject, self.request);
        let saved = self.now_usd.zip(advice.apart_usd()).map(|(now, then)| now - then);
        Some((advice.roles.iter().find_map(|role| role.best().cloned())?, saved))
    }
}

fn best(window: &ebs_advisor_model::evidence::Window, subject: &Subject, request: &Request) -> Advice {
    // The work over a long history takes seconds: it can be cancelled.
    advise(window, request, &subject.declared, &|| {
        pgrx::check_for_interrupts!();
    })
}

fn row(rank: i32, finding: Finding, prices: Option<&Prices>) -> Row {
    let volume = match (finding.kind, finding.advised, finding.saved_s, prices) {
        (Kind::Index, true, Some(saved_s), Some(prices)) => {
            let writes_s = finding.cost.map_or(0.0, |cost| cost.writes_s);
            prices.without(saved_s - finding.cost.map_or(0.0, |cost| cost.reads_s), writes_s)
        }
        _ => None,
    };
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
