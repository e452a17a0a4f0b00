//! A setting that PostgreSQL restores at the end of its nest level: of a function with settings of its own, or of one that was begun.

use std::ffi::CStr;

use pgrx::pg_sys;

/// Sets a setting that any role may change, until the nest level ends; a value that PostgreSQL refuses is an error.
///
/// # Safety
/// In a transaction of a backend.
pub(super) unsafe fn save_setting(name: &CStr, value: &CStr) {
    // SAFETY: as the caller promises; both texts are zero-terminated and copied.
    unsafe {
        pg_sys::set_config_option(
            name.as_ptr(),
            value.as_ptr(),
            pg_sys::GucContext::PGC_USERSET,
            pg_sys::GucSource::PGC_S_SESSION,
            pg_sys::GucAction::GUC_ACTION_SAVE,
            true,
            0,
            false,
        );
    }
}
