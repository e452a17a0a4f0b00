//! ebs_frontier: volumes of which none that is cheaper predicts as much throughput.

use ebs_advice::{CLIENTS_MEANING, Frontier, Point, frontier};
use ebs_base::error::within;
use ebs_base::units::Usd;
use ebs_report::reasons::{evidence, prediction};
use pgrx::AnyNumeric;
use pgrx::prelude::*;

use super::request::{RequestArguments, resolve_request};
use crate::errors::{Error, SqlResult};
use crate::ffi::CalledFunction;
use crate::functions::sql_row::{Columns, sql_row, table};
use crate::functions::values::to_numeric;
use crate::interrupts::check_interrupts;

sql_row! {
    #[derive(Default)]
    /// A point of a frontier; `next_usd` is the price of the one above it.
    rounded struct FrontierRow(rank: i32, role: &str, point: &Point, next_usd: Option<Usd>)
    where {
        let (config, prediction) = (&point.config, &point.prediction);
    } {
        role: Option<String> = Some(role.to_owned()),
        rank: Option<i32> = Some(rank),
        volume_type: Option<&'static str> = Some(config.volume_type.name()),
        volumes: Option<i32> = i32::try_from(point.volumes).ok(),
        size_gib: Option<i64> = i64::try_from(config.size_gib).ok(),
        iops: Option<i64> = i64::try_from(config.iops).ok(),
        throughput_mibps: Option<i64> = i64::try_from(config.throughput_mibps).ok(),
        usd_month: Option<AnyNumeric> = point.usd_month.map(to_numeric),
        // Of both as they are shown, so that they add up.
        usd_month_more: Option<AnyNumeric> = next_usd
            .zip(point.usd_month)
            .map(|(next, here)| to_numeric(next.rounded() - here.rounded())),
        throughput_ratio: Option<f64> = Some(prediction.ratio.middle),
        throughput_ratio_low: Option<f64> = Some(prediction.ratio.low),
        throughput_ratio_high: Option<f64> = Some(prediction.ratio.high),
        read_ms: Option<f64> = Some(prediction.read_ms.middle),
        write_ms: Option<f64> = Some(prediction.write_ms.middle),
        bound_by: Option<&'static str> = Some(prediction.bound_by.name()),
        recommended: Option<bool> = Some(point.recommended),
        note: Option<String> = None,
    }
}

impl FrontierRow {
    /// The one row of a role without a prediction, or of an answer without evidence.
    fn without_prediction(role: Option<String>, note: String) -> FrontierRow {
        FrontierRow { role, note: Some(note), ..FrontierRow::default() }
    }
}

#[pg_extern(sql = false)]
fn ebs_frontier(call: CalledFunction) -> SqlResult<TableIterator<'static, Columns<FrontierRow>>> {
    let arguments = RequestArguments::from_call(&call);
    let sessions = |clients| within("clients", clients, (0.01, 1e6), CLIENTS_MEANING);
    let clients = call.number("clients").map(sessions).transpose().map_err(Error::from)?;
    let (selection, request) = resolve_request(&arguments, call.text("run"), call.interval("lookback"))?;
    Ok(match frontier(&selection.window, &request, clients, &selection.configured.declared, &check_interrupts) {
        Ok(roles) => table(roles.iter().flat_map(rows).collect::<Vec<_>>()),
        Err(missing) => {
            table([FrontierRow::without_prediction(None, evidence::describe_reason_with_heading(&missing))])
        }
    })
}

fn rows(role: &Frontier) -> Vec<FrontierRow> {
    let points = match &role.points {
        Ok(points) => points,
        Err(missing) => {
            let note = format!("no prediction: {}", prediction::describe_missing_input(*missing));
            return vec![FrontierRow::without_prediction(Some(role.role.clone()), note)];
        }
    };
    let next = points.iter().skip(1).map(|point| point.usd_month).chain([None]);
    (1..)
        .zip(points.iter().zip(next))
        .map(|(rank, (point, next_usd))| FrontierRow::new(rank, &role.role, point, next_usd))
        .collect()
}
