//! ebs_device_samples: the samples themselves, interval by interval.

use ebs_workload::demand::Demand;
use pgrx::datum::{Interval, TimestampWithTimeZone};
use pgrx::prelude::*;

use crate::errors::SqlResult;
use crate::functions::subject::{notice_if_empty, refuse_lookback, subject};

type Row = (
    name!(ended_at, TimestampWithTimeZone),
    name!(seconds, f64),
    name!(volume, String),
    name!(reads, i64),
    name!(writes, i64),
    name!(read_bytes, i64),
    name!(write_bytes, i64),
    name!(read_ms, i64),
    name!(write_ms, i64),
);

/// The look-back where none is named, as its declaration has it: an hour, since every sample is a row.
const DEFAULT_US: i64 = 3_600 * 1_000_000;

#[pg_extern(sql = false)]
fn ebs_device_samples(run: Option<&str>, lookback: Option<Interval>) -> SqlResult<TableIterator<'static, Row>> {
    let lookback = match run {
        Some(label) => refuse_lookback(label, lookback, DEFAULT_US).map(|()| None)?,
        None => lookback,
    };
    let subject = subject(run, lookback)?;
    let window = &subject.window;
    let signed = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let mut rows: Vec<Row> = Vec::new();
    for (index, volume) in window.place.volumes.iter().enumerate() {
        for interval in Demand::of(window, index).intervals {
            let c = interval.counts;
            rows.push((
                timestamp(interval.ended_us),
                interval.seconds,
                volume.device.clone(),
                signed(c.reads),
                signed(c.writes),
                signed(c.read_bytes),
                signed(c.write_bytes),
                signed(c.read_ms),
                signed(c.write_ms),
            ));
        }
    }
    notice_if_empty(&subject, rows.is_empty(), "device was sampled");
    Ok(TableIterator::new(rows))
}

/// From 1970 to 2000, where PostgreSQL counts from.
const EPOCHS_APART_US: i64 = 946_684_800 * 1_000_000;

/// Microseconds since 1970, from 1970 on; infinity has none.
pub fn microseconds(at: TimestampWithTimeZone) -> Option<i64> {
    let at_us: pg_sys::TimestampTz = at.into();
    (-EPOCHS_APART_US..i64::MAX).contains(&at_us).then(|| at_us.saturating_add(EPOCHS_APART_US))
}

/// Microseconds since 1970 as PostgreSQL counts them, since 2000.
fn timestamp(us: i64) -> TimestampWithTimeZone {
    TimestampWithTimeZone::try_from(us - EPOCHS_APART_US).unwrap_or(TimestampWithTimeZone::positive_infinity())
}
