//! A transaction of a background worker that survives its own failure.

use std::convert::Infallible;
use std::fmt::Display;
use std::panic::AssertUnwindSafe;

use pgrx::PgTryBuilder;
use pgrx::pg_sys;
use pgrx::pg_sys::panic::CaughtError;

use super::own_usage::count_transaction;

/// Runs `body` in a transaction and commits it; an error that PostgreSQL raises, at commit too, is rolled back, and its
/// message returned.
pub fn in_transaction<R>(body: impl FnOnce() -> R) -> Result<R, String> {
    try_in_transaction(|| Ok::<R, Infallible>(body()))
}

/// The same for a `body` that may fail, which is rolled back, too.
pub fn try_in_transaction<R, E: Display>(body: impl FnOnce() -> Result<R, E>) -> Result<R, String> {
    // SAFETY: called in a background worker that is connected to a database, outside a transaction.
    unsafe {
        pg_sys::SetCurrentStatementStartTimestamp();
        pg_sys::StartTransactionCommand();
        pg_sys::PushActiveSnapshot(pg_sys::GetTransactionSnapshot());
    }
    let whole = AssertUnwindSafe(|| {
        let value = body().map_err(|error| error.to_string())?;
        // SAFETY: the snapshot pushed and the transaction started above.
        unsafe {
            pg_sys::PopActiveSnapshot();
            pg_sys::CommitTransactionCommand();
        }
        Ok(value)
    });
    let outcome = PgTryBuilder::new(whole).catch_others(|error| Err(error_message(&error))).execute();
    if outcome.is_err() {
        // SAFETY: pgrx has taken the error off PostgreSQL's stack; this releases all that the transaction held.
        unsafe { pg_sys::AbortCurrentTransaction() };
    }
    count_transaction(outcome.is_ok());
    outcome
}

/// Message of an error.
pub(super) fn error_message(error: &CaughtError) -> String {
    match error {
        CaughtError::PostgresError(report) | CaughtError::ErrorReport(report) => report.message().to_owned(),
        CaughtError::RustPanic { ereport, .. } => ereport.message().to_owned(),
    }
}

/// The number of the transaction of this session, if it has written anything.
pub fn transaction_number() -> Option<u32> {
    // SAFETY: reads a variable of this process.
    let number = unsafe { pg_sys::GetTopTransactionIdIfAny() };
    (number != pg_sys::InvalidTransactionId).then(|| number.into_inner())
}

/// The role whose rights count now.
pub fn current_role() -> pg_sys::Oid {
    // SAFETY: a global of this process.
    unsafe { pg_sys::GetUserId() }
}

/// Runs `body` as this role, in a restricted operation: code that a table's owner attached to the table (a trigger) runs with
/// the owner's rights, not with the worker's, and cannot change the session.
pub fn as_role<R>(role: pg_sys::Oid, body: impl FnOnce() -> R) -> R {
    let (mut user, mut context) = (pg_sys::InvalidOid, 0);
    let restricted = pg_sys::SECURITY_LOCAL_USERID_CHANGE | pg_sys::SECURITY_RESTRICTED_OPERATION;
    // SAFETY: in a transaction, whose abort restores both should `body` raise an error.
    unsafe {
        pg_sys::GetUserIdAndSecContext(&mut user, &mut context);
        pg_sys::SetUserIdAndSecContext(role, context | restricted as i32);
        let result = body();
        pg_sys::SetUserIdAndSecContext(user, context);
        result
    }
}

/// Time at which the statement of the client began, which is the same throughout it.
pub fn statement_start() -> i64 {
    // SAFETY: reads a global of this process.
    unsafe { pg_sys::GetCurrentStatementStartTimestamp() }
}
