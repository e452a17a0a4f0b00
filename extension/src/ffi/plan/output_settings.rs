//! Settings under which PostgreSQL writes names and constants so that everybody reads the same.

use std::ffi::CStr;

use pgrx::pg_sys;

const SETTINGS: [(&CStr, &CStr); 3] =
    [(c"search_path", c"pg_catalog, pg_temp"), (c"DateStyle", c"ISO, YMD"), (c"IntervalStyle", c"postgres")];

/// Runs `body` with them: names that are not PostgreSQL's own are written with their schema.
pub(super) fn with_output_settings<R>(body: impl FnOnce() -> R) -> R {
    // SAFETY: in a transaction; what is set is undone below, or by the abort of the subtransaction where `body` raises an error.
    unsafe {
        let level = pg_sys::NewGUCNestLevel();
        for (name, value) in SETTINGS {
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
        let result = body();
        pg_sys::AtEOXact_GUC(true, level);
        result
    }
}
