//! One statement of a reading of pg_stat_statements.

use super::counts::StatementCounts;

/// Counts of one statement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Start of the counting, microseconds since 1970 (`stats_since`, from PostgreSQL 17 on).
    pub since_us: Option<i64>,
    /// Cumulative counts since then.
    pub counts: StatementCounts,
}
