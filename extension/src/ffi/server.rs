//! Facts of the server that need no SQL.

use std::ffi::CString;
use std::path::PathBuf;

use pgrx::pg_sys;

use super::statistics::text;

/// The data directory.
pub fn data_directory() -> PathBuf {
    // SAFETY: set once by the postmaster before any library is loaded, and never freed.
    unsafe { text(pg_sys::DataDir) }.into()
}

/// Whether this server is a standby, on which nothing can be written.
pub fn in_recovery() -> bool {
    // SAFETY: reads a flag in shared memory.
    unsafe { pg_sys::RecoveryInProgress() }
}

/// Whether there is a database of this name. In a transaction only.
pub fn database_exists(name: &str) -> bool {
    let Ok(name) = CString::new(name) else { return false };
    // SAFETY: called within a transaction; the name lives through the call, and a missing database is no error here.
    unsafe { pg_sys::get_database_oid(name.as_ptr(), true) != pg_sys::InvalidOid }
}
