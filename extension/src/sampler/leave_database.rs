//! Leaving a database that is about to be dropped: DROP DATABASE fails while anybody is connected to it, the sampler too
//! (it waits five seconds first). So the command sends the sampler away; the launcher brings it back should the database be
//! there (again).

use rustix::process::{Pid, Signal, kill_process};

use crate::{ffi, probes, settings};

/// Time for which the launcher starts no sampler: longer than PostgreSQL waits for sessions to leave (5 s).
const HOLD_OFF_US: i64 = 10_000_000;

/// Sends the sampler away, if it is connected to this database. Called by DROP DATABASE, in its transaction.
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
        // If it has gone in the meantime there is nothing to be sent away. PostgreSQL waits for it to go.
        let _ = kill_process(pid, Signal::TERM);
    }
}
