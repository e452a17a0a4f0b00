//! Leaving a database that is about to be dropped: DROP DATABASE fails while any process is connected to it, the sampler too
//! (it waits five seconds first). So the command ends the sampler; the launcher starts it again if the database still exists, or
//! exists again.

use rustix::process::{Pid, Signal, kill_process};

use crate::{ffi, probes, settings};

/// Time for which the launcher starts no sampler: longer than PostgreSQL waits for sessions to leave (5 s).
const HOLD_OFF_US: i64 = 10_000_000;

/// Ends the sampler, if it is connected to this database. Called by DROP DATABASE, in its transaction.
pub fn leave_database(database: u32) {
    if ffi::database_number(&settings::database()) != Some(database) {
        return;
    }
    let until_us = probes::wall_us() + HOLD_OFF_US;
    let sampler = ffi::update_sampler_state(|state| {
        state.hold_off_until_us = until_us;
        Pid::from_raw(state.pid)
    });
    if let Some(pid) = sampler.flatten() {
        // Fails if it has already ended. PostgreSQL waits for its end.
        let _ = kill_process(pid, Signal::TERM);
    }
}
