//! Statements as they are stored: names of columns once, then a row of numbers a statement.

use std::collections::BTreeMap;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::counts::{NAMES, StatementCounts, StatementKey};
use super::entry::Entry;
use ebs_base::counter::Counters;

/// Columns before the counters.
const KEYS: [&str; 5] = ["user_id", "database_id", "query_id", "top_level", "since_us"];

/// Maximum number of statements in a reading: pg_stat_statements.max is 5,000 unless set, and two readings of more exceed what a document
/// of runs holds.
const MAX_STATEMENTS: usize = 200_000;

/// Maximum number of columns in a reading: this version writes about 30, and names are looked up in all of them.
const MAX_COLUMNS: usize = 200;

/// A table: rows of numbers below the names of their columns.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Rows {
    /// Names of the columns: user_id, database_id, query_id, top_level (0 or 1), since_us, and counters of pg_stat_statements, times in
    /// microseconds.
    columns: Vec<String>,
    /// A row for each statement, with a number for each column; null is not known.
    rows: Vec<Vec<Option<i64>>>,
}

impl Rows {
    /// Serializes a reading's statements, for serde's `with`.
    pub(super) fn serialize<S: Serializer>(
        entries: &BTreeMap<StatementKey, Entry>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let signed = |count: u64| Some(i64::try_from(count).unwrap_or(i64::MAX));
        let row = |(key, entry): (&StatementKey, &Entry)| {
            let head = [
                Some(key.user_id.into()),
                Some(key.database_id.into()),
                Some(key.query_id),
                Some(key.top_level.into()),
                entry.since_us,
            ];
            head.into_iter().chain(entry.counts.fields().into_iter().map(signed)).collect()
        };
        let columns = KEYS.iter().chain(&NAMES).map(|name| (*name).to_owned()).collect();
        // Twice by its name: the trait's method, not this one.
        Serialize::serialize(&Rows { columns, rows: entries.iter().map(row).collect() }, serializer)
    }

    /// Deserializes a reading's statements, for serde's `with`.
    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<StatementKey, Entry>, D::Error> {
        let stored = <Rows as Deserialize>::deserialize(deserializer)?;
        stored.entries().map_err(D::Error::custom)
    }

    fn entries(self) -> Result<BTreeMap<StatementKey, Entry>, String> {
        if self.rows.len() > MAX_STATEMENTS {
            return Err(format!("more than {MAX_STATEMENTS} statements"));
        }
        if self.columns.len() > MAX_COLUMNS {
            return Err(format!("statements have more than {MAX_COLUMNS} columns"));
        }
        let position = |name: &str| {
            let found = self.columns.iter().position(|column| column == name);
            found.ok_or_else(|| format!("statements have no column \"{name}\""))
        };
        let keys = KEYS.iter().map(|name| position(name)).collect::<Result<Vec<_>, _>>()?;
        let counts = NAMES.iter().map(|name| position(name)).collect::<Result<Vec<_>, _>>()?;
        self.rows.iter().map(|row| entry(row, &keys, &counts)).collect()
    }
}

fn entry(row: &[Option<i64>], keys: &[usize], counts: &[usize]) -> Result<(StatementKey, Entry), String> {
    let cell = |place: &usize| row.get(*place).copied().flatten();
    let number = |value: Option<i64>| value.and_then(|value| u32::try_from(value).ok());
    let key = || {
        let [user_id, database_id, query_id, top_level, _] = keys else { return None };
        Some(StatementKey {
            user_id: number(cell(user_id))?,
            database_id: number(cell(database_id))?,
            query_id: cell(query_id)?,
            top_level: cell(top_level)? != 0,
        })
    };
    let counted = || {
        let fields = counts.iter().map(|place| u64::try_from(cell(place)?).ok()).collect::<Option<Vec<_>>>()?;
        StatementCounts::from_fields(&fields)
    };
    let since_us = keys.last().and_then(cell);
    let found = key().zip(counted()).map(|(key, counts)| (key, Entry { since_us, counts }));
    found.ok_or_else(|| "a statement's row lacks a number, or has one out of range".to_owned())
}
