//! What is done when a transaction ends, however it does.

use std::ffi::c_void;

use pgrx::pg_sys;
use pgrx::prelude::*;

use crate::memory;

/// Has PostgreSQL call us at each end of a transaction of this process, and of those that it starts.
pub(super) fn install() {
    // SAFETY: the callback is a function of this library, which stays loaded, and takes no argument.
    unsafe { pg_sys::RegisterXactCallback(Some(transaction_ends), std::ptr::null_mut()) };
}

#[pg_guard]
unsafe extern "C-unwind" fn transaction_ends(event: pg_sys::XactEvent::Type, _argument: *mut c_void) {
    use pg_sys::XactEvent::{
        XACT_EVENT_ABORT, XACT_EVENT_COMMIT, XACT_EVENT_PARALLEL_ABORT, XACT_EVENT_PARALLEL_COMMIT,
    };
    use pg_sys::XactEvent::{XACT_EVENT_PRE_COMMIT, XACT_EVENT_PREPARE};
    match event {
        // Here a message does no harm; later on an error would.
        XACT_EVENT_PRE_COMMIT => memory::report(),
        XACT_EVENT_COMMIT
        | XACT_EVENT_ABORT
        | XACT_EVENT_PARALLEL_COMMIT
        | XACT_EVENT_PARALLEL_ABORT
        | XACT_EVENT_PREPARE => memory::settle(),
        _ => {}
    }
}
