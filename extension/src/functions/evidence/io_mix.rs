//! ebs_io_mix: what was asked of each volume.

use ebs_advice::advice::insufficient;
use ebs_samples::evidence::Coverage;
use ebs_workload::demand::Demand;
use ebs_workload::mix::figures;
use pgrx::datum::Interval;
use pgrx::prelude::*;

use crate::errors::{SqlResult, notice};
use crate::functions::subject::subject;

type Row = (
    name!(volume, String),
    name!(role, String),
    name!(metric, &'static str),
    name!(unit, &'static str),
    name!(mean, Option<f64>),
    name!(p50, Option<f64>),
    name!(p95, Option<f64>),
    name!(p99, Option<f64>),
    name!(max, Option<f64>),
    name!(p99_low, Option<f64>),
    name!(p99_high, Option<f64>),
);

#[pg_extern(sql = false)]
fn ebs_io_mix(run: Option<&str>, lookback: Option<Interval>) -> SqlResult<TableIterator<'static, Row>> {
    let subject = subject(run, lookback)?;
    let window = &subject.window;
    if let Some(missing) = insufficient(window, &Coverage::of(window)) {
        notice(format!("insufficient data for {}: {missing}", subject.name));
    }
    let mut rows: Vec<Row> = Vec::new();
    for (index, volume) in window.place.volumes.iter().enumerate() {
        let demand = Demand::of(window, index);
        if demand.intervals.is_empty() {
            continue;
        }
        rows.extend(figures(&demand).into_iter().map(|figure| {
            let (low, high) = figure.p99_interval.map(|interval| (interval.low, interval.high)).unzip();
            let (metric, unit) = (figure.metric, figure.unit);
            let (device, role) = (volume.device.clone(), volume.role());
            (device, role, metric, unit, figure.mean, figure.p50, figure.p95, figure.p99, figure.max, low, high)
        }));
    }
    Ok(TableIterator::new(rows))
}
