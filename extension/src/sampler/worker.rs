//! The main function of a sampler's process.

use pgrx::bgworkers::{BackgroundWorker, SignalWakeFlags};

use super::mode::SamplerMode;
use super::sampling::Sampler;
use super::session;
use crate::{ffi, memory, probes};

/// Runs a sampler on demand in the database with this number; 0 is the preloaded one.
pub fn run_sampler(database: u32) {
    BackgroundWorker::attach_signal_handlers(SignalWakeFlags::SIGHUP | SignalWakeFlags::SIGTERM);
    let configured = session::prepare();
    let mode = match database {
        0 => SamplerMode::connect_preloaded(),
        oid => Some(SamplerMode::connect_on_demand(oid)),
    };
    let Some(mode) = mode else { return };
    if let Err(error) = session::begin(&configured) {
        pgrx::error!("ebs_advisor could not prepare its session: {error}");
    }
    ffi::update_sampler_state(|state| {
        state.started_us = probes::wall_us();
        state.database = ffi::own_database();
    });
    ffi::report_activity("sampling");
    let mut sampler = Sampler::new(mode);
    while sampler.step() {
        if !memory::recover() {
            // The launcher starts another, whose memory is as it should be.
            sampler.shutdown();
            return;
        }
    }
}
