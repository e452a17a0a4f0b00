//! ebs_options: ranked volumes, and near-misses below them.

use ebs_advisor_model::advice::{Candidate, DEFAULTS, Settings, advise, insufficient};
use ebs_advisor_model::error::Refusal;
use ebs_advisor_model::evidence::Coverage;
use ebs_advisor_model::units::Usd;
use pgrx::AnyNumeric;
use pgrx::datum::Interval;
use pgrx::prelude::*;

use super::price::numeric;
use super::subject::subject;
use crate::errors::{Failure, Outcome};

type Row = (
    name!(rank, Option<i32>),
    name!(role, Option<String>),
    name!(volume_type, Option<&'static str>),
    name!(volumes, Option<i32>),
    name!(size_gib, Option<i64>),
    name!(iops, Option<i64>),
    name!(throughput_mibps, Option<i64>),
    name!(usd_month, Option<AnyNumeric>),
    name!(usd_month_saved, Option<AnyNumeric>),
    name!(throttled_pct, Option<f64>),
    name!(read_ms, Option<f64>),
    name!(write_ms, Option<f64>),
    name!(throughput_ratio, Option<f64>),
    name!(throughput_ratio_low, Option<f64>),
    name!(throughput_ratio_high, Option<f64>),
    name!(risk, Option<&'static str>),
    name!(bound_by, Option<&'static str>),
    name!(feasible, bool),
    name!(reason, String),
);

#[allow(clippy::too_many_arguments, reason = "the contract's arguments, all of them with defaults")]
#[pg_extern(sql = false)]
fn ebs_options(
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
) -> Outcome<TableIterator<'static, Row>> {
    let settings = settings(
        (platform, region, instance),
        (percentile, headroom, max_throttled_pct),
        (durability_pct, budget_usd),
        (max_volumes, min_size_gib),
    )?;
    let request = settings.check().map_err(Failure::from)?;
    let subject = subject(run, lookback)?;
    if let Some(missing) = insufficient(&subject.window, &Coverage::of(&subject.window)) {
        return Ok(TableIterator::once(nothing(&missing)));
    }
    let mut rows = Vec::new();
    for advice in advise(&subject.window, &request) {
        rows.extend((1..).zip(&advice.candidates).map(|(rank, candidate)| row(rank, &advice.role, candidate)));
    }
    Ok(TableIterator::new(rows))
}

/// The arguments as the model takes them. NULL means the default, so that a caller can pass on what it was not given.
pub fn settings(
    (platform, region, instance): (Option<&str>, Option<&str>, Option<&str>),
    (percentile, headroom, max_throttled_pct): (Option<f64>, Option<f64>, Option<f64>),
    (durability_pct, budget_usd): (Option<f64>, Option<AnyNumeric>),
    (max_volumes, min_size_gib): (Option<i32>, Option<i64>),
) -> Result<Settings, Failure> {
    Ok(Settings {
        platform: platform.unwrap_or(DEFAULTS.0).to_owned(),
        region: region.unwrap_or(DEFAULTS.1).to_owned(),
        instance: instance.map(str::to_owned),
        percentile: percentile.unwrap_or(DEFAULTS.2),
        headroom: headroom.unwrap_or(DEFAULTS.3),
        max_throttled_pct: max_throttled_pct.unwrap_or(DEFAULTS.4),
        durability_pct,
        budget_usd: budget_usd.map(dollars).transpose()?,
        max_volumes: max_volumes.unwrap_or(DEFAULTS.5),
        min_size_gib,
    })
}

fn dollars(amount: AnyNumeric) -> Result<Usd, Failure> {
    let text = amount.to_string();
    text.parse().map_err(|_| {
        let value = text.parse().unwrap_or(f64::NAN);
        let meaning = "US dollars a month for the volumes of one role, for example 100.00.";
        Failure::from(Refusal::OutOfRange { argument: "budget_usd", value, min: 0.01, max: 1e9, meaning })
    })
}

fn nothing(missing: &str) -> Row {
    let reason = format!("insufficient data: {missing}");
    (
        None, None, None, None, None, None, None, None, None, None, None, None, None, None, None, None, None, false,
        reason,
    )
}

fn row(rank: i32, role: &str, candidate: &Candidate) -> Row {
    let config = &candidate.config;
    let spec = config.volume_type.spec();
    let signed = |count: u64| i64::try_from(count).ok();
    (
        Some(rank),
        Some(role.to_owned()),
        Some(config.volume_type.name()),
        i32::try_from(candidate.volumes).ok(),
        signed(config.size_gib),
        signed(config.iops),
        signed(config.throughput_mibps),
        Some(numeric(candidate.bill.total())),
        None,
        Some(candidate.outcome.throttled_pct()),
        Some(spec.read_ms),
        Some(spec.write_ms),
        None,
        None,
        None,
        Some(candidate.risk.name()),
        Some(candidate.bound.name()),
        candidate.feasible,
        candidate.reason.clone(),
    )
}
