//! Samplers on demand: started by a run where the preloaded sampler does not serve the run's database, gone when the run is
//! over. They share no memory with backends, which find them in the process array and read their samples from the table.

use std::ffi::CStr;
use std::time::Duration;

use pgrx::bgworkers::BackgroundWorkerBuilder;

use super::registration::{LIBRARY, ON_DEMAND_SAMPLER, PRELOADED_SAMPLER, SAMPLER_MAIN};
use crate::errors::Error;
use crate::{ffi, probes, storage};

/// Longest time that a backend waits for it to start, and to write.
const MAX_WAIT: Duration = Duration::from_secs(10);
/// Time between two checks meanwhile.
const STEP: Duration = Duration::from_millis(20);
/// Checks between two wake-ups of it.
const CHECKS_A_WAKE_UP: u32 = 25;

/// Application name of a sampler that is about to end.
const ENDING: &CStr = c"ending: no run is open";

/// Time given to it by a backend that cannot see its samples.
const BLIND_WAIT: Duration = Duration::from_millis(100);

/// Starts one in this database, if none runs, and has it take a sample: the time of that sample, or `None` if that cannot be done.
pub fn start() -> Option<i64> {
    if find().is_none() && !launch() {
        return None;
    }
    flush()
}

fn launch() -> bool {
    let started = BackgroundWorkerBuilder::new(ON_DEMAND_SAMPLER)
        .set_type(ON_DEMAND_SAMPLER)
        .set_library(LIBRARY)
        .set_function(SAMPLER_MAIN)
        .set_argument(Some(pgrx::pg_sys::Datum::from(ffi::own_database())))
        .enable_spi_access()
        .set_restart_time(None)
        .set_notify_pid(std::process::id().cast_signed())
        .load_dynamic();
    started.is_ok() && wait_until(|| find().is_some())
}

/// Has it take a sample now and write everything sampled: the time of that sample. `None` if there is none or it does not.
pub fn flush() -> Option<i64> {
    let requested_us = probes::wall_us();
    if ffi::uses_transaction_snapshot() {
        // This transaction will never see the samples written now. The sampler is quick: a request is enough.
        ffi::wake_process(find()?);
        ffi::wait_on_latch(BLIND_WAIT);
        return Some(probes::wall_us());
    }
    let (mut sampled_us, mut checks) = (None, 0u32);
    let answered = || {
        // Now and then again: one that is still starting does not wait on its latch yet.
        if checks.is_multiple_of(CHECKS_A_WAKE_UP) {
            let _ = find().map(ffi::wake_process);
        }
        checks += 1;
        sampled_us = storage::sampled_until_us().ok().flatten().filter(|end| *end >= requested_us);
        sampled_us.is_some()
    };
    find()?;
    wait_until(answered).then_some(sampled_us?)
}

/// True while a run is open in this database or is being begun. If not, this process is a sampler that must end, and backends do
/// not find it any more: its name says so before the lock is released without which no run can begin.
pub fn is_run_open() -> bool {
    // Until the query succeeds. It fails while the lock is held, which may be for a run that is being begun.
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
    find_process(PRELOADED_SAMPLER).is_some()
}

/// The process id of the one in this database.
fn find() -> Option<i32> {
    find_process(ON_DEMAND_SAMPLER)
}

/// The process id of the background worker of this type in this database.
fn find_process(backend_type: &str) -> Option<i32> {
    let mut process_id = None;
    let is_wanted = |process: ebs_samples::tracking::ProcessIdentity| {
        process.backend_type == backend_type
            && process.database == ffi::own_database()
            && process.application.as_bytes() != ENDING.to_bytes()
    };
    ffi::for_each_process(|slot, pid, _| {
        if process_id.is_none() && ffi::process_identity(slot, pid).is_some_and(is_wanted) {
            process_id = Some(pid);
        }
    });
    process_id
}

/// Waits until `done` returns true; false if it does not in time.
fn wait_until(mut done: impl FnMut() -> bool) -> bool {
    for _ in 0..MAX_WAIT.as_millis() / STEP.as_millis() {
        if done() {
            return true;
        }
        ffi::wait_on_latch(STEP);
    }
    false
}
