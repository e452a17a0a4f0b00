//! ebs_device_samples: the samples themselves, interval by interval.

use ebs_samples::evidence::Volume;
use ebs_workload::demand::{Demand, DemandInterval};
use pgrx::datum::{Interval, TimestampWithTimeZone};
use pgrx::prelude::*;

use crate::errors::SqlResult;
use crate::functions::run_selection::{refuse_lookback, select_run};
use crate::functions::sql_row::{Columns, sql_row, table};
use crate::functions::values::{to_bigint, to_timestamp};

/// The look-back where none is given, as in the declaration of the function: an hour, since every sample is a row.
const DEFAULT_LOOKBACK_US: i64 = 3_600 * 1_000_000;

sql_row! {
    struct SampleRow(volume: &Volume, demand: &Demand, interval: &DemandInterval)
    where {
        let bytes = |count: u64| (!demand.bytes_unknown).then(|| to_bigint(count));
    } {
        ended_at: TimestampWithTimeZone = to_timestamp(interval.ended_us),
        seconds: f64 = interval.seconds,
        volume: String = volume.device.clone(),
        reads: i64 = to_bigint(interval.counts.reads),
        writes: i64 = to_bigint(interval.counts.writes),
        read_bytes: Option<i64> = bytes(interval.counts.read_bytes),
        write_bytes: Option<i64> = bytes(interval.counts.write_bytes),
        read_ms: i64 = to_bigint(interval.counts.read_ms),
        write_ms: i64 = to_bigint(interval.counts.write_ms),
    }
}

#[pg_extern(sql = false)]
fn ebs_device_samples(
    run: Option<&str>,
    lookback: Option<Interval>,
) -> SqlResult<TableIterator<'static, Columns<SampleRow>>> {
    let lookback = match run {
        Some(label) => refuse_lookback(label, lookback, DEFAULT_LOOKBACK_US).map(|()| None)?,
        None => lookback,
    };
    let selection = select_run(run, lookback)?;
    let window = &selection.window;
    let mut rows = Vec::new();
    for (index, volume) in window.layout.volumes.iter().enumerate() {
        let demand = Demand::from_window(window, index);
        rows.extend(demand.intervals.iter().map(|interval| SampleRow::new(volume, &demand, interval)));
    }
    selection.notice_if_empty(rows.is_empty(), "device was sampled");
    Ok(table(rows))
}
