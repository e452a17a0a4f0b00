//! An index that could be created.

use super::table::Table;

/// Key column of an index.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The column.
    pub column: String,
    /// True if it is kept in descending order.
    pub descending: bool,
    /// Position of NULLs, if it is not the default.
    pub nulls_first: Option<bool>,
}

impl Key {
    /// Key in ascending order, as by default.
    pub fn ascending(column: &str) -> Key {
        Key { column: column.to_owned(), descending: false, nulls_first: None }
    }

    fn to_sql(&self, table: &Table) -> Option<String> {
        let nulls = match self.nulls_first {
            Some(true) => " NULLS FIRST",
            Some(false) => " NULLS LAST",
            None => "",
        };
        let column = &table.column(&self.column)?.quoted;
        Some(format!("{column}{}{nulls}", if self.descending { " DESC" } else { "" }))
    }
}

/// A b-tree that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Candidate {
    /// Schema of its table.
    pub schema: String,
    /// Its table.
    pub table: String,
    /// Number of its table in the catalogue.
    pub table_oid: u32,
    /// Its keys.
    pub keys: Vec<Key>,
    /// Included columns.
    pub include: Vec<String>,
    /// Its predicate, as PostgreSQL writes it.
    pub predicate: Option<String>,
    /// Columns in the predicate.
    pub predicate_columns: Vec<String>,
    /// Text after CREATE INDEX: made of names that the server quoted; empty where the table has no such column.
    definition: String,
}

impl Candidate {
    /// An index on these keys of a table, still without a definition.
    pub fn on(table: &Table, keys: Vec<Key>) -> Candidate {
        Candidate {
            schema: table.schema.clone(),
            table: table.name.clone(),
            table_oid: table.oid,
            keys,
            include: Vec::new(),
            predicate: None,
            predicate_columns: Vec::new(),
            definition: String::new(),
        }
    }

    /// Adds the definition; `None` if it names a column that the table does not have.
    pub fn defined(self, table: &Table) -> Option<Candidate> {
        let keys: Option<Vec<String>> = self.keys.iter().map(|key| key.to_sql(table)).collect();
        let quoted = |column: &String| table.column(column).map(|facts| facts.quoted.as_str());
        let include: Option<Vec<&str>> = self.include.iter().map(quoted).collect();
        let mut definition = format!("ON {} ({})", table.qualified, keys?.join(", "));
        if let Some(include) = include.filter(|include| !include.is_empty()) {
            definition.push_str(&format!(" INCLUDE ({})", include.join(", ")));
        }
        if let Some(predicate) = &self.predicate {
            definition.push_str(&format!(" WHERE {predicate}"));
        }
        Some(Candidate { definition, ..self })
    }

    /// The command that creates it, without blocking writes to the table.
    pub fn command(&self) -> String {
        format!("CREATE INDEX CONCURRENTLY {}", self.definition)
    }

    /// The command for hypopg.
    pub fn hypothetical(&self) -> String {
        format!("CREATE INDEX {}", self.definition)
    }

    /// `orders (customer_id, status)`.
    pub fn short(&self) -> &str {
        self.definition.strip_prefix("ON ").unwrap_or(&self.definition)
    }

    /// Columns whose update changes the index.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        let keys = self.keys.iter().map(|key| &key.column);
        keys.chain(&self.include).chain(&self.predicate_columns).map(String::as_str)
    }
}
