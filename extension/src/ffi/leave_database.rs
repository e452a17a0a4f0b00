//! Leaving a database that is about to be dropped: DROP DATABASE fails while anybody is connected to it, the sampler too
//! (it waits five seconds first). So the command sends the sampler away; the launcher brings it back should the database be there (again).
//!
//! PostgreSQL calls the hook once it knows that the user may drop the database, and before it counts sessions. It calls
//! it for other objects too, so anything else is passed on untouched.

use std::ffi::{CString, c_int, c_void};

use pgrx::pg_sys;
use pgrx::prelude::*;
use rustix::process::{Pid, Signal, kill_process};

use super::with_sampler_state;
use crate::{probes, settings};

/// How long the launcher starts no sampler: longer than PostgreSQL waits for sessions to leave (5 s).
const HOLD_OFF_US: i64 = 10_000_000;

static mut PREVIOUS: pg_sys::object_access_hook_type = None;

/// Hooks into object access. Only in shared_preload_libraries.
pub(super) fn install() {
    // SAFETY: the postmaster is single-threaded while it loads libraries; children inherit both values unchanged.
    unsafe {
        PREVIOUS = pg_sys::object_access_hook;
        pg_sys::object_access_hook = Some(object_access);
    }
}

/// Not guarded as a whole: it owns nothing that an error of the hook before it could leak, and so that hook's errors
/// reach the user as they are.
unsafe extern "C-unwind" fn object_access(
    access: pg_sys::ObjectAccessType::Type,
    class: pg_sys::Oid,
    object: pg_sys::Oid,
    sub_object: c_int,
    argument: *mut c_void,
) {
    // SAFETY: all arguments are passed on unchanged; PREVIOUS is not written after start-up.
    unsafe {
        if let Some(previous) = PREVIOUS {
            previous(access, class, object, sub_object, argument);
        }
        if access == pg_sys::ObjectAccessType::OAT_DROP && class == pg_sys::DatabaseRelationId {
            before_drop(object);
        }
    }
}

/// Sends the sampler away, if it is connected to this database.
#[pg_guard]
unsafe extern "C-unwind" fn before_drop(database: pg_sys::Oid) {
    let Ok(name) = CString::new(settings::database()) else { return };
    // SAFETY: DROP DATABASE runs in a transaction, which the look-up needs.
    if unsafe { pg_sys::get_database_oid(name.as_ptr(), true) } != database {
        return;
    }
    let until_us = probes::wall_us() + HOLD_OFF_US;
    let sampler = with_sampler_state(|state| {
        state.hold_off_until_us = until_us;
        Pid::from_raw(state.pid)
    });
    if let Some(pid) = sampler.flatten() {
        // If it has gone in the meantime there is nothing to be sent away. PostgreSQL waits for it to go.
        let _ = kill_process(pid, Signal::TERM);
    }
}
