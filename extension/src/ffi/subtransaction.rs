//! Subtransactions: of work that is only tried, and of work that may fail.

use std::panic::AssertUnwindSafe;

use pgrx::pg_sys::panic::CaughtError;
use pgrx::{PgSqlErrorCode, PgTryBuilder, pg_sys};

use super::transaction::error_message;

/// An error that was caught, after the subtransaction that raised it was rolled back.
pub struct RolledBackError(CaughtError);

impl RolledBackError {
    /// Its message.
    pub fn message(&self) -> String {
        error_message(&self.0)
    }

    /// Its SQLSTATE.
    pub(super) fn code(&self) -> PgSqlErrorCode {
        match &self.0 {
            CaughtError::PostgresError(report) | CaughtError::ErrorReport(report) => report.sql_error_code(),
            CaughtError::RustPanic { ereport, .. } => ereport.sql_error_code(),
        }
    }

    /// True if it is PostgreSQL's for a statement that is cancelled.
    pub(super) fn is_cancel(&self) -> bool {
        matches!(&self.0, CaughtError::PostgresError(_)) && self.code() == PgSqlErrorCode::ERRCODE_QUERY_CANCELED
    }

    /// Raises it again.
    pub fn rethrow(self) -> ! {
        self.0.rethrow()
    }

    /// True if PostgreSQL found that what it read is damaged.
    fn is_corruption(&self) -> bool {
        use PgSqlErrorCode::{ERRCODE_DATA_CORRUPTED, ERRCODE_INDEX_CORRUPTED};
        let corrupted = [ERRCODE_DATA_CORRUPTED, ERRCODE_INDEX_CORRUPTED];
        matches!(&self.0, CaughtError::PostgresError(_)) && corrupted.contains(&self.code())
    }

    /// True if a lock could not be had in time.
    pub fn is_lock_timeout(&self) -> bool {
        self.code() == PgSqlErrorCode::ERRCODE_LOCK_NOT_AVAILABLE
    }

    /// True if this statement, or this session, is to end: such an error must not be swallowed. Neither may a defect of this extension
    /// pass for an error of PostgreSQL.
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

/// Runs `body` in a subtransaction and rolls it back: locks, settings, and changes of tables are as before. Its
/// result must be memory of Rust's.
pub fn run_and_roll_back<R>(body: impl FnOnce() -> R) -> Result<R, RolledBackError> {
    run(body, false)
}

/// Runs `body` in a subtransaction and keeps its locks and changes; an error of its is rolled back. Its result must be memory of Rust's.
pub(super) fn run_and_keep<R>(body: impl FnOnce() -> R) -> Result<R, RolledBackError> {
    run(body, true)
}

fn run<R>(body: impl FnOnce() -> R, is_kept: bool) -> Result<R, RolledBackError> {
    // SAFETY: called in a transaction, as every SQL function is; the context and the owner are restored below.
    let (context, owner) = unsafe {
        let before = (pg_sys::CurrentMemoryContext, pg_sys::CurrentResourceOwner);
        pg_sys::BeginInternalSubTransaction(std::ptr::null());
        pg_sys::MemoryContextSwitchTo(before.0);
        before
    };
    let body = AssertUnwindSafe(|| Ok(body()));
    let outcome = PgTryBuilder::new(body).catch_others(|error| Err(RolledBackError(error))).execute();
    // SAFETY: ends the subtransaction begun above; an error has been taken off PostgreSQL's stack by pgrx.
    unsafe {
        if is_kept && outcome.is_ok() {
            pg_sys::ReleaseCurrentSubTransaction();
        } else {
            pg_sys::RollbackAndReleaseCurrentSubTransaction();
        }
        pg_sys::MemoryContextSwitchTo(context);
        pg_sys::CurrentResourceOwner = owner;
    }
    outcome
}

/// The same; an error becomes its message, unless it ends the statement.
pub fn attempt<R>(body: impl FnOnce() -> R) -> Result<R, String> {
    match run_and_roll_back(body) {
        Ok(value) => Ok(value),
        Err(error) if error.ends_the_statement() => error.rethrow(),
        Err(error) => Err(error.message()),
    }
}

/// The same for a `body` that reads what may be damaged: that alone becomes a message.
pub fn attempt_to_read<R>(body: impl FnOnce() -> R) -> Result<R, String> {
    match run_and_roll_back(body) {
        Ok(value) => Ok(value),
        Err(error) if error.is_corruption() => Err(error.message()),
        Err(error) => error.rethrow(),
    }
}
