//! Facts of a table, from the catalogue and the statistics, on which index advice is based.

use serde::Deserialize;

/// A column.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct ColumnFacts {
    /// Its name.
    pub name: String,
    /// Its name as the server quotes it.
    pub quoted: String,
    /// True if its type can be in a b-tree.
    pub ordered: bool,
    /// Its type's bytes where that has one length, or the average that ANALYZE found; `None` if neither is known.
    pub width: Option<f64>,
    /// Distinct values, by ANALYZE; `None` if it was not run or the reader may not see them.
    pub distinct: Option<f64>,
    /// Correlation of its order with that of the rows, -1 to 1.
    pub correlation: Option<f64>,
}

/// An existing index.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct ExistingIndex {
    /// Its name.
    pub name: String,
    /// Its name as the server quotes it.
    pub quoted: String,
    /// Schema and name, as the server quotes them.
    pub qualified: String,
    /// Its access method.
    pub method: String,
    /// True if it is unique.
    pub unique: bool,
    /// True if a constraint, a replica identity or a cluster order requires it.
    pub needed: bool,
    /// True if queries can use it.
    pub valid: bool,
    /// Key columns with operator class, collation and order; expressions as written.
    pub keys: Vec<String>,
    /// Key columns by name alone; `None` for an expression.
    pub key_columns: Vec<Option<String>>,
    /// Included columns.
    pub include: Vec<String>,
    /// Its predicate; `None` of an index on all rows.
    pub predicate: Option<String>,
    /// Bytes.
    pub size_bytes: Option<i64>,
    /// Scans since statistics began.
    pub scans: Option<i64>,
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Table {
    /// Its schema.
    pub schema: String,
    /// Its name.
    pub name: String,
    /// Schema and name, as the server quotes them.
    pub qualified: String,
    /// Its number in the catalogue.
    pub oid: u32,
    /// Pages of it.
    pub pages: f64,
    /// Rows of it, as last counted.
    pub rows: f64,
    /// Rows inserted since statistics began.
    pub inserted: f64,
    /// Rows updated since then.
    pub updated: f64,
    /// Those of them that needed no new entry in any index.
    pub hot_updated: f64,
    /// Its columns.
    pub columns: Vec<ColumnFacts>,
    /// Its indexes.
    pub indexes: Vec<ExistingIndex>,
    /// Foreign keys of other tables that refer to it.
    pub referenced_by: Vec<ForeignKey>,
}

/// A foreign key: a deletion of a row that it references queries for rows that reference it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct ForeignKey {
    /// Its name.
    pub name: String,
    /// The query for rows that reference a deleted one (ri_triggers.c), without its row lock; written by the server.
    pub look_up: String,
}

impl ExistingIndex {
    /// True if the index contains this column, as a key or included.
    pub fn stores(&self, column: &str) -> bool {
        self.include.iter().any(|included| included == column) || self.key_names().any(|key| key == column)
    }

    /// Names of its key columns, without expressions.
    pub fn key_names(&self) -> impl Iterator<Item = &String> {
        self.key_columns.iter().flatten()
    }
}

impl Table {
    /// Parses the tables in a JSON array.
    pub fn parse(document: &str) -> Result<Vec<Table>, String> {
        serde_json::from_str(document).map_err(|error| format!("the catalogue's answer is not read: {error}"))
    }

    /// The column of this name.
    pub fn column(&self, name: &str) -> Option<&ColumnFacts> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Distinct values of a column; `None` if not known.
    pub fn distinct(&self, name: &str) -> Option<f64> {
        let distinct = self.column(name)?.distinct?;
        // pg_stats: negative is a share of the rows.
        Some(if distinct < 0.0 { -distinct * self.rows.max(1.0) } else { distinct })
    }

    /// Share of updates that needed no new entry in any index; 0 where none was seen.
    pub fn hot_share(&self) -> f64 {
        if self.updated > 0.0 { (self.hot_updated / self.updated).clamp(0.0, 1.0) } else { 0.0 }
    }
}
