//! ebs_frontier: volumes of which none that is cheaper predicts as much.

use ebs_advice::advice::{Frontier, Point, Request, Settings, frontier};
use ebs_base::error::within;
use ebs_base::names;
use ebs_base::units::Usd;
use pgrx::AnyNumeric;
use pgrx::datum::Interval;
use pgrx::prelude::*;

use super::answer::seen;
use super::price::numeric;
use crate::errors::{Error, SqlResult};
use crate::functions::subject::subject;
use crate::interrupts::check_interrupts;
use crate::storage;

type Row = (
    name!(role, Option<String>),
    name!(rank, Option<i32>),
    name!(volume_type, Option<&'static str>),
    name!(volumes, Option<i32>),
    name!(size_gib, Option<i64>),
    name!(iops, Option<i64>),
    name!(throughput_mibps, Option<i64>),
    name!(usd_month, Option<AnyNumeric>),
    name!(usd_month_more, Option<AnyNumeric>),
    name!(throughput_ratio, Option<f64>),
    name!(throughput_ratio_low, Option<f64>),
    name!(throughput_ratio_high, Option<f64>),
    name!(read_ms, Option<f64>),
    name!(write_ms, Option<f64>),
    name!(bound_by, Option<&'static str>),
    name!(recommended, Option<bool>),
    name!(note, Option<String>),
);

#[allow(clippy::too_many_arguments, reason = "the contract's arguments")]
#[pg_extern(sql = false)]
fn ebs_frontier(
    run: Option<&str>,
    lookback: Option<Interval>,
    platform: Option<&str>,
    region: Option<&str>,
    instance: Option<&str>,
    clients: Option<f64>,
    max_volumes: Option<i32>,
    min_size_gib: Option<i64>,
) -> SqlResult<TableIterator<'static, Row>> {
    let default = Settings::default();
    let settings = Settings {
        platform: names::owned(platform.unwrap_or(&default.platform)),
        region: names::owned(region.unwrap_or(&default.region)),
        instance: instance.map(names::owned),
        max_volumes,
        min_size_gib,
        ..default
    };
    let request = settings.check(storage::prices_of_region(&settings.region)?).map_err(Error::from)?;
    let sessions = |clients| within("clients", clients, (0.01, 1e6), "Client sessions on average, for example 16.");
    let clients = clients.map(sessions).transpose().map_err(Error::from)?;
    let subject = subject(run, lookback)?;
    let request = Request { instance: request.instance.or_else(|| seen(&subject)), ..request };
    let rows = match frontier(&subject.window, &request, clients, &subject.declared, &check_interrupts) {
        Ok(found) => found.iter().flat_map(rows).collect(),
        Err(missing) => vec![nothing(None, missing)],
    };
    Ok(TableIterator::new(rows))
}

fn rows(found: &Frontier) -> Vec<Row> {
    let points = match &found.points {
        Ok(points) => points,
        Err(reason) => return vec![nothing(Some(found.role.clone()), format!("no prediction: {reason}"))],
    };
    let next = points.iter().skip(1).map(|point| Some(point.usd_month)).chain([None]);
    (1..).zip(points.iter().zip(next)).map(|(rank, (point, next))| row(rank, &found.role, point, next)).collect()
}

fn row(rank: i32, role: &str, point: &Point, next: Option<Usd>) -> Row {
    let signed = |count: u64| i64::try_from(count).ok();
    let (config, found) = (&point.config, &point.prediction);
    (
        Some(role.to_owned()),
        Some(rank),
        Some(config.volume_type.name()),
        i32::try_from(point.volumes).ok(),
        signed(config.size_gib),
        signed(config.iops),
        signed(config.throughput_mibps),
        Some(numeric(point.usd_month)),
        // Of both as they are shown, so that they add up.
        next.map(|next| numeric(next.rounded() - point.usd_month.rounded())),
        Some(found.ratio.middle),
        Some(found.ratio.low),
        Some(found.ratio.high),
        Some(found.read_ms.middle),
        Some(found.write_ms.middle),
        Some(found.regime.name()),
        Some(point.recommended),
        None,
    )
}

fn nothing(role: Option<String>, note: String) -> Row {
    (role, None, None, None, None, None, None, None, None, None, None, None, None, None, None, None, Some(note))
}
