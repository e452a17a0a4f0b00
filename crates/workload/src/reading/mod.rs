//! Readings that SQL takes when a run begins, at each of its marks and when it ends: facts that neither the sampler nor the
//! device has. Kept with the run, as a document.

mod checkpoints;
mod tables;

pub use checkpoints::{CheckpointCounts, Checkpoints};
use serde::{Deserialize, Serialize};
pub use tables::{Table, TableCounts, TableDelta, Tables, tables_between, tables_query};

use crate::statements::{Missing, Observed, Statements, between};

/// A reading of statements, checkpoints and tables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reading {
    /// Time of the reading, microseconds since 1970.
    pub read_us: i64,
    /// Size of a block of the server, bytes.
    pub block_size: u64,
    /// Statements (Ok), or the reason why there are none (Err).
    pub statements: Result<Statements, Missing>,
    /// Checkpoints; not known in readings of earlier versions.
    #[serde(default)]
    pub checkpoints: Option<Checkpoints>,
    /// Tables of the database in which the run was begun; not known in readings of earlier versions.
    #[serde(default)]
    pub tables: Option<Tables>,
}

/// Two readings of a run: where its measured part begins, and where it ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// The first.
    pub before: Reading,
    /// The second.
    pub after: Reading,
}

impl Span {
    /// Counts of statements between the two readings, or the reason for which they are not known.
    pub fn statements(&self) -> Result<Observed, Missing> {
        let (before, after) = (&self.before, &self.after);
        let (old, new) = (before.statements.as_ref(), after.statements.as_ref());
        // The later reason is the one to be remedied.
        let new = new.map_err(Clone::clone)?;
        let old = old.map_err(Clone::clone)?;
        Ok(between((before.read_us, old), (after.read_us, new), after.block_size))
    }

    /// Seconds between them.
    pub fn seconds(&self) -> f64 {
        (self.after.read_us.saturating_sub(self.before.read_us)).max(0) as f64 / 1e6
    }
}
