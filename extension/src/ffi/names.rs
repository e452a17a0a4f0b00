//! Names of what the catalogue numbers, and numbers of what it names. In a transaction only.

use std::ffi::CString;

use pgrx::pg_sys;

use super::c_string::copy_c_string;

/// The database with this number; `None` if there is none.
pub fn database_name(oid: u32) -> Option<String> {
    // SAFETY: in a transaction; the copy that is returned lives until its end, and is copied at once.
    let name = unsafe { copy_c_string(pg_sys::get_database_name(pg_sys::Oid::from(oid))) };
    (!name.is_empty()).then_some(name)
}

/// The number of the database with this name; `None` if there is none.
pub fn database_number(name: &str) -> Option<u32> {
    let name = CString::new(name).ok()?;
    // SAFETY: in a transaction; the name is zero-terminated, and the second argument keeps an unknown one from raising an error.
    let number = unsafe { pg_sys::get_database_oid(name.as_ptr(), true) };
    (number != pg_sys::InvalidOid).then_some(number.to_u32())
}

/// The role with this number; `None` if there is none.
pub fn role_name(oid: u32) -> Option<String> {
    // SAFETY: in a transaction; the second argument keeps an unknown role from raising an error.
    let name = unsafe { copy_c_string(pg_sys::GetUserNameFromId(pg_sys::Oid::from(oid), true)) };
    (!name.is_empty()).then_some(name)
}
