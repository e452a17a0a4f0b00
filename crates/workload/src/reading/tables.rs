//! Tables, as counted: updates, and which of them stayed on their page.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use ebs_base::counter::{Counters, Delta, counters};

counters! {
    /// A row of pg_stat_all_tables.
    TableCounts {
        /// Rows inserted.
        inserted,
        /// Rows updated.
        updated,
        /// Of them, heap-only: the new version on the same page, and no index touched.
        hot_updated,
        /// Of them, those whose new version went to another page because there was no room (PostgreSQL 16 on).
        newpage_updated,
        /// Rows deleted.
        deleted,
        /// Runs of VACUUM, by hand and automatic.
        vacuums,
    }
}

/// One table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// `schema.table`, quoted as SQL wants it.
    pub name: String,
    /// Its fillfactor, per cent; 100 unless set.
    pub fillfactor: u8,
    /// Its indexes.
    pub indexes: u32,
    /// Its size without indexes, bytes.
    pub bytes: u64,
    /// Cumulative counts.
    pub counts: TableCounts,
}

/// Tables of one database, by number.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tables {
    /// The database.
    pub database: String,
    /// Time of the last reset of the database's counters, microseconds since 1970.
    pub reset_us: Option<i64>,
    /// The tables in which anything was counted.
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
