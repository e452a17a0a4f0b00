//! ebs_io_mix: I/O demand of each volume.

use ebs_advice::insufficient;
use ebs_report::reasons::evidence;
use ebs_samples::evidence::{Coverage, Volume};
use ebs_workload::demand::Demand;
use ebs_workload::io_profile::{Figure, figures};
use pgrx::datum::Interval;
use pgrx::prelude::*;

use crate::errors::{SqlResult, notice};
use crate::functions::run_selection::select_run;
use crate::functions::sql_row::{Columns, sql_row, table};

sql_row! {
    struct IoMixRow(volume: &Volume, figure: &Figure) {
        volume: String = volume.device.clone(),
        role: String = volume.role(),
        metric: &'static str = figure.metric.name(),
        unit: &'static str = figure.metric.unit(),
        mean: Option<f64> = figure.mean,
        p50: Option<f64> = figure.p50,
        p95: Option<f64> = figure.p95,
        p99: Option<f64> = figure.p99,
        max: Option<f64> = figure.max,
        p99_low: Option<f64> = figure.p99_interval.map(|interval| interval.low),
        p99_high: Option<f64> = figure.p99_interval.map(|interval| interval.high),
    }
}

#[pg_extern(sql = false)]
fn ebs_io_mix(run: Option<&str>, lookback: Option<Interval>) -> SqlResult<TableIterator<'static, Columns<IoMixRow>>> {
    let selection = select_run(run, lookback)?;
    let window = &selection.window;
    if let Some(missing) = insufficient(window, &Coverage::from_window(window)).as_ref().map(evidence::describe_reason)
    {
        notice(format!("insufficient data for {}: {missing}", selection.name));
    }
    let mut rows = Vec::new();
    for (index, volume) in window.layout.volumes.iter().enumerate() {
        let demand = Demand::from_window(window, index);
        if !demand.intervals.is_empty() {
            rows.extend(figures(&demand).iter().map(|figure| IoMixRow::new(volume, figure)));
        }
    }
    Ok(table(rows))
}
