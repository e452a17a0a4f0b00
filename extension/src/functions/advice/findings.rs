//! ebs_findings: what to put right before a volume is bought.

use std::collections::BTreeMap;

use ebs_advice::advice::{Request, Settings as Advised};
use ebs_tuning::findings::{Basis, Finding, Settings, findings};
use ebs_workload::queries::attribute;
use pgrx::AnyNumeric;
use pgrx::datum::Interval;
use pgrx::prelude::*;

use super::answer::seen;
use super::index_advice::missing_indexes;
use super::price::numeric;
use crate::errors::{Error, SqlResult, notice_with_hint};
use crate::functions::evidence::queries::texts;
use crate::functions::evidence::statements::span;
use crate::functions::subject::{Subject, notice_if_empty, subject};
use crate::storage;

type Row = (
    name!(rank, i32),
    name!(finding, &'static str),
    name!(subject, String),
    name!(measured, String),
    name!(demand_pct, Option<f64>),
    name!(requests_s_saved_low, Option<f64>),
    name!(requests_s_saved_high, Option<f64>),
    name!(usd_month_saved, Option<AnyNumeric>),
    name!(reason, String),
    name!(remedy, String),
);

#[pg_extern(sql = false)]
fn ebs_findings(run: Option<&str>, lookback: Option<Interval>) -> SqlResult<TableIterator<'static, Row>> {
    let subject = subject(run, lookback)?;
    let settings = Advised::default();
    let request = settings.check(storage::prices_of_region(&settings.region)?).map_err(Error::from)?;
    let request = Request { instance: seen(&subject), ..request };
    let found = found(&subject, &request)?;
    notice_if_empty(&subject, found.is_empty(), "finding");
    if let Some(Err(missing)) = span(&subject)?.map(|span| span.statements()) {
        notice_with_hint(
            format!("statements are not among the findings: {}", missing.text_then()),
            missing.remedy_then(),
        );
    }
    Ok(TableIterator::new((1..).zip(found).map(|(rank, finding)| row(rank, finding))))
}

/// What was found in a run, or in a look-back as far as samples tell.
pub fn found(subject: &Subject, request: &Request) -> Result<Vec<Finding>, Error> {
    let span = span(subject)?;
    let mut observed = span.as_ref().and_then(|span| span.statements().ok());
    if let Some(observed) = &mut observed {
        attribute(observed, &subject.window);
    }
    let texts = match &observed {
        Some(observed) => texts(subject, observed)?,
        None => BTreeMap::new(),
    };
    let environment = subject.run.as_ref().and_then(|run| run.environment.as_ref());
    let basis = Basis {
        window: &subject.window,
        span: span.as_ref(),
        observed: observed.as_ref(),
        texts: &texts,
        settings: environment.map(Settings::of).unwrap_or_default(),
        argument: &subject.argument,
    };
    Ok(findings(&basis, missing_indexes(subject, request)?))
}

fn row(rank: i32, finding: Finding) -> Row {
    (
        rank,
        finding.kind.name(),
        finding.subject,
        finding.measured,
        finding.share.map(|share| 100.0 * share),
        finding.saving.map(|saving| saving.low),
        finding.saving.map(|saving| saving.high),
        finding.usd_month_saved.map(numeric),
        finding.reason,
        finding.remedy,
    )
}
