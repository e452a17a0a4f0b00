//! A subtransaction of limited time. PostgreSQL's own timeouts end a whole statement, and a user's cancel does too: this one ends what
//! it was set for, and nothing else.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pgrx::{PgSqlErrorCode, pg_guard, pg_sys};

use super::subtransaction::run_and_roll_back;

#[pg_guard]
unsafe extern "C-unwind" {
    #[link_name = "RegisterTimeout"]
    fn register_timeout(id: i32, handler: unsafe extern "C-unwind" fn()) -> i32;
    #[link_name = "enable_timeout_after"]
    fn enable_timeout_after(id: i32, milliseconds: i32);
    #[link_name = "disable_timeout"]
    fn disable_timeout(id: i32, keep_indicator: bool);
    #[link_name = "get_timeout_finish_time"]
    fn timeout_finish_time(id: i32) -> pg_sys::TimestampTz;
}

/// Any number from USER_TIMEOUT on asks for the next free one (RegisterTimeout in src/backend/utils/misc/timeout.c).
const NEXT_FREE: i32 = 1_000;
/// STATEMENT_TIMEOUT of src/include/utils/timeout.h, the same in 16 to 18.
const STATEMENT_TIMEOUT: i32 = 3;

thread_local! { static TIMEOUT: Cell<Option<i32>> = const { Cell::new(None) }; }
/// True once the time is over. Set by a signal.
static EXPIRED: AtomicBool = AtomicBool::new(false);

/// Reason that an attempt failed.
pub enum Failure {
    /// The time was over.
    OutOfTime,
    /// An error.
    Raised {
        /// Its SQLSTATE.
        code: PgSqlErrorCode,
        /// Its message.
        message: String,
    },
}

/// Runs `body` in a subtransaction, for so long at most, and rolls it back. PostgreSQL ends it at its next check for interrupts. An
/// error that ends the statement is raised again, a cancel by the user or `statement_timeout` too.
pub fn attempt_within<R>(limit: Duration, body: impl FnOnce() -> R) -> Result<R, Failure> {
    let timer = Timer::start(limit);
    let outcome = run_and_roll_back(body);
    let expired = EXPIRED.load(Ordering::Relaxed);
    drop(timer);
    match outcome {
        Ok(value) => Ok(value),
        Err(error) if expired && error.is_cancel() && !statement_timed_out() => Err(Failure::OutOfTime),
        Err(error) if error.ends_the_statement() => error.rethrow(),
        Err(error) => Err(Failure::Raised { code: error.code(), message: error.message() }),
    }
}

/// Our timeout, set while this lives.
struct Timer(i32);

impl Timer {
    fn start(limit: Duration) -> Timer {
        // SAFETY: registered once a process; the handler is a function of this library, which stays loaded.
        let id = TIMEOUT.get().unwrap_or_else(|| unsafe { register_timeout(NEXT_FREE, expire) });
        TIMEOUT.set(Some(id));
        EXPIRED.store(false, Ordering::Relaxed);
        let milliseconds = i32::try_from(limit.as_millis()).unwrap_or(i32::MAX).max(1);
        // SAFETY: the timeout that was registered, of at least a millisecond, as PostgreSQL requires.
        unsafe { enable_timeout_after(id, milliseconds) };
        Timer(id)
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        // SAFETY: the timeout that was registered.
        unsafe { disable_timeout(self.0, false) };
        if EXPIRED.swap(false, Ordering::Relaxed) {
            // SAFETY: a flag of this process; ours, where nothing has looked at it.
            unsafe { pg_sys::QueryCancelPending = 0 };
        }
    }
}

/// Called in a handler of signals: what it does is what PostgreSQL's own does for a cancel. One that is pending already is the user's.
unsafe extern "C-unwind" fn expire() {
    // SAFETY: flags of this process, as StatementCancelHandler in src/backend/tcop/postgres.c sets them. The caller sets the latch.
    unsafe {
        if pg_sys::QueryCancelPending == 0 {
            EXPIRED.store(true, Ordering::Relaxed);
            pg_sys::QueryCancelPending = 1;
            pg_sys::InterruptPending = 1;
        }
    }
}

/// True if `statement_timeout` ended while our own cancel was pending: PostgreSQL reports one of the two.
fn statement_timed_out() -> bool {
    // SAFETY: times that this process keeps.
    unsafe {
        let finish = timeout_finish_time(STATEMENT_TIMEOUT);
        finish > pg_sys::GetCurrentStatementStartTimestamp() && finish <= pg_sys::GetCurrentTimestamp()
    }
}
