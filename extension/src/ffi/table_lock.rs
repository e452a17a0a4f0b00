//! A lock of a table, waited for no longer than a caller can take.

use std::ffi::CString;
use std::time::Duration;

use pgrx::pg_sys;

use super::saved_setting::save_setting;
use super::subtransaction::{RolledBackError, run_and_keep};

/// Has no wait for a lock take longer than this, until the calling SQL function ends; a shorter lock_timeout of the session stays in
/// force. The function has a setting of its own (its `search_path`), at whose end PostgreSQL restores this one too.
pub fn bound_lock_waits(longest: Duration) {
    let longest_ms = i32::try_from(longest.as_millis()).unwrap_or(i32::MAX);
    // SAFETY: reads a setting of this process.
    let current_ms = unsafe { pg_sys::LockTimeout };
    if current_ms > 0 && current_ms <= longest_ms {
        return;
    }
    let value = CString::new(longest_ms.to_string()).unwrap_or_default();
    // SAFETY: called in a transaction of a backend.
    unsafe { save_setting(c"lock_timeout", &value) };
}

/// The lock_timeout in force.
pub fn lock_timeout() -> Duration {
    // SAFETY: reads a setting of this process.
    let timeout_ms = unsafe { pg_sys::LockTimeout };
    Duration::from_millis(timeout_ms.unsigned_abs().into())
}

/// Locks a table in SHARE ROW EXCLUSIVE mode until the transaction ends. A lock that is free, or held already, takes no subtransaction;
/// the error of one that is waited for in vain is returned, and the transaction can go on.
pub fn lock_table(table: pg_sys::Oid) -> Result<(), RolledBackError> {
    let mode = pg_sys::ShareRowExclusiveLock as pg_sys::LOCKMODE;
    // SAFETY: in a transaction, which releases the lock at its end. With a transaction id pgrx runs each later query with a snapshot of
    // its own, which has what was committed before the lock was granted.
    unsafe {
        pg_sys::GetCurrentTransactionId();
        if pg_sys::ConditionalLockRelationOid(table, mode) {
            return Ok(());
        }
        run_and_keep(|| pg_sys::LockRelationOid(table, mode))
    }
}
