//! Counters of pg_stat_statements, brought to one meaning over its versions.

use serde::{Deserialize, Serialize};

use ebs_base::counter::counters;

counters! {
    /// One row of pg_stat_statements (<https://www.postgresql.org/docs/18/pgstatstatements.html>): cumulative in a reading, counted
    /// in between as a difference. Blocks are of the server's block size, times are microseconds.
    StatementCounts {
        /// Executions that ended.
        calls,
        /// Rows they gave or changed.
        rows,
        /// Blocks found in shared buffers.
        blocks_hit,
        /// Blocks read from the kernel into shared buffers.
        blocks_read,
        /// Blocks in shared buffers that became dirty.
        blocks_dirtied,
        /// Dirty blocks that the statement had to write itself.
        blocks_written,
        /// Blocks of temporary tables read.
        local_blocks_read,
        /// Blocks of temporary tables written.
        local_blocks_written,
        /// Blocks of temporary files (sorts, hashes, materialised results) read.
        temp_blocks_read,
        /// Blocks of temporary files written.
        temp_blocks_written,
        /// Time reading blocks of tables, temporary ones too: `blk_read_time` before 17, from it on `shared_blk_read_time` and
        /// `local_blk_read_time` together. 0 where track_io_timing is off.
        read_us,
        /// Time writing them; 0 where track_io_timing is off.
        write_us,
        /// Time executing.
        exec_us,
        /// WAL records.
        wal_records,
        /// Full-page images among them.
        wal_fpi,
        /// Bytes of WAL generated.
        wal_bytes,
    }
}

/// The counters' names, as stored readings have them.
pub(super) const NAMES: [&str; 16] = [
    "calls",
    "rows",
    "blocks_hit",
    "blocks_read",
    "blocks_dirtied",
    "blocks_written",
    "local_blocks_read",
    "local_blocks_written",
    "temp_blocks_read",
    "temp_blocks_written",
    "read_us",
    "write_us",
    "exec_us",
    "wal_records",
    "wal_fpi",
    "wal_bytes",
];

/// Key of a row of pg_stat_statements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StatementKey {
    /// Number of the role that ran it.
    pub user_id: u32,
    /// The number of the database it ran in.
    pub database_id: u32,
    /// Query id: a hash of the statement without its constants.
    pub query_id: i64,
    /// True if a client sent it, false if a function ran it.
    pub top_level: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebs_base::counter::Counters;

    #[test]
    fn names_are_the_fields_in_their_order() {
        let numbers: Vec<u64> = (1..).take(NAMES.len()).collect();
        let counts = StatementCounts::from_fields(&numbers).unwrap();
        let document = serde_json::to_value(counts).unwrap();
        for (name, number) in NAMES.iter().zip(numbers) {
            assert_eq!(document[name], number, "{name}");
        }
    }
}
