//! Settings under which PostgreSQL writes names and constants so that everybody reads the same.

use std::ffi::CStr;

use pgrx::pg_sys;

use crate::ffi::saved_setting::save_setting;

const SETTINGS: [(&CStr, &CStr); 3] =
    [(c"search_path", c"pg_catalog, pg_temp"), (c"DateStyle", c"ISO, YMD"), (c"IntervalStyle", c"postgres")];

/// Runs `body` with them: names that are not PostgreSQL's own are written with their schema.
pub(super) fn with_output_settings<R>(body: impl FnOnce() -> R) -> R {
    // SAFETY: in a transaction; what is set is undone below, or by the abort of the subtransaction where `body` raises an error.
    unsafe {
        let level = pg_sys::NewGUCNestLevel();
        for (name, value) in SETTINGS {
            save_setting(name, value);
        }
        let result = body();
        pg_sys::AtEOXact_GUC(true, level);
        result
    }
}
