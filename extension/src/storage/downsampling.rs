//! Downsampling: old samples become minutes, and then hours, of similar seconds.

use ebs_samples::evidence::Window;
use ebs_samples::evidence::downsample;
use pgrx::prelude::*;

use super::block_rows::read_block;
use super::blocks::{UNHELD, append_block};
use super::unreadable::UnreadableBlocks;
use crate::errors::Error;
use crate::sql::execute_counted;

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

/// The blocks of the oldest hour that can be downsampled, whole hours before $1 only. One that ends with the hour, as downsampled
/// minutes do, belongs to it. Those that a run needs, and those marked as damaged, stay as they are.
fn oldest_hour() -> String {
    format!(
        "WITH candidate AS (
            SELECT b.block_id, b.ended_at, pg_catalog.date_trunc('hour', b.ended_at - interval '1 microsecond', 'UTC') AS hour
            FROM ebs.sample_block b
            WHERE b.span_s = $2 AND NOT b.damaged AND {UNHELD}
              AND b.ended_at <= pg_catalog.date_trunc('hour', timestamptz 'epoch' + $1 * interval '1 microsecond', 'UTC'))
         SELECT b.format, b.samples, b.block_id, (extract(epoch FROM b.ended_at) * 1000000)::bigint
         FROM ebs.sample_block b JOIN candidate c USING (block_id, ended_at)
         WHERE c.hour = (SELECT min(hour) FROM candidate) ORDER BY b.ended_at, b.block_id"
    )
}

/// Downsamples the oldest hour that is older than this; `None` if there is none. Blocks of it that cannot be read are marked and
/// returned: they stay, and the next call goes on with the hours after it.
pub fn downsample_one_hour(resolution: Resolution, before_us: i64) -> Result<Option<UnreadableBlocks>, Error> {
    let (mut window, mut read, mut ends) = (Window::new(i64::MIN, i64::MAX), Vec::new(), Vec::new());
    let mut unreadable = UnreadableBlocks::default();
    let any_found = Spi::connect(|client| {
        let rows = client.select(&oldest_hour(), None, &[before_us.into(), resolution.seconds_before().into()])?;
        let any_found = !rows.is_empty();
        for row in rows {
            if let Some(block) = unreadable.read(&row, || read_block(&row, true))? {
                window.append(block);
                read.extend(row.get::<i64>(3)?);
                ends.extend(row.get::<i64>(4)?);
            }
        }
        Ok::<_, Error>(any_found)
    })?;
    if !any_found {
        return Ok(None);
    }
    unreadable.mark()?;
    if !read.is_empty() {
        remove_blocks(read, ends)?;
        append_block(&downsample(&window.finish(), resolution.seconds().unsigned_abs()))?;
    }
    Ok(Some(unreadable))
}

/// Removes the blocks that were read; fails if they are not all there any more, because their samples are to be stored only once.
fn remove_blocks(numbers: Vec<i64>, ends_us: Vec<i64>) -> Result<(), Error> {
    let expected = numbers.len();
    // By the whole key, which has an index.
    let remove = "DELETE FROM ebs.sample_block b USING unnest($1, $2) AS t (block_id, ended_us)
                  WHERE b.block_id = t.block_id AND b.ended_at = timestamptz 'epoch' + t.ended_us * interval '1 microsecond'";
    let arguments = [numbers.into(), ends_us.into()];
    let removed = execute_counted(remove, &arguments)?;
    if removed != expected {
        let message = format!("{removed} of {expected} blocks were there to be downsampled");
        let hint = "Another session changes ebs.sample_block: the sampler will try again.";
        return Err(Error::new(PgSqlErrorCode::ERRCODE_T_R_SERIALIZATION_FAILURE, message, hint));
    }
    Ok(())
}
