//! Names of what the catalogue numbers. In a transaction only.

use pgrx::pg_sys;

use super::statistics::text;

/// The database with this number; `None` if there is none.
pub fn database_name(oid: u32) -> Option<String> {
    // SAFETY: in a transaction; the copy that is returned lives until its end, and is copied at once.
    let name = unsafe { text(pg_sys::get_database_name(pg_sys::Oid::from(oid))) };
    (!name.is_empty()).then_some(name)
}

/// The role with this number; `None` if there is none.
pub fn role_name(oid: u32) -> Option<String> {
    // SAFETY: in a transaction; asked not to raise an error for an unknown role.
    let name = unsafe { text(pg_sys::GetUserNameFromId(pg_sys::Oid::from(oid), true)) };
    (!name.is_empty()).then_some(name)
}
