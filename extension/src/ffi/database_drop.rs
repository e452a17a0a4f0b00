//! DROP DATABASE, reported before PostgreSQL counts the sessions of the database.
//!
//! PostgreSQL calls the hook once it knows that the user may drop the database. It calls it for other objects too, so anything
//! else is passed on untouched.

use std::ffi::{c_int, c_void};
use std::sync::OnceLock;

use pgrx::pg_sys;
use pgrx::prelude::*;

static ACTION: OnceLock<fn(u32)> = OnceLock::new();
static mut PREVIOUS: pg_sys::object_access_hook_type = None;

/// Has PostgreSQL call `action` with the number of each database that is about to be dropped, in the transaction of the command.
/// Only in shared_preload_libraries.
pub fn before_database_drop(action: fn(u32)) {
    ACTION.get_or_init(|| action);
    // SAFETY: the postmaster is single-threaded while it loads libraries; children inherit both values unchanged.
    unsafe {
        PREVIOUS = pg_sys::object_access_hook;
        pg_sys::object_access_hook = Some(object_access);
    }
}

/// The hook. It is not guarded as a whole: it owns nothing that an error of the previous hook could leak, and errors of that hook
/// reach the user unchanged.
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

#[pg_guard]
unsafe extern "C-unwind" fn before_drop(database: pg_sys::Oid) {
    if let Some(action) = ACTION.get() {
        action(database.to_u32());
    }
}
