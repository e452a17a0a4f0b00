//! Leaving a database that is about to be dropped or renamed: both fail while anybody is connected to it, the sampler
//! too. So the command sends the sampler away first; the launcher brings it back once the database is there (again).

use std::ffi::{CString, c_char};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use pgrx::pg_sys;
use pgrx::prelude::*;
use rustix::process::{Pid, Signal, kill_process};

use super::statistics::text;
use super::{is_running, pause, sampler_state, with_sampler_state};
use crate::settings;

/// How long the launcher starts no sampler: longer than PostgreSQL waits for sessions to leave (5 s).
const HOLD_OFF: Duration = Duration::from_secs(10);

static mut PREVIOUS: pg_sys::ProcessUtility_hook_type = None;

/// Hooks into utility commands. Only in shared_preload_libraries.
pub(super) fn install() {
    // SAFETY: the postmaster is single-threaded while it loads libraries; children inherit both values unchanged.
    unsafe {
        PREVIOUS = pg_sys::ProcessUtility_hook;
        pg_sys::ProcessUtility_hook = Some(process_utility);
    }
}

#[allow(clippy::too_many_arguments, reason = "PostgreSQL's signature")]
#[pg_guard]
unsafe extern "C-unwind" fn process_utility(
    statement: *mut pg_sys::PlannedStmt,
    query: *const c_char,
    read_only_tree: bool,
    context: pg_sys::ProcessUtilityContext::Type,
    params: pg_sys::ParamListInfo,
    environment: *mut pg_sys::QueryEnvironment,
    destination: *mut pg_sys::DestReceiver,
    completion: *mut pg_sys::QueryCompletion,
) {
    // SAFETY: PostgreSQL hands over a valid statement; all arguments are passed on unchanged to the next in line.
    unsafe {
        if emptied_database((*statement).utilityStmt).is_some_and(|name| name == settings::database()) {
            leave(&settings::database());
        }
        match PREVIOUS {
            Some(next) => pg_sys::submodules::ffi::pg_guard_ffi_boundary(|| {
                next(statement, query, read_only_tree, context, params, environment, destination, completion)
            }),
            None => pg_sys::standard_ProcessUtility(
                statement,
                query,
                read_only_tree,
                context,
                params,
                environment,
                destination,
                completion,
            ),
        }
    }
}

/// The database that this command needs without sessions.
///
/// # Safety
/// `statement` is a valid parse tree.
unsafe fn emptied_database(statement: *mut pg_sys::Node) -> Option<String> {
    // SAFETY: the tag says which struct the node is.
    unsafe {
        match (*statement).type_ {
            pg_sys::NodeTag::T_DropdbStmt => Some(text((*statement.cast::<pg_sys::DropdbStmt>()).dbname)),
            pg_sys::NodeTag::T_RenameStmt => {
                let rename = &*statement.cast::<pg_sys::RenameStmt>();
                (rename.renameType == pg_sys::ObjectType::OBJECT_DATABASE).then(|| text(rename.subname))
            }
            _ => None,
        }
    }
}

/// Sends the sampler away and waits for it to go, if the user may drop this database at all.
fn leave(database: &str) {
    let Ok(name) = CString::new(database) else { return };
    // SAFETY: utility commands run in a transaction, which both look-ups need.
    let may = unsafe {
        let oid = pg_sys::get_database_oid(name.as_ptr(), true);
        oid != pg_sys::InvalidOid && pg_sys::object_ownercheck(pg_sys::DatabaseRelationId, oid, pg_sys::GetUserId())
    };
    let Some(pid) = sampler_state().map(|state| state.pid).filter(|pid| may && is_running(*pid)) else { return };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    with_sampler_state(|state| state.hold_off_until_us = (now + HOLD_OFF).as_micros() as i64);
    if let Some(pid) = Pid::from_raw(pid) {
        // If it has gone in the meantime there is nothing to be sent away.
        let _ = kill_process(pid, Signal::TERM);
    }
    for _ in 0..100 {
        if !is_running(pid) {
            return;
        }
        pause(Duration::from_millis(50));
    }
}
