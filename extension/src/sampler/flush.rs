//! Requests to the sampler to write its samples, and waiting until it has. Runs make them, so that they begin and end on a
//! sample; answers do not: they read the samples that are not written yet from shared memory (`ffi/pending_samples.rs`).
//!
//! The sampler answers a few requests at once, and one an interval after that (`ebs_samples::schedule::RequestBudget`).

use std::cell::Cell;
use std::time::Duration;

use super::on_demand;
use crate::{ffi, probes, settings};

/// Longest time that a caller waits for the sampler: a flush takes milliseconds unless the disk is saturated.
const MAX_WAIT: Duration = Duration::from_secs(10);
/// Time between two checks while it waits.
const STEP: Duration = Duration::from_millis(5);

thread_local! {
    /// The transaction whose latest request was the beginning of a run, and the time of its sample.
    static BEGUN: Cell<Option<(u32, i64)>> = const { Cell::new(None) };
}

/// Has the sampler take a sample now and write all samples: the time of that sample, microseconds since 1970. `None` if no sampler
/// of this database answers.
pub fn request_flush() -> Option<i64> {
    BEGUN.set(None);
    if is_preloaded_here() { request() } else { on_demand::flush() }
}

/// Ensures that this database is sampled, on demand if the preloaded sampler does not: the time of a sample taken now.
pub fn ensure_sampling() -> Option<i64> {
    let sampled_us = repeated_beginning().or_else(sample_beginning);
    BEGUN.set(ffi::transaction_number().zip(sampled_us));
    sampled_us
}

/// The sample of a beginning earlier in this transaction, if nothing but another beginning has followed it: it was rolled back, and the
/// transaction, which may do that a thousand times, need not wait an interval for each. `None` once it is older than an interval.
fn repeated_beginning() -> Option<i64> {
    let (transaction, sampled_us) = BEGUN.get()?;
    let longest_us = i64::try_from(settings::sample_interval().as_micros()).unwrap_or(i64::MAX);
    let is_recent = (0..=longest_us).contains(&(probes::wall_us() - sampled_us));
    let is_usable = is_recent && ffi::transaction_number() == Some(transaction);
    (is_usable && (is_preloaded_here() || on_demand::is_there())).then_some(sampled_us)
}

fn sample_beginning() -> Option<i64> {
    if !is_preloaded_here() {
        return on_demand::start();
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
