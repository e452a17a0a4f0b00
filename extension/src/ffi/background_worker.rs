//! Duties of a background worker that PostgreSQL does for backends itself.

use std::ffi::{CStr, CString};

use pgrx::pg_sys;

/// Reads the configuration files again.
pub fn reload_settings() {
    // SAFETY: called between transactions on the main thread, as SIGHUP handling in PostgreSQL's own workers does.
    unsafe { pg_sys::ProcessConfigFile(pg_sys::GucContext::PGC_SIGHUP) };
}

/// Makes this process's own reads and writes visible in the statistics, and its inserts known to autovacuum.
pub fn report_own_statistics() {
    // SAFETY: called outside transactions; `true` forces what would otherwise be held back for a second.
    unsafe { pg_sys::pgstat_report_stat(true) };
    super::own_usage::mark_transactions_reported();
}

/// Shows `what` as this process's query in pg_stat_activity.
pub fn report_activity(what: &str) {
    let Ok(what) = CString::new(what) else { return };
    // SAFETY: PostgreSQL copies the text.
    unsafe { pg_sys::pgstat_report_activity(pg_sys::BackendState::STATE_RUNNING, what.as_ptr()) };
}

/// Sets the application name that other processes see of this one.
pub fn set_application_name(name: &CStr) {
    // SAFETY: zero-terminated; PostgreSQL copies it.
    unsafe { pg_sys::pgstat_report_appname(name.as_ptr()) };
}
