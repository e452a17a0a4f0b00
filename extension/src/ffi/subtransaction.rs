//! What is tried in a subtransaction, and undone whether it succeeds or not.

use std::panic::AssertUnwindSafe;

use pgrx::pg_sys::panic::CaughtError;
use pgrx::{PgSqlErrorCode, PgTryBuilder, pg_sys};

use super::transaction::message;

/// An error that was caught, after everything that led to it was undone.
pub struct Caught(CaughtError);

impl Caught {
    /// In words.
    pub fn message(&self) -> String {
        message(&self.0)
    }

    /// Goes on with it.
    pub fn rethrow(self) -> ! {
        self.0.rethrow()
    }

    /// True if somebody wants this statement, or this session, to end: nobody may swallow that. Neither may a defect of
    /// ours pass for an error of PostgreSQL's.
    pub(super) fn ends_the_statement(&self) -> bool {
        use PgSqlErrorCode::{ERRCODE_ADMIN_SHUTDOWN, ERRCODE_CRASH_SHUTDOWN, ERRCODE_QUERY_CANCELED};
        let ends = [ERRCODE_QUERY_CANCELED, ERRCODE_ADMIN_SHUTDOWN, ERRCODE_CRASH_SHUTDOWN];
        match &self.0 {
            CaughtError::PostgresError(report) => ends.contains(&report.sql_error_code()),
            CaughtError::ErrorReport(_) => false,
            CaughtError::RustPanic { .. } => true,
        }
    }
}

/// Runs `body` in a subtransaction and rolls it back: locks, settings, and whatever it did to tables are as before. What
/// it returns must be memory of Rust's.
pub fn undone<R>(body: impl FnOnce() -> R) -> Result<R, Caught> {
    // SAFETY: called in a transaction, as every SQL function is; the context and the owner are restored below.
    let (context, owner) = unsafe {
        let before = (pg_sys::CurrentMemoryContext, pg_sys::CurrentResourceOwner);
        pg_sys::BeginInternalSubTransaction(std::ptr::null());
        pg_sys::MemoryContextSwitchTo(before.0);
        before
    };
    let body = AssertUnwindSafe(|| Ok(body()));
    let outcome = PgTryBuilder::new(body).catch_others(|error| Err(Caught(error))).execute();
    // SAFETY: ends the subtransaction begun above; an error has been taken off PostgreSQL's stack by pgrx.
    unsafe {
        pg_sys::RollbackAndReleaseCurrentSubTransaction();
        pg_sys::MemoryContextSwitchTo(context);
        pg_sys::CurrentResourceOwner = owner;
    }
    outcome
}

/// The same; an error is given in words, unless it is one that ends the statement.
pub fn attempt<R>(body: impl FnOnce() -> R) -> Result<R, String> {
    match undone(body) {
        Ok(value) => Ok(value),
        Err(caught) if caught.ends_the_statement() => caught.rethrow(),
        Err(caught) => Err(caught.message()),
    }
}
