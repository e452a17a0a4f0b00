//! Samplers on demand: started by a run in a database that the preloaded sampler does not sample, ended after the run. They share no memory with backends, which find them in the process array and read their samples from the table.

use std::ffi::CStr;
use std::time::Duration;

use super::registration::{ON_DEMAND_SAMPLER, PRELOADED_SAMPLER, start_sampler};
use crate::errors::Error;
use crate::{ffi, probes, storage};

/// Longest time that a backend waits for the sampler to start, and to write.
const MAX_WAIT: Duration = Duration::from_secs(10);
/// Time between two checks while it waits.
const STEP: Duration = Duration::from_millis(20);
/// Checks between two wake-ups of the sampler.
const CHECKS_A_WAKE_UP: u32 = 25;

/// Application name of a sampler that is about to end.
const ENDING: &CStr = c"ending: no run is open";

/// Time that a backend waits for samples that it cannot see.
const BLIND_WAIT: Duration = Duration::from_millis(100);

/// Checks for a background worker while none is free and no sampler is ending: the postmaster takes a moment to free one.
const MAX_REFUSALS: u32 = 50;

/// Starts a sampler in this database, if none runs, and has it take a sample: the time of that sample, or `None` if that fails. One
/// that leaves before it answers, because the run before has ended, is followed by another.
pub fn start() -> Option<i64> {
    (0..2).find_map(|_| if find().is_some() || launch() { flush() } else { None })
}

/// Starts a sampler, and waits until it is there. A sampler that is ending may hold the last background worker: the next one waits
/// for it.
fn launch() -> bool {
    let (mut is_requested, mut refusals) = (false, 0);
    let has_concluded = || {
        is_requested = is_requested || start_sampler(ON_DEMAND_SAMPLER, ffi::own_database()).is_some();
        refusals = if is_requested || is_ending() { 0 } else { refusals + 1 };
        find().is_some() || refusals > MAX_REFUSALS
    };
    wait_until(has_concluded) && find().is_some()
}

/// Has the sampler take a sample now and write all samples: the time of that sample. `None` if none runs or it does not answer.
pub fn flush() -> Option<i64> {
    let requested_us = probes::wall_us();
    if ffi::uses_transaction_snapshot() {
        // This transaction will never see the samples written now, so it only requests them.
        ffi::wake_process(find()?);
        ffi::wait_on_latch(BLIND_WAIT);
        return Some(probes::wall_us());
    }
    let (mut sampled_us, mut checks) = (None, 0u32);
    let mut has_answered = || {
        // Repeated, because a sampler that is still starting does not wait on its latch yet.
        if checks.is_multiple_of(CHECKS_A_WAKE_UP) {
            let _ = find().map(ffi::wake_process);
        }
        checks += 1;
        sampled_us = storage::sampled_until_us().ok().flatten().filter(|end| *end >= requested_us);
        sampled_us.is_some()
    };
    find()?;
    wait_until(|| has_answered() || find().is_none());
    sampled_us
}

/// True while a run is open in this database or is being begun. If not, the calling sampler must end: its application name is set
/// before it releases the lock that a new run needs, so that a run that begins later does not find it.
pub fn is_run_open() -> bool {
    // As long as the query fails, which it does while another transaction holds the lock: that one may be beginning a run.
    let mut is_open = true;
    let _ = ffi::try_in_transaction(|| {
        is_open = storage::table_owner()?.is_some() && storage::has_open_run_or_lock()?;
        if !is_open {
            ffi::set_application_name(ENDING);
        }
        Ok::<_, Error>(())
    });
    is_open
}

/// True if the preloaded sampler samples this database. Found in the process array, because a sampler on demand shares no memory
/// with it.
pub fn is_sampled_by_preloaded() -> bool {
    find_process(PRELOADED_SAMPLER, false).is_some()
}

/// True if a sampler on demand samples this database.
pub fn is_there() -> bool {
    find().is_some()
}

/// The process id of the sampler on demand in this database.
fn find() -> Option<i32> {
    find_process(ON_DEMAND_SAMPLER, false)
}

/// True while a sampler on demand of this database is about to end.
fn is_ending() -> bool {
    find_process(ON_DEMAND_SAMPLER, true).is_some()
}

/// The process id of the background worker of this type in this database, of one that is about to end or of one that is not.
fn find_process(backend_type: &str, is_ending: bool) -> Option<i32> {
    let mut process_id = None;
    let is_wanted = |process: ebs_samples::tracking::ProcessIdentity| {
        process.backend_type == backend_type
            && process.database == ffi::own_database()
            && (process.application.as_bytes() == ENDING.to_bytes()) == is_ending
    };
    ffi::for_each_process(|slot, pid, _| {
        if process_id.is_none() && ffi::process_identity(slot, pid).is_some_and(is_wanted) {
            process_id = Some(pid);
        }
    });
    process_id
}

/// Waits until `condition` returns true; false if it does not in time.
fn wait_until(mut condition: impl FnMut() -> bool) -> bool {
    for _ in 0..MAX_WAIT.as_millis() / STEP.as_millis() {
        if condition() {
            return true;
        }
        ffi::wait_on_latch(STEP);
    }
    false
}
