//! Tables, as counted: updates, and which of them stayed on their page.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use ebs_base::counter::{Counters, Delta, counters};

counters! {
    /// Counters of pg_stat_all_tables, cumulative.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    TableCounts {
        /// Rows inserted.
        inserted,
        /// Rows updated.
        updated,
        /// Heap-only updates among them: the new version is on the same page, and no index is updated.
        hot_updated,
        /// Updates among them whose new version is on another page for lack of room (PostgreSQL 16 on).
        newpage_updated,
        /// Rows deleted.
        deleted,
        /// Runs of VACUUM, by hand and automatic.
        vacuums,
    }
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Table {
    /// Name, `schema.table`, quoted for SQL.
    pub name: String,
    /// Fillfactor, per cent; 100 unless set.
    pub fillfactor: u8,
    /// Number of indexes.
    pub indexes: u32,
    /// Size without indexes, bytes.
    pub bytes: u64,
    /// Cumulative counts.
    pub counts: TableCounts,
}

/// Tables of one database.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tables {
    /// Name of the database.
    pub database: String,
    /// Time of the last reset of the database's counters, microseconds since 1970.
    pub reset_us: Option<i64>,
    /// Tables with any counter above 0, by OID.
    pub tables: BTreeMap<u32, Table>,
}

/// Counts of one table between two readings.
#[derive(Clone, Debug, PartialEq)]
pub struct TableDelta {
    /// The table, as it was at the second.
    pub table: Table,
    /// Counts between the readings.
    pub counted: TableCounts,
}

/// Subtracts the reading `before` from the reading `after`, table by table. A table that was reset in between is left out;
/// a new one counts whole.
pub fn tables_between(before: &Tables, after: &Tables) -> Vec<TableDelta> {
    if before.database != after.database || before.reset_us != after.reset_us {
        return Vec::new();
    }
    let delta = |(number, table): (&u32, &Table)| {
        let earlier = before.tables.get(number).map(|table| table.counts).unwrap_or_default();
        match table.counts.since(earlier) {
            Delta::Advanced(counted) if !counted.is_zero() => Some(TableDelta { table: table.clone(), counted }),
            _ => None,
        }
    };
    after.tables.iter().filter_map(delta).collect()
}
