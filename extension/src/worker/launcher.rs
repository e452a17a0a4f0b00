//! The launcher: starts the sampler when it should run and does not.

use std::time::Duration;

use pgrx::bgworkers::{BackgroundWorker, BackgroundWorkerBuilder, SignalWakeFlags};
use pgrx::prelude::*;

use super::LIBRARY;
use crate::{collect, ffi, settings};

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
    let mut complained = false;
    loop {
        if settings::enabled() && !sampler_runs() && !held_off() {
            let database = settings::database();
            if BackgroundWorker::transaction(|| ffi::database_exists(&database)) {
                complained = false;
                start_sampler();
            } else if !complained {
                complained = true;
                pgrx::warning!(
                    "database \"{database}\" of ebs_advisor.database does not exist or accepts no connections: nothing is sampled"
                );
            }
        }
        if !BackgroundWorker::wait_latch(Some(PERIOD)) {
            return;
        }
        if BackgroundWorker::sighup_received() {
            ffi::reload_settings();
            complained = false;
        }
    }
}

fn sampler_runs() -> bool {
    ffi::sampler_state().is_some_and(|state| state.is_running())
}

/// Whether somebody is about to drop the database.
fn held_off() -> bool {
    ffi::sampler_state().is_some_and(|state| collect::wall_us() < state.hold_off_until_us)
}

fn start_sampler() {
    let started = BackgroundWorkerBuilder::new("ebs_advisor sampler")
        .set_type("ebs_advisor sampler")
        .set_library(LIBRARY)
        .set_function("ebs_advisor_sampler")
        .enable_spi_access()
        .set_restart_time(None)
        .set_notify_pid(std::process::id().cast_signed())
        .load_dynamic();
    match started {
        // Until it has made itself known, the next look would start another.
        Ok(worker) => {
            let _ = worker.wait_for_startup();
            for _ in 0..50 {
                if sampler_runs() || BackgroundWorker::sigterm_received() {
                    return;
                }
                ffi::pause(Duration::from_millis(20));
            }
        }
        Err(_) => {
            let hint = "Raise max_worker_processes: ebs_advisor takes two.";
            ereport!(
                WARNING,
                PgSqlErrorCode::ERRCODE_CONFIGURATION_LIMIT_EXCEEDED,
                "no background worker is free for the ebs_advisor sampler",
                hint
            );
        }
    }
}
