//! Facts of the server that need no SQL.

use std::ffi::CStr;
use std::path::PathBuf;

use pgrx::pg_sys;

use super::c_string::copy_c_string;

/// The data directory.
pub fn data_directory() -> PathBuf {
    // SAFETY: set once by the postmaster before any library is loaded, and never freed.
    unsafe { copy_c_string(pg_sys::DataDir) }.into()
}

/// True on a standby, on which nothing can be written.
pub fn is_in_recovery() -> bool {
    // SAFETY: reads a flag in shared memory.
    unsafe { pg_sys::RecoveryInProgress() }
}

/// Refuses a function that writes, by this name, on a standby and in a read-only transaction: in the words and with the
/// SQLSTATE of every other write, and before anything was done.
pub fn require_writable(function: &CStr) {
    // SAFETY: the name is zero-terminated; called in a transaction of a backend, on the main thread.
    unsafe { pg_sys::PreventCommandIfReadOnly(function.as_ptr()) }
}

/// True if there is a database of this name that accepts connections. In a transaction only.
pub fn database_exists(name: &str) -> bool {
    let mut exists = false;
    // SAFETY: the name is an array within the row, zero-terminated.
    for_each_database(|row| exists |= row.datallowconn && unsafe { copy_c_string(row.datname.data.as_ptr()) } == name);
    exists
}

/// Calls `visit` for each row of pg_database. In a transaction only.
///
/// A plain scan, as the autovacuum launcher does it: a process that is connected to no database has no catalogue of
/// indexes to look a name up with.
pub(super) fn for_each_database(visit: impl FnMut(&pg_sys::FormData_pg_database)) {
    // SAFETY: rows of pg_database are of that struct.
    unsafe { for_each_row::<pg_sys::FormData_pg_database>(pg_sys::DatabaseRelationId, visit) }
}

/// Calls `visit` for each row of a table of the catalogue. In a transaction only.
///
/// # Safety
/// `R` is the struct of the table's rows.
pub(super) unsafe fn for_each_row<R>(table: pg_sys::Oid, mut visit: impl FnMut(&R)) {
    // SAFETY: called within a transaction that has a snapshot; relation and scan are closed before it ends, and the
    // tuples are read while the scan holds them.
    unsafe {
        let relation = pg_sys::table_open(table, pg_sys::AccessShareLock as i32);
        let scan = pg_sys::table_beginscan_catalog(relation, 0, std::ptr::null_mut());
        loop {
            let tuple = pg_sys::heap_getnext(scan, pg_sys::ScanDirection::ForwardScanDirection);
            if tuple.is_null() {
                break;
            }
            visit(&*pg_sys::GETSTRUCT(tuple).cast::<R>());
        }
        pg_sys::table_endscan(scan);
        pg_sys::table_close(relation, pg_sys::AccessShareLock as i32);
    }
}

/// The number of the database that this process is connected to.
pub fn own_database() -> u32 {
    // SAFETY: set when this process connected, and never changed.
    unsafe { pg_sys::MyDatabaseId }.to_u32()
}

/// True if this transaction sees one snapshot to its end (REPEATABLE READ and above).
pub fn uses_transaction_snapshot() -> bool {
    // SAFETY: a plain variable of this process.
    unsafe { pg_sys::XactIsoLevel >= pg_sys::XACT_REPEATABLE_READ as i32 }
}
