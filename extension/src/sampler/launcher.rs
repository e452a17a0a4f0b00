//! The launcher: starts the sampler when it should run and does not.

use std::time::Duration;

use pgrx::bgworkers::{BackgroundWorker, BackgroundWorkerBuilder, SignalWakeFlags};

use super::registration::{self, LIBRARY, PRELOADED_SAMPLER};
use crate::{ffi, memory, probes, settings};

/// Time between two checks of the sampler, and so the delay before one that failed is started again.
const CHECK_INTERVAL: Duration = Duration::from_secs(2);

/// Registers the launcher with the postmaster. Only in shared_preload_libraries.
pub fn register_launcher() {
    BackgroundWorkerBuilder::new("ebs_advisor launcher")
        .set_type("ebs_advisor launcher")
        .set_library(LIBRARY)
        .set_function("ebs_advisor_launcher")
        .enable_spi_access()
        .set_restart_time(Some(Duration::from_secs(5)))
        .load();
}

/// Runs the launcher.
pub fn run_launcher() {
    BackgroundWorker::attach_signal_handlers(SignalWakeFlags::SIGHUP | SignalWakeFlags::SIGTERM);
    BackgroundWorker::connect_worker_to_spi(None, None);
    let mut warned_of: Option<String> = None;
    loop {
        if settings::enabled() && !is_sampler_running() && !is_held_off() {
            let database = settings::database();
            let obstacle = if BackgroundWorker::transaction(|| ffi::database_exists(&database)) {
                start_sampler()
            } else {
                Some(format!(
                    "database \"{database}\" of ebs_advisor.database does not exist or accepts no connections"
                ))
            };
            // One warning for each obstacle, not one at each check.
            if let Some(obstacle) = obstacle.as_ref().filter(|_| obstacle != warned_of) {
                pgrx::warning!("ebs_advisor samples nothing: {obstacle}");
            }
            warned_of = obstacle;
            if warned_of.is_none() && !await_sampler() {
                return;
            }
        }
        if !BackgroundWorker::wait_latch(Some(CHECK_INTERVAL)) {
            return;
        }
        memory::recover();
        if BackgroundWorker::sighup_received() {
            ffi::reload_settings();
            warned_of = None;
        }
    }
}

/// True while the preloaded sampler runs.
fn is_sampler_running() -> bool {
    ffi::sampler_state().is_some_and(|state| state.is_running())
}

/// True while the database is about to be dropped.
fn is_held_off() -> bool {
    ffi::sampler_state().is_some_and(|state| probes::wall_us() < state.hold_off_until_us)
}

/// Starts the sampler; the obstacle if that cannot be done.
fn start_sampler() -> Option<String> {
    let Some(worker) = registration::start_sampler(PRELOADED_SAMPLER, 0) else {
        return Some("no background worker is free (it takes two of max_worker_processes)".to_owned());
    };
    let _ = worker.wait_for_startup();
    None
}

/// Waits up to a second until the new sampler has claimed its state: before that the next check would start another. False if the
/// server is to stop. Waits for the latch at least once, because the start may have received the signal to end and reset it.
fn await_sampler() -> bool {
    for _ in 0..50 {
        if !BackgroundWorker::wait_latch(Some(Duration::from_millis(20))) {
            return false;
        }
        if is_sampler_running() {
            break;
        }
    }
    true
}
