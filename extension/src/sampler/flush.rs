//! Requests to the sampler to write its samples, and waiting until it has. Runs make them, so that they begin and end on a
//! sample; answers do not: they read the samples that are not written yet from shared memory (`ffi/pending_samples.rs`).
//!
//! The sampler answers a few requests at once, and one an interval after that (`ebs_samples::schedule::RequestBudget`).

use std::time::Duration;

use super::on_demand;
use crate::{ffi, probes, settings};

/// Longest time that a caller waits for the sampler: a flush takes milliseconds unless the disk is saturated.
const MAX_WAIT: Duration = Duration::from_secs(10);
/// Time between two checks while it waits.
const STEP: Duration = Duration::from_millis(5);

/// Has the sampler take a sample now and write all samples: the time of that sample, microseconds since 1970. `None` if no sampler
/// of this database answers.
pub fn request_flush() -> Option<i64> {
    if is_preloaded_here() { request() } else { on_demand::flush() }
}

/// Ensures that this database is sampled, on demand if the preloaded sampler does not: the time of a sample taken now, or within the
/// last interval where as many were requested as are taken at once.
pub fn ensure_sampling() -> Option<i64> {
    if !is_preloaded_here() {
        return on_demand::start();
    }
    if let Some(sampled_us) = recent_sample_us() {
        return Some(sampled_us);
    }
    let first_pid = pid();
    // If the sampler has ended meanwhile, the one that took its place serves the run, or one on demand.
    request().or_else(|| match pid() {
        now if is_preloaded_here() && now == first_pid => None,
        _ if is_preloaded_here() => request(),
        _ => on_demand::start(),
    })
}

fn pid() -> Option<i32> {
    ffi::sampler_state().map(|state| state.pid)
}

/// True if the preloaded sampler runs in this database.
fn is_preloaded_here() -> bool {
    ffi::sampler_state().is_some_and(|state| state.is_running() && state.database == ffi::own_database())
}

/// The time of the latest sample that was requested and written, if it is younger than an interval and no further request is answered
/// at once. Nothing that follows it can be mistaken for what came before.
fn recent_sample_us() -> Option<i64> {
    let state = ffi::sampler_state()?;
    let longest_us = i64::try_from(settings::sample_interval().as_micros()).unwrap_or(i64::MAX);
    let age_us = probes::wall_us() - state.flush_sampled_us;
    (state.requests_left == 0 && (0..=longest_us).contains(&age_us)).then_some(state.flush_sampled_us)
}

fn request() -> Option<i64> {
    let (number, pid) = ffi::update_sampler_state(|state| {
        state.flushes_requested += 1;
        (state.flushes_requested, state.pid)
    })?;
    if !ffi::wake_process(pid) {
        return None;
    }
    for _ in 0..MAX_WAIT.as_millis() / STEP.as_millis() {
        match ffi::sampler_state()? {
            state if state.flushes_done >= number => return Some(state.flush_sampled_us),
            state if state.flushes_failed >= number => return None,
            state if state.pid == pid => ffi::wait_on_latch(STEP),
            _ => return None,
        }
    }
    None
}
