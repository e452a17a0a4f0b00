//! Callbacks at the ends of transactions.

use std::ffi::c_void;

use pgrx::pg_sys;
use pgrx::prelude::*;

/// Functions to call at the end of each transaction.
pub struct TransactionEnd {
    /// Called before a commit: here a message does no harm, and later on an error would.
    pub before_commit: fn(),
    /// Called when the transaction is over, after an error too; raises none.
    pub after_end: fn(),
}

/// Has PostgreSQL call these functions at each end of a transaction of this process, and of those that it starts.
pub fn on_transaction_end(functions: &'static TransactionEnd) {
    let argument = std::ptr::from_ref(functions).cast_mut().cast();
    // SAFETY: the callback is a function of this library, which stays loaded, and so does its argument.
    unsafe { pg_sys::RegisterXactCallback(Some(transaction_ends), argument) };
}

#[pg_guard]
unsafe extern "C-unwind" fn transaction_ends(event: pg_sys::XactEvent::Type, argument: *mut c_void) {
    use pg_sys::XactEvent::{
        XACT_EVENT_ABORT, XACT_EVENT_COMMIT, XACT_EVENT_PARALLEL_ABORT, XACT_EVENT_PARALLEL_COMMIT,
        XACT_EVENT_PRE_COMMIT, XACT_EVENT_PREPARE,
    };
    // SAFETY: the argument that was registered with it.
    let functions = unsafe { &*argument.cast::<TransactionEnd>() };
    match event {
        XACT_EVENT_PRE_COMMIT => (functions.before_commit)(),
        XACT_EVENT_COMMIT
        | XACT_EVENT_ABORT
        | XACT_EVENT_PARALLEL_COMMIT
        | XACT_EVENT_PARALLEL_ABORT
        | XACT_EVENT_PREPARE => (functions.after_end)(),
        _ => {}
    }
}
