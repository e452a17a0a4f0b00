//! ebs_options: ranked volumes, and near-misses below them.

use ebs_advice::advice::{Candidate, Missed, insufficient};
use ebs_report::report::Report;
use pgrx::AnyNumeric;
use pgrx::iter::TableIterator;
use pgrx::name;

use super::answer::{Arguments, answers};
use super::price::numeric;
use crate::errors::Error;

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
    name!(usd_storage, Option<AnyNumeric>),
    name!(usd_iops, Option<AnyNumeric>),
    name!(usd_throughput, Option<AnyNumeric>),
    name!(price_doubt, Option<String>),
    name!(throttled_pct_high, Option<f64>),
    name!(added_ms_p99, Option<f64>),
    name!(credits_last_s, Option<f64>),
    name!(missed_by_pct, Option<f64>),
);

answers!(ebs_options, TableIterator<'static, Row>, options);

fn options(arguments: Arguments) -> Result<TableIterator<'static, Row>, Error> {
    arguments.answer(|report| TableIterator::new(rows(report)))
}

/// Every role's candidates, and last those of everything on one volume.
fn rows(report: &Report) -> Vec<Row> {
    let Some(advice) = &report.advice else {
        let missing = insufficient(report.window, &report.coverage).unwrap_or_default();
        return vec![nothing(&missing)];
    };
    let roles = advice.roles.iter().chain(&advice.together);
    let ranked =
        roles.flat_map(|role| (1..).zip(&role.candidates).map(|(rank, candidate)| row(rank, &role.role, candidate)));
    ranked.chain(advice.log_volume.iter().map(|volume| row(1, "dedicated log volume", volume))).collect()
}

fn nothing(missing: &str) -> Row {
    let reason = format!("insufficient data: {missing}");
    (
        None, None, None, None, None, None, None, None, None, None, None, None, None, None, None, None, None, false,
        reason, None, None, None, None, None, None, None, None,
    )
}

fn row(rank: i32, role: &str, candidate: &Candidate) -> Row {
    let config = &candidate.config;
    // What is no volume of its own has no IOPS or throughput to order.
    let signed = |count: u64| i64::try_from(count).ok().filter(|_| config.class().is_some());
    let (bill, outcome, ratio) = (candidate.bill, candidate.outcome, candidate.ratio());
    (
        Some(rank),
        Some(role.to_owned()),
        Some(config.volume_type.name()),
        i32::try_from(candidate.volumes).ok(),
        i64::try_from(config.size_gib).ok(),
        signed(config.iops),
        signed(config.throughput_mibps),
        bill.map(|bill| numeric(bill.total())),
        candidate.saved.map(numeric),
        outcome.map(|outcome| outcome.throttled_pct()),
        candidate.read_ms(),
        candidate.write_ms(),
        ratio.map(|ratio| ratio.middle),
        ratio.map(|ratio| ratio.low),
        ratio.map(|ratio| ratio.high),
        candidate.risk.map(|risk| risk.name()),
        Some(candidate.bound.name()),
        candidate.feasible,
        candidate.reason.clone(),
        bill.map(|bill| numeric(bill.storage)),
        bill.map(|bill| numeric(bill.iops)),
        bill.map(|bill| numeric(bill.throughput)),
        (!candidate.price_doubts.is_empty()).then(|| candidate.price_doubts.join("; ")),
        outcome.map(|outcome| outcome.throttled_high_pct),
        outcome.and_then(|outcome| outcome.added).map(|added| added.p99_ms),
        outcome.and_then(|outcome| outcome.credits).map(|exhausted| exhausted.after_s),
        candidate.missed.as_ref().and_then(Missed::by_pct),
    )
}
