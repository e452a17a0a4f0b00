//! Facts of the server that need no SQL.

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

/// Whether there is a database of this name that accepts connections. In a transaction only.
///
/// A plain scan, as the autovacuum launcher does it: a process that is connected to no database has no catalogue of
/// indexes to look the name up with.
pub fn database_exists(name: &str) -> bool {
    // SAFETY: called within a transaction that has a snapshot; relation and scan are closed before it ends, and the
    // tuples are read while the scan holds them.
    unsafe {
        let relation = pg_sys::table_open(pg_sys::DatabaseRelationId, pg_sys::AccessShareLock as i32);
        let scan = pg_sys::table_beginscan_catalog(relation, 0, std::ptr::null_mut());
        let mut found = false;
        loop {
            let tuple = pg_sys::heap_getnext(scan, pg_sys::ScanDirection::ForwardScanDirection);
            if tuple.is_null() {
                break;
            }
            let database = pg_sys::GETSTRUCT(tuple).cast::<pg_sys::FormData_pg_database>();
            found |= (*database).datallowconn && text((*database).datname.data.as_ptr()) == name;
        }
        pg_sys::table_endscan(scan);
        pg_sys::table_close(relation, pg_sys::AccessShareLock as i32);
        found
    }
}
