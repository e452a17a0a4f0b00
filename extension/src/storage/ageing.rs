//! Ageing: what was sampled long ago becomes minutes, and then hours, of like seconds.

use ebs_samples::evidence::Window;
use ebs_samples::evidence::age;
use ebs_samples::evidence::codec::decode_with;
use pgrx::prelude::*;

use super::blocks::{append, damaged};
use crate::errors::Error;
use crate::interrupts::check_interrupts;

/// What samples age to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    /// From as they were sampled.
    Minute,
    /// From minutes.
    Hour,
}

impl Span {
    fn seconds(self) -> i32 {
        match self {
            Span::Minute => 60,
            Span::Hour => 3_600,
        }
    }

    fn seconds_before(self) -> i32 {
        match self {
            Span::Minute => 0,
            Span::Hour => 60,
        }
    }
}

/// Blocks of the oldest hour that can age, whole hours before $1 only. One that ends with the hour, as aged minutes do,
/// belongs to it. Those that a run covers stay as they are.
const OLDEST: &str = "
    WITH candidate AS (
        SELECT b.block_id, b.ended_at, pg_catalog.date_trunc('hour', b.ended_at - interval '1 microsecond', 'UTC') AS hour
        FROM ebs.sample_block b
        WHERE b.run_id IS NULL AND b.span_s = $2
          AND b.ended_at <= pg_catalog.date_trunc('hour', timestamptz 'epoch' + $1 * interval '1 microsecond', 'UTC')
          AND NOT EXISTS (SELECT FROM ebs.run r
                          WHERE b.ended_at >= r.started_at AND b.started_at <= coalesce(r.ended_at, 'infinity')))
    DELETE FROM ebs.sample_block b USING candidate c
    WHERE b.block_id = c.block_id AND b.ended_at = c.ended_at AND c.hour = (SELECT min(hour) FROM candidate)
    RETURNING b.format, b.samples, b.ended_at, b.block_id";

/// Ages the oldest hour that is older than this; false if there is none.
pub fn age_one_hour(span: Span, before_us: i64) -> Result<bool, Error> {
    let query = format!("WITH old AS ({OLDEST}) SELECT format, samples, block_id FROM old ORDER BY ended_at");
    let mut window = Window::new(i64::MIN, i64::MAX);
    let found = Spi::connect_mut(|client| {
        let rows = client.update(&query, None, &[before_us.into(), span.seconds_before().into()])?;
        let found = !rows.is_empty();
        for row in rows {
            let format: i16 = row.get(1)?.unwrap_or(0);
            let samples: &[u8] = row.get(2)?.unwrap_or_default();
            window.append(decode_with(format, samples, &check_interrupts).map_err(|error| damaged(error, row.get(3)))?);
        }
        Ok::<_, Error>(found)
    })?;
    if found {
        append(&age(&window.finish(), span.seconds().unsigned_abs()))?;
    }
    Ok(found)
}
