//! Names of tablespaces, and those that take temporary files.

use std::collections::BTreeMap;

use pgrx::{PgList, pg_sys};

use super::c_string::copy_c_string;
use super::server::for_each_row;

/// Tablespaces of the catalogue, and of the setting temp_tablespaces.
#[derive(Clone, Debug, Default)]
pub struct Tablespaces {
    /// Names by OID, those of pg_default and pg_global among them.
    pub names: BTreeMap<u32, String>,
    /// Names in temp_tablespaces, as the server sets it and not this session.
    pub temporary: Vec<String>,
}

/// Reads them. In a transaction only.
pub fn read_tablespaces() -> Tablespaces {
    Tablespaces { names: names(), temporary: temporary() }
}

fn names() -> BTreeMap<u32, String> {
    let mut names = BTreeMap::new();
    // SAFETY: rows of pg_tablespace are of that struct; the name is an array within the row, zero-terminated.
    unsafe {
        for_each_row::<pg_sys::FormData_pg_tablespace>(pg_sys::TableSpaceRelationId, |row| {
            names.insert(row.oid.to_u32(), copy_c_string(row.spcname.data.as_ptr()));
        });
    }
    names
}

/// The value that sessions start with: that of a session holds for its own files alone.
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
