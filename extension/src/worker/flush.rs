//! Asking the sampler to write what it holds, and waiting until it has.

use std::time::Duration;

use crate::ffi;

/// How long a caller waits for the sampler: a flush takes milliseconds unless the disk is saturated.
const PATIENCE: Duration = Duration::from_secs(10);
const STEP: Duration = Duration::from_millis(20);

/// Takes a sample now and writes everything sampled. False if no sampler answers.
pub fn request_flush() -> bool {
    let asked = ffi::with_sampler_state(|state| {
        state.flushes_asked += 1;
        (state.flushes_asked, state.pid)
    });
    let Some((number, pid)) = asked else { return false };
    if !ffi::wake(pid) {
        return false;
    }
    for _ in 0..PATIENCE.as_millis() / STEP.as_millis() {
        match ffi::sampler_state() {
            Some(state) if state.flushes_done >= number => return true,
            Some(state) if state.flushes_failed >= number => return false,
            Some(state) if state.pid == pid => ffi::pause(STEP),
            _ => return false,
        }
    }
    false
}
