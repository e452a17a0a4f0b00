//! Counts of what is committed now, whatever snapshot the transaction has.

use std::ffi::{CStr, c_int};

use pgrx::pg_sys;
use pgrx::prelude::*;

/// The first value, a bigint, of this query with these arguments, of type bigint too; `None` without rows and for NULL. It counts what
/// others have committed up to now in REPEATABLE READ and SERIALIZABLE too, as PostgreSQL's checks of foreign keys do, and what this
/// transaction has changed.
pub fn latest_number(query: &CStr, arguments: &[i64]) -> Option<i64> {
    let mut types = vec![pg_sys::INT8OID; arguments.len()];
    let mut values: Vec<pg_sys::Datum> = arguments.iter().map(|value| pg_sys::Datum::from(*value)).collect();
    Spi::connect(|_| {
        // SAFETY: connected to SPI, which frees plan and result when it is left; the query is zero-terminated, and there is a type and
        // a value for each of its arguments. The row is read before anything else is run.
        unsafe {
            let count = types.len() as c_int;
            let plan = pg_sys::SPI_prepare(query.as_ptr(), count, types.as_mut_ptr());
            let (snapshot, no_snapshot) = (pg_sys::GetLatestSnapshot(), std::ptr::null_mut());
            let nulls = std::ptr::null();
            pg_sys::SPI_execute_snapshot(plan, values.as_mut_ptr(), nulls, snapshot, no_snapshot, false, true, 1);
            if pg_sys::SPI_processed == 0 || pg_sys::SPI_tuptable.is_null() {
                return None;
            }
            let (rows, mut is_null) = (&*pg_sys::SPI_tuptable, false);
            let value = pg_sys::SPI_getbinval(*rows.vals, rows.tupdesc, 1, &raw mut is_null);
            (!is_null).then(|| value.value() as i64)
        }
    })
}
