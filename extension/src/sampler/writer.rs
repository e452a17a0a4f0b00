//! Writing: one small insert every few seconds, and once an hour the downsampling of old samples. Blocks that cannot be written
//! are kept for a while.

use std::time::Duration;

use ebs_samples::evidence::{Backlog, Block};

use crate::errors::Error;
use crate::{ffi, probes, settings, storage};

/// Time between two rounds of upkeep.
const UPKEEP_INTERVAL_US: u64 = 3_600_000_000;

/// Writer of blocks, with those that could not be written.
#[derive(Default)]
pub struct Writer {
    backlog: Backlog,
    upkeep_due_us: u64,
}

impl Writer {
    /// Writes this block, and those before it that could not be written; true if all are written now.
    pub fn write(&mut self, block: Option<Block>) -> bool {
        block.into_iter().for_each(|block| self.backlog.push(block));
        let written = self.append();
        let lost = self.backlog.drop_oldest();
        ffi::update_sampler_state(|state| state.lost += lost);
        if written && probes::monotonic_us() >= self.upkeep_due_us && !upkeep() {
            self.upkeep_due_us = probes::monotonic_us() + UPKEEP_INTERVAL_US;
        }
        ffi::report_own_statistics();
        ffi::report_activity("sampling");
        written
    }

    fn append(&mut self) -> bool {
        // In one transaction: histograms have the seconds of the stored samples.
        let written = as_owner(|| {
            self.backlog.blocks().try_for_each(|block| {
                storage::append_block(block)?;
                storage::add_demand(block)
            })
        });
        let (installed, problem) = match written {
            Ok(installed) => (installed.is_some(), None),
            Err(message) => (true, Some(message)),
        };
        if problem.is_none() {
            // Without the extension there is nowhere to keep them.
            self.backlog.clear();
        }
        let flushed_us = probes::wall_us();
        let changed = ffi::update_sampler_state(|state| {
            state.extension_seen = installed;
            if problem.is_none() {
                state.flushed_us = flushed_us;
            }
            state.write_problem.set(problem.as_deref())
        });
        // One warning for each obstacle, not one every few seconds.
        if let (Some(message), Some(true)) = (&problem, changed) {
            pgrx::warning!("ebs_advisor could not write samples, and will try again: {message}");
        }
        installed && problem.is_none()
    }
}

/// Longest time that sampling waits for upkeep: an hour of a busy server's seconds takes some 75 ms.
const MAX_UPKEEP_US: u64 = 200_000;

/// Removes samples older than the retention and downsamples others for a while; true if more may be left to do. Each step is a
/// transaction: a problem of one keeps no other from its work.
fn upkeep() -> bool {
    ffi::report_activity("ageing samples");
    let older_than_us = age_limit(settings::retention());
    let removed = as_owner(|| storage::remove_expired_blocks(older_than_us));
    let forgotten = as_owner(|| storage::remove_expired_demand(older_than_us));
    let read_again = as_owner(storage::read_damaged_blocks_again);
    let began_us = probes::monotonic_us();
    let downsampled = downsample_until(began_us + MAX_UPKEEP_US);
    let more = downsampled == Ok(true);
    let problem = [removed.err(), forgotten.err(), read_again.err(), downsampled.err()].into_iter().flatten().next();
    let changed = ffi::update_sampler_state(|state| state.upkeep_problem.set(problem.as_deref()));
    // One warning for each obstacle, not one an hour. A sampler on demand shares no state.
    if let (Some(message), true) = (problem, changed != Some(false)) {
        pgrx::warning!("ebs_advisor could not age old samples, and will try again in an hour: {message}");
    }
    more
}

/// Downsamples hours, the oldest first, until this time or until there are none; true if more may be left.
fn downsample_until(end_us: u64) -> Result<bool, String> {
    while downsample_one(storage::Resolution::Minute, settings::seconds_retention())?
        || downsample_one(storage::Resolution::Hour, settings::minutes_retention())?
    {
        if probes::monotonic_us() > end_us {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Downsamples the oldest hour of this age; false if there is none.
fn downsample_one(resolution: storage::Resolution, age: Duration) -> Result<bool, String> {
    let Some(Some(unreadable)) = as_owner(|| storage::downsample_one_hour(resolution, age_limit(age)))? else {
        return Ok(false);
    };
    // They are marked now, so each is named once.
    if let Some(subject) = unreadable.describe() {
        pgrx::warning!("ebs_advisor does not downsample what is damaged: {subject}");
    }
    Ok(true)
}

/// Time before which samples are older than this, microseconds since 1970.
fn age_limit(age: Duration) -> i64 {
    probes::wall_us() - i64::try_from(age.as_micros()).unwrap_or(i64::MAX)
}

/// Runs `body` in a transaction as the owner of the tables; `None` where the extension is not installed.
fn as_owner<R>(body: impl FnOnce() -> Result<R, Error>) -> Result<Option<R>, String> {
    let outcome = ffi::try_in_transaction(|| {
        let Some(owner) = storage::table_owner()? else { return Ok(None) };
        ffi::as_role(owner, body).map(Some)
    });
    match outcome {
        // Waiting for a table that is being dropped ends with an error that there is none.
        Err(_) if was_dropped() => Ok(None),
        outcome => outcome,
    }
}

/// True if the extension is no longer installed.
fn was_dropped() -> bool {
    ffi::try_in_transaction(|| storage::table_owner().map(|owner| owner.is_none())).unwrap_or(false)
}
