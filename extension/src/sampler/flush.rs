//! Asking the sampler to write what it holds, and waiting until it has. Runs do, so that they begin and end on a sample;
//! answers do not: they see what is held (`ffi/held.rs`).

use std::time::Duration;

use super::on_demand;
use crate::ffi;

/// How long a caller waits for the sampler: a flush takes milliseconds unless the disk is saturated.
const PATIENCE: Duration = Duration::from_secs(10);
const STEP: Duration = Duration::from_millis(5);

/// Takes a sample now and writes everything sampled: when that sample was taken, microseconds since 1970. `None` if no
/// sampler of this database answers.
pub fn request_flush() -> Option<i64> {
    if serves_here() { request() } else { on_demand::flush() }
}

/// Makes sure that this database is sampled, on demand where it is not anyway, and gives the time of a sample taken now.
pub fn ensure_sampling() -> Option<i64> {
    if !serves_here() {
        return on_demand::start();
    }
    let asked = pid();
    // One that ends while it is asked leaves the run to another: to the one that took its place, or to one on demand.
    request().or_else(|| match pid() {
        now if serves_here() && now == asked => None,
        _ if serves_here() => request(),
        _ => on_demand::start(),
    })
}

fn pid() -> Option<i32> {
    ffi::sampler_state().map(|state| state.pid)
}

/// Whether the preloaded sampler is at work in this database.
fn serves_here() -> bool {
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
    for _ in 0..PATIENCE.as_millis() / STEP.as_millis() {
        match ffi::sampler_state()? {
            state if state.flushes_done >= number => return Some(state.flush_sampled_us),
            state if state.flushes_failed >= number => return None,
            state if state.pid == pid => ffi::wait_on_latch(STEP),
            _ => return None,
        }
    }
    None
}
