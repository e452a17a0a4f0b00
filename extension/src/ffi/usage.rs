//! What this process has used, and done.

use std::sync::{Mutex, PoisonError};

use ebs_samples::evidence::TransactionCounts;
use pgrx::pg_sys;

/// Transactions of this process so far, and those of them that pg_stat_database has.
struct Own {
    done: TransactionCounts,
    reported: TransactionCounts,
}

/// One it has done before anything of ours ran: the one in which it connected to its database.
static OWN: Mutex<Own> = Mutex::new(Own {
    done: TransactionCounts { commits: 1, rollbacks: 0 },
    reported: TransactionCounts { commits: 0, rollbacks: 0 },
});

/// Bytes of WAL that this process has written records of, since it started.
pub fn own_wal_bytes() -> u64 {
    // SAFETY: a plain counter of this process, which has one thread.
    unsafe { pg_sys::pgWalUsage.wal_bytes }
}

/// Transactions of this process that are among those that pg_stat_database counts.
pub fn own_transactions() -> TransactionCounts {
    OWN.lock().unwrap_or_else(PoisonError::into_inner).reported
}

/// One more has ended.
pub(super) fn count_transaction(committed: bool) {
    let done = &mut OWN.lock().unwrap_or_else(PoisonError::into_inner).done;
    *if committed { &mut done.commits } else { &mut done.rollbacks } += 1;
}

/// All of them have been reported.
pub(super) fn transactions_reported() {
    let mut own = OWN.lock().unwrap_or_else(PoisonError::into_inner);
    own.reported = own.done;
}
