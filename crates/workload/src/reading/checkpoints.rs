//! Checkpoints, as counted.

use serde::{Deserialize, Serialize};

use ebs_base::counter::{Counters, Delta, counters};

counters! {
    /// Checkpoints that were begun, cumulative: pg_stat_checkpointer from PostgreSQL 17 on, pg_stat_bgwriter before.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    CheckpointCounts {
        /// Checkpoints because checkpoint_timeout had passed.
        timed,
        /// Requested checkpoints: by WAL that reached its limit (max_wal_size), by CHECKPOINT, by a base backup.
        requested,
        /// Buffers written by all of them.
        buffers_written,
    }
}

/// A reading of the checkpoint counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Checkpoints {
    /// Time of the last reset, microseconds since 1970.
    pub reset_us: Option<i64>,
    /// Cumulative counts.
    pub counts: CheckpointCounts,
}

impl Checkpoints {
    /// Subtracts the earlier reading `before`; `None` where the counters were reset in between.
    pub fn since(&self, before: &Checkpoints) -> Option<CheckpointCounts> {
        match self.counts.since(before.counts) {
            Delta::Advanced(counts) if self.reset_us == before.reset_us => Some(counts),
            _ => None,
        }
    }
}
