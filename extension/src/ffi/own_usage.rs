//! Resources that this process has used, and its transactions.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ebs_samples::evidence::TransactionCounts;
use pgrx::pg_sys;

/// Transactions of this process so far, and those of them that pg_stat_database counts.
struct OwnTransactions {
    total: TransactionCounts,
    reported: TransactionCounts,
}

/// Begins with one: the transaction in which the process connected to its database, before any code of this extension ran.
static TRANSACTIONS: Mutex<OwnTransactions> = Mutex::new(OwnTransactions {
    total: TransactionCounts { commits: 1, rollbacks: 0 },
    reported: TransactionCounts { commits: 0, rollbacks: 0 },
});

/// CPU time that this process has used.
pub fn own_cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Bytes of WAL that this process has written records of, since it started.
pub fn own_wal_bytes() -> u64 {
    // SAFETY: a plain counter of this process, which has one thread.
    unsafe { pg_sys::pgWalUsage.wal_bytes }
}

/// Transactions of this process that are among those that pg_stat_database counts.
pub fn own_transactions() -> TransactionCounts {
    TRANSACTIONS.lock().unwrap_or_else(PoisonError::into_inner).reported
}

/// Counts one more that has ended.
pub(super) fn count_transaction(committed: bool) {
    let total = &mut TRANSACTIONS.lock().unwrap_or_else(PoisonError::into_inner).total;
    *if committed { &mut total.commits } else { &mut total.rollbacks } += 1;
}

/// Notes that all of them have been reported to pg_stat_database.
pub(super) fn mark_transactions_reported() {
    let mut transactions = TRANSACTIONS.lock().unwrap_or_else(PoisonError::into_inner);
    transactions.reported = transactions.total;
}
