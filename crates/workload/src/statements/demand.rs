//! Demand of one statement.

use super::counts::{StatementCounts, StatementKey};

/// Counts of one statement over a stretch of time. Blocks are of the server's block size.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatementDemand {
    /// Its query id.
    pub query_id: i64,
    /// Number of the role that ran it.
    pub user_id: u32,
    /// The role's name, as it was when the run ended.
    pub role: Option<String>,
    /// The number of the database it ran in.
    pub database_id: u32,
    /// That database's name, likewise.
    pub database: Option<String>,
    /// True if a client sent it, false if a function ran it.
    pub top_level: bool,
    /// Seconds over which it was counted.
    pub seconds: f64,
    /// Start of the counts, microseconds since 1970.
    pub since_us: i64,
    /// Completeness of the counts.
    pub known: Known,
    /// Executions that ended: one that began before counts whole, one that goes on counts nothing yet.
    pub calls: u64,
    /// Rows given or changed.
    pub rows: u64,
    /// Blocks found in shared buffers.
    pub blocks_hit: u64,
    /// Blocks read from the kernel (its page cache or the device), those of temporary tables among them.
    pub blocks_read: u64,
    /// Blocks that became dirty.
    pub blocks_dirtied: u64,
    /// Dirty blocks written by the statement itself, those of temporary tables among them.
    pub blocks_written: u64,
    /// Milliseconds spent reading; `None` where track_io_timing was not on.
    pub read_ms: Option<f64>,
    /// Milliseconds spent writing, likewise.
    pub write_ms: Option<f64>,
    /// Blocks of temporary files read.
    pub temp_blocks_read: u64,
    /// Blocks of temporary files written.
    pub temp_blocks_written: u64,
    /// WAL records.
    pub wal_records: u64,
    /// Full-page images among them.
    pub wal_fpi: u64,
    /// Bytes of WAL generated.
    pub wal_bytes: u64,
    /// Milliseconds of execution.
    pub exec_ms: f64,
    /// Read requests a second at the device, after the page cache's share is taken off; `None` where the balance does not say.
    pub device_reads_s: Option<f64>,
    /// At least and at most so many.
    pub device_reads_range: Option<(f64, f64)>,
    /// `device_reads_s` in all requests of the device, reads and writes, 0 to 1.
    pub demand_share: Option<f64>,
    /// Its WAL in all WAL generated, 0 to 1.
    pub wal_share: Option<f64>,
}

/// Completeness of a statement's counts between two readings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Known {
    /// All.
    #[default]
    Whole,
    /// Counts since pg_stat_statements as a whole was reset.
    SinceReset,
    /// Counts since the statement was counted from 0 again: it had been evicted, or reset by itself.
    SinceAnew,
    /// At least this: it came up in between, and others were evicted, so that it may have been before.
    AtLeast,
}

impl StatementDemand {
    /// Builds the demand from counters.
    pub(super) fn from_counts(key: &StatementKey, counts: &StatementCounts, timed: bool) -> StatementDemand {
        let ms = |us: u64| us as f64 / 1000.0;
        StatementDemand {
            query_id: key.query_id,
            user_id: key.user_id,
            database_id: key.database_id,
            top_level: key.top_level,
            calls: counts.calls,
            rows: counts.rows,
            blocks_hit: counts.blocks_hit,
            blocks_read: counts.blocks_read.saturating_add(counts.local_blocks_read),
            blocks_dirtied: counts.blocks_dirtied,
            blocks_written: counts.blocks_written.saturating_add(counts.local_blocks_written),
            read_ms: timed.then(|| ms(counts.read_us)),
            write_ms: timed.then(|| ms(counts.write_us)),
            temp_blocks_read: counts.temp_blocks_read,
            temp_blocks_written: counts.temp_blocks_written,
            wal_records: counts.wal_records,
            wal_fpi: counts.wal_fpi,
            wal_bytes: counts.wal_bytes,
            exec_ms: ms(counts.exec_us),
            ..StatementDemand::default()
        }
    }

    /// Key of the statement in pg_stat_statements.
    pub fn key(&self) -> StatementKey {
        StatementKey {
            user_id: self.user_id,
            database_id: self.database_id,
            query_id: self.query_id,
            top_level: self.top_level,
        }
    }

    /// Amount a second; `None` if it was counted for no time.
    pub fn per_second(&self, amount: f64) -> Option<f64> {
        (self.seconds > 0.0).then(|| amount / self.seconds)
    }

    /// Amount an execution; `None` if none ended.
    pub fn per_call(&self, amount: f64) -> Option<f64> {
        (self.calls > 0).then(|| amount / self.calls as f64)
    }
}
