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

/// Most tables that are read, those with most updates: a schema of a hundred thousand would make a run's row huge.
const MAX_TABLES: u32 = 2_000;

/// Returns the query of the tables of a database: number, name, fillfactor, indexes, pages, then the counters in the order of
/// [`TableCounts`]. Pages are the catalogue's: sizes of files would take a lock on each. Only PostgreSQL 16 and later count updates to
/// new pages, which are 0 otherwise.
pub fn tables_query(counts_new_pages: bool) -> String {
    let new_pages = if counts_new_pages { "s.n_tup_newpage_upd" } else { "0" };
    format!(
        "SELECT s.relid::bigint AS number, pg_catalog.format('%I.%I', s.schemaname, s.relname) AS name,
                coalesce((SELECT o.option_value::integer FROM pg_catalog.pg_options_to_table(c.reloptions) o
                          WHERE o.option_name = 'fillfactor'), 100) AS fillfactor,
                (SELECT count(*) FROM pg_catalog.pg_index i WHERE i.indrelid = c.oid) AS indexes,
                greatest(c.relpages, 0)::bigint AS pages,
                s.n_tup_ins AS inserted, s.n_tup_upd AS updated, s.n_tup_hot_upd AS hot_updated,
                {new_pages}::bigint AS newpage_updated, s.n_tup_del AS deleted, s.vacuum_count + s.autovacuum_count AS vacuums
         FROM pg_catalog.pg_stat_user_tables s JOIN pg_catalog.pg_class c ON c.oid = s.relid
         WHERE s.n_tup_ins + s.n_tup_upd + s.n_tup_del > 0
         ORDER BY s.n_tup_upd DESC, s.relid LIMIT {MAX_TABLES}"
    )
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
