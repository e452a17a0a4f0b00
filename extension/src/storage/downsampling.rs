//! Downsampling: old samples become minutes, and then hours, of similar seconds.

use ebs_samples::evidence::Window;
use ebs_samples::evidence::downsample;
use pgrx::prelude::*;

use super::blocks::{append_block, decode_row};
use crate::errors::Error;

/// Resolution of downsampled blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// Minutes, made of samples as they were taken.
    Minute,
    /// Hours, made of minutes.
    Hour,
}

impl Resolution {
    fn seconds(self) -> i32 {
        match self {
            Resolution::Minute => 60,
            Resolution::Hour => 3_600,
        }
    }

    fn seconds_before(self) -> i32 {
        match self {
            Resolution::Minute => 0,
            Resolution::Hour => 60,
        }
    }
}

/// Takes the blocks of the oldest hour that can be downsampled, whole hours before $1 only. One that ends with the hour, as
/// downsampled minutes do, belongs to it. Those that a run covers stay as they are.
const TAKE_OLDEST: &str = "
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

/// Downsamples the oldest hour that is older than this; false if there is none.
pub fn downsample_one_hour(resolution: Resolution, before_us: i64) -> Result<bool, Error> {
    let query = format!("WITH old AS ({TAKE_OLDEST}) SELECT format, samples, block_id FROM old ORDER BY ended_at");
    let mut window = Window::new(i64::MIN, i64::MAX);
    let any_taken = Spi::connect_mut(|client| {
        let rows = client.update(&query, None, &[before_us.into(), resolution.seconds_before().into()])?;
        let any_taken = !rows.is_empty();
        for row in rows {
            window.append(decode_row(&row)?);
        }
        Ok::<_, Error>(any_taken)
    })?;
    if any_taken {
        append_block(&downsample(&window.finish(), resolution.seconds().unsigned_abs()))?;
    }
    Ok(any_taken)
}
