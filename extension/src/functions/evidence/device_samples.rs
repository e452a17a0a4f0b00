//! ebs_device_samples: the samples themselves, interval by interval.

use ebs_workload::demand::Demand;
use pgrx::datum::{Interval, TimestampWithTimeZone};
use pgrx::prelude::*;

use crate::errors::SqlResult;
use crate::functions::run_selection::{refuse_lookback, select_run};
use crate::functions::sql_row::{Columns, sql_row, table};
use crate::functions::values::{to_bigint, to_timestamp};

/// The look-back where none is given, as in the declaration of the function: an hour, since every sample is a row.
const DEFAULT_LOOKBACK_US: i64 = 3_600 * 1_000_000;

sql_row! {
    struct SampleRow {
        ended_at: TimestampWithTimeZone,
        seconds: f64,
        volume: String,
        reads: i64,
        writes: i64,
        read_bytes: Option<i64>,
        write_bytes: Option<i64>,
        read_ms: i64,
        write_ms: i64,
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
        let bytes = |count: u64| (!demand.bytes_unknown).then(|| to_bigint(count));
        rows.extend(demand.intervals.iter().map(|interval| SampleRow {
            ended_at: to_timestamp(interval.ended_us),
            seconds: interval.seconds,
            volume: volume.device.clone(),
            reads: to_bigint(interval.counts.reads),
            writes: to_bigint(interval.counts.writes),
            read_bytes: bytes(interval.counts.read_bytes),
            write_bytes: bytes(interval.counts.write_bytes),
            read_ms: to_bigint(interval.counts.read_ms),
            write_ms: to_bigint(interval.counts.write_ms),
        }));
    }
    selection.notice_if_empty(rows.is_empty(), "device was sampled");
    Ok(table(rows))
}
