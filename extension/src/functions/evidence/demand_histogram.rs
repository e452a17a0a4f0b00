//! ebs_demand_histogram, ebs_demand_metrics: seconds by demand, as counters for exporters.

use ebs_samples::demand_exposition::{VolumeDemand, exposition, seconds};
use ebs_samples::demand_histogram::DemandHistogram;
use pgrx::prelude::*;

use crate::errors::SqlResult;
use crate::functions::sql_row::{Columns, sql_row, table};
use crate::storage;

sql_row! {
    struct BoundRow(volume: &VolumeDemand, metric: &'static str, total: f64, (le, us): (f64, u64)) {
        volume: String = volume.volume.clone(),
        device: String = volume.device.clone(),
        metric: &'static str = metric,
        le: f64 = le,
        seconds: f64 = seconds(us),
        total: f64 = total,
    }
}

#[pg_extern(sql = false)]
fn ebs_demand_histogram() -> SqlResult<TableIterator<'static, Columns<BoundRow>>> {
    let volumes = storage::read_demand()?;
    Ok(table(volumes.iter().flat_map(volume_rows).collect::<Vec<_>>()))
}

fn volume_rows(volume: &VolumeDemand) -> Vec<BoundRow> {
    let rows = |histogram: &DemandHistogram| {
        let (metric, reading) = (histogram.metric().name(), histogram.reading());
        let total = reading.amount as f64;
        let row = move |bound| BoundRow::new(volume, metric, total, bound);
        reading.cumulative_us.into_iter().map(row)
    };
    volume.histograms.iter().flat_map(rows).collect()
}

#[pg_extern(sql = false)]
fn ebs_demand_metrics() -> SqlResult<SetOfIterator<'static, String>> {
    Ok(SetOfIterator::new(exposition(&storage::read_demand()?)))
}
