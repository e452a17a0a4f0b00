//! Names of tablespaces, and those that take temporary files.

use std::collections::BTreeMap;

use pgrx::{PgList, pg_sys};

use super::c_string::copy_c_string;

/// Tablespaces of the catalogue, and of the setting temp_tablespaces.
#[derive(Clone, Debug, Default)]
pub struct Tablespaces {
    /// Names by OID, those of pg_default and pg_global among them.
    pub names: BTreeMap<u32, String>,
    /// Those that temp_tablespaces names, as the server sets it and not this session.
    pub temporary: Vec<String>,
}

/// Reads them. In a transaction only.
pub fn read_tablespaces() -> Tablespaces {
    Tablespaces { names: names(), temporary: temporary() }
}

fn names() -> BTreeMap<u32, String> {
    let mut names = BTreeMap::new();
    // SAFETY: called within a transaction that has a snapshot; relation and scan are closed before it ends, and the
    // tuples are read while the scan holds them.
    unsafe {
        let relation = pg_sys::table_open(pg_sys::TableSpaceRelationId, pg_sys::AccessShareLock as i32);
        let scan = pg_sys::table_beginscan_catalog(relation, 0, std::ptr::null_mut());
        loop {
            let tuple = pg_sys::heap_getnext(scan, pg_sys::ScanDirection::ForwardScanDirection);
            if tuple.is_null() {
                break;
            }
            let tablespace = pg_sys::GETSTRUCT(tuple).cast::<pg_sys::FormData_pg_tablespace>();
            names.insert((*tablespace).oid.to_u32(), copy_c_string((*tablespace).spcname.data.as_ptr()));
        }
        pg_sys::table_endscan(scan);
        pg_sys::table_close(relation, pg_sys::AccessShareLock as i32);
    }
    names
}

/// The value that sessions start with: a session's own would be of its own files alone.
fn temporary() -> Vec<String> {
    // SAFETY: the setting exists in every version. The value is copied, because splitting writes into it, and the names
    // point into the copy, which lives as long as the transaction.
    unsafe {
        let value = pg_sys::GetConfigOptionResetString(c"temp_tablespaces".as_ptr());
        let mut list: *mut pg_sys::List = std::ptr::null_mut();
        if value.is_null() || !pg_sys::SplitIdentifierString(pg_sys::pstrdup(value), b',' as _, &mut list) {
            return Vec::new();
        }
        let names = PgList::<std::ffi::c_char>::from_pg(list);
        names.iter_ptr().map(|name| copy_c_string(name)).collect()
    }
}
