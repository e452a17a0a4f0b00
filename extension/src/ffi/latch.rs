//! Latches: waking another process, and waiting to be woken.

use std::time::Duration;

use pgrx::pg_sys;

/// Sets the latch of the server process with this id; false if there is none.
pub fn wake_process(pid: i32) -> bool {
    // SAFETY: the PGPROC lies in shared memory for as long as the server runs; a latch that is set by mistake, because
    // the slot has another process by now, wakes that one once without need.
    unsafe {
        let proc = pg_sys::BackendPidGetProc(pid);
        if proc.is_null() {
            return false;
        }
        pg_sys::SetLatch(&raw mut (*proc).procLatch);
    }
    true
}

/// Waits up to `time`, less if this process's latch is set; ends early with an error if the user cancels.
pub fn wait_on_latch(time: Duration) {
    let wake_on = (pg_sys::WL_LATCH_SET | pg_sys::WL_TIMEOUT | pg_sys::WL_EXIT_ON_PM_DEATH) as i32;
    let ms = std::ffi::c_long::try_from(time.as_millis()).unwrap_or(1_000);
    // SAFETY: MyLatch is this process's own and initialised in every backend.
    unsafe {
        // A deliberate sleep: shown as such, it is no database time.
        pg_sys::WaitLatch(pg_sys::MyLatch, wake_on, ms, pg_sys::WaitEventTimeout::WAIT_EVENT_PG_SLEEP);
        pg_sys::ResetLatch(pg_sys::MyLatch);
    }
    pgrx::check_for_interrupts!();
}

/// True if this process was woken since its latch was last reset.
pub fn is_latch_set() -> bool {
    // SAFETY: MyLatch is this process's own; the flag is one aligned word that others set.
    unsafe { std::ptr::addr_of!((*pg_sys::MyLatch).is_set).read_volatile() != 0 }
}
