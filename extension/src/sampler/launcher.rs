//! The launcher: starts the sampler when it should run and does not.

use std::time::Duration;

use pgrx::bgworkers::{BackgroundWorker, BackgroundWorkerBuilder, SignalWakeFlags};

use super::LIBRARY;
use crate::{ffi, memory, probes, settings};

/// Looks whether all is well this often, and so waits this long before a sampler that failed is started again.
const PERIOD: Duration = Duration::from_secs(2);

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

/// The launcher's life.
pub fn launcher() {
    BackgroundWorker::attach_signal_handlers(SignalWakeFlags::SIGHUP | SignalWakeFlags::SIGTERM);
    BackgroundWorker::connect_worker_to_spi(None, None);
    let mut complained: Option<String> = None;
    loop {
        if settings::enabled() && !sampler_runs() && !held_off() {
            let database = settings::database();
            let obstacle = match BackgroundWorker::transaction(|| ffi::database_exists(&database)) {
                true => start_sampler(),
                false => Some(format!(
                    "database \"{database}\" of ebs_advisor.database does not exist or accepts no connections"
                )),
            };
            // One warning for each obstacle, not one at each look.
            if let Some(obstacle) = obstacle.as_ref().filter(|_| obstacle != complained) {
                pgrx::warning!("ebs_advisor samples nothing: {obstacle}");
            }
            let started = obstacle.is_none();
            complained = obstacle;
            if started && !sampler_makes_itself_known() {
                return;
            }
        }
        if !BackgroundWorker::wait_latch(Some(PERIOD)) {
            return;
        }
        memory::recover();
        if BackgroundWorker::sighup_received() {
            ffi::reload_settings();
            complained = None;
        }
    }
}

fn sampler_runs() -> bool {
    ffi::sampler_state().is_some_and(|state| state.is_running())
}

/// Whether somebody is about to drop the database.
fn held_off() -> bool {
    ffi::sampler_state().is_some_and(|state| probes::wall_us() < state.hold_off_until_us)
}

/// Starts the sampler; what is in the way if that cannot be done.
fn start_sampler() -> Option<String> {
    let started = BackgroundWorkerBuilder::new("ebs_advisor sampler")
        .set_type("ebs_advisor sampler")
        .set_library(LIBRARY)
        .set_function("ebs_advisor_sampler")
        .enable_spi_access()
        .set_restart_time(None)
        .set_notify_pid(std::process::id().cast_signed())
        .load_dynamic();
    let Ok(worker) = started else {
        return Some("no background worker is free (it takes two of max_worker_processes)".to_owned());
    };
    let _ = worker.wait_for_startup();
    None
}

/// Waits for a moment until the sampler that was started has made itself known, as the next look would start another; false if the
/// server is to stop. The latch is waited for at least once: the start may have been told of the end and have reset it.
fn sampler_makes_itself_known() -> bool {
    for _ in 0..50 {
        if !BackgroundWorker::wait_latch(Some(Duration::from_millis(20))) {
            return false;
        }
        if sampler_runs() {
            break;
        }
    }
    true
}
