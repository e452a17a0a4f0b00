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
    struct IoMixRow {
        volume: String,
        role: String,
        metric: &'static str,
        unit: &'static str,
        mean: Option<f64>,
        p50: Option<f64>,
        p95: Option<f64>,
        p99: Option<f64>,
        max: Option<f64>,
        p99_low: Option<f64>,
        p99_high: Option<f64>,
    }
}

impl IoMixRow {
    fn new(volume: &Volume, figure: &Figure) -> IoMixRow {
        IoMixRow {
            volume: volume.device.clone(),
            role: volume.role(),
            metric: figure.metric.name(),
            unit: figure.metric.unit(),
            mean: figure.mean,
            p50: figure.p50,
            p95: figure.p95,
            p99: figure.p99,
            max: figure.max,
            p99_low: figure.p99_interval.map(|interval| interval.low),
            p99_high: figure.p99_interval.map(|interval| interval.high),
        }
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
