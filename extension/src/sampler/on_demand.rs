//! A sampler on demand: started by a run where the preloaded sampler does not serve the run's database, gone when the run
//! is over. It shares no memory with backends; they find it in the process array and see its work in the table.

use std::time::Duration;

use pgrx::bgworkers::BackgroundWorkerBuilder;

use super::LIBRARY;
use crate::{ffi, probes, storage};

/// What it calls itself in pg_stat_activity.
const TYPE: &str = "ebs_advisor on-demand sampler";

/// What the preloaded one calls itself (`launcher.rs`).
const PRELOADED: &str = "ebs_advisor sampler";

/// How long a backend waits for it to start, and to write.
const PATIENCE: Duration = Duration::from_secs(10);
const STEP: Duration = Duration::from_millis(20);
const WAKE_EVERY: u32 = 25;

/// How long a backend that cannot see the answer gives it.
const ASKED: Duration = Duration::from_millis(100);

/// Starts one in this database, if none is there, and has it take a sample; `None` if that cannot be done.
pub fn start() -> Option<i64> {
    if find().is_none() && !launch() {
        return None;
    }
    flush()
}

fn launch() -> bool {
    let started = BackgroundWorkerBuilder::new(TYPE)
        .set_type(TYPE)
        .set_library(LIBRARY)
        .set_function("ebs_advisor_sampler")
        .set_argument(Some(pgrx::pg_sys::Datum::from(ffi::own_database())))
        .enable_spi_access()
        .set_restart_time(None)
        .set_notify_pid(std::process::id().cast_signed())
        .load_dynamic();
    started.is_ok() && patiently(|| find().is_some())
}

/// Has it take a sample now and write everything sampled: the time of that sample. `None` if there is none or it does not.
pub fn flush() -> Option<i64> {
    let asked_us = probes::wall_us();
    if ffi::uses_transaction_snapshot() {
        // This transaction will never see what is written now. The sampler is quick: it only has to be asked.
        ffi::wake_process(find()?);
        ffi::wait_on_latch(ASKED);
        return Some(probes::wall_us());
    }
    let (mut sampled_us, mut looks) = (None, 0u32);
    let answered = || {
        // Now and then again: one that is still starting has no latch yet that it would look at.
        if looks.is_multiple_of(WAKE_EVERY) {
            let _ = find().map(ffi::wake_process);
        }
        looks += 1;
        sampled_us = storage::sampled_until_us().ok().flatten().filter(|end| *end >= asked_us);
        sampled_us.is_some()
    };
    find()?;
    patiently(answered).then_some(sampled_us?)
}

/// Whether the preloaded sampler samples this database. Asked of the process array, because one on demand shares no memory
/// with it.
pub fn is_not_needed() -> bool {
    process(PRELOADED).is_some()
}

/// The process id of the one in this database.
fn find() -> Option<i32> {
    process(TYPE)
}

/// The process of this type in this database.
fn process(backend_type: &str) -> Option<i32> {
    let mut found = None;
    let ours = |who: ffi::ProcessIdentity| who.backend_type == backend_type && who.database == ffi::own_database();
    ffi::for_each_process(|place, pid, _| {
        if found.is_none() && ffi::process_identity(place, pid).is_some_and(ours) {
            found = Some(pid);
        }
    });
    found
}

fn patiently(mut done: impl FnMut() -> bool) -> bool {
    for _ in 0..PATIENCE.as_millis() / STEP.as_millis() {
        if done() {
            return true;
        }
        ffi::wait_on_latch(STEP);
    }
    false
}
