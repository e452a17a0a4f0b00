//! Transactions and temporary files, as pg_stat_database counts them.

use std::collections::BTreeMap;

use ebs_samples::evidence::{DatabaseCounts, TempCounts, TransactionCounts};
use pgrx::pg_sys;

use super::server::for_each_database;
use super::statistics::unsigned;

/// Reads the counters of each database, by its number. In a transaction only.
pub fn read_databases() -> BTreeMap<u32, DatabaseCounts> {
    let mut counters = BTreeMap::new();
    // SAFETY: called on the main thread of a process attached to shared memory. Clearing the snapshot makes what is
    // fetched next the current state; nothing fetched from it before is still in use.
    unsafe { pg_sys::pgstat_clear_snapshot() };
    for_each_database(|row| {
        // SAFETY: null for a database that has no statistics yet, otherwise valid until the snapshot is cleared.
        if let Some(counted) = unsafe { pg_sys::pgstat_fetch_stat_dbentry(row.oid).as_ref() } {
            counters.insert(row.oid.to_u32(), counts(counted));
        }
    });
    counters
}

fn counts(counted: &pg_sys::PgStat_StatDBEntry) -> DatabaseCounts {
    DatabaseCounts {
        epoch: counted.stat_reset_timestamp,
        temp: TempCounts { files: unsigned(counted.temp_files), bytes: unsigned(counted.temp_bytes) },
        transactions: TransactionCounts {
            commits: unsigned(counted.xact_commit),
            rollbacks: unsigned(counted.xact_rollback),
        },
    }
}
