//! An index that could be made.

/// Key column of an index.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The column.
    pub column: String,
    /// Whether it is kept downwards.
    pub descending: bool,
    /// Where NULLs go, if it is not where they go by default.
    pub nulls_first: Option<bool>,
}

impl Key {
    /// Upwards, as by default.
    pub fn of(column: &str) -> Key {
        Key { column: column.to_owned(), descending: false, nulls_first: None }
    }

    fn written(&self) -> String {
        let nulls = match self.nulls_first {
            Some(true) => " NULLS FIRST",
            Some(false) => " NULLS LAST",
            None => "",
        };
        format!("{}{}{nulls}", quoted(&self.column), if self.descending { " DESC" } else { "" })
    }
}

/// A b-tree that is not there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Candidate {
    /// Schema of its table.
    pub schema: String,
    /// Its table.
    pub table: String,
    /// What it is sorted by.
    pub keys: Vec<Key>,
    /// What it merely holds.
    pub include: Vec<String>,
    /// What it is limited to, as SQL.
    pub predicate: Option<String>,
    /// The columns that are named there.
    pub predicate_columns: Vec<String>,
}

impl Candidate {
    /// An index on these keys of a table.
    pub fn on(schema: &str, table: &str, keys: Vec<Key>) -> Candidate {
        let (schema, table) = (schema.to_owned(), table.to_owned());
        Candidate { schema, table, keys, include: Vec::new(), predicate: None, predicate_columns: Vec::new() }
    }

    /// The command that makes it, without locking the table for writes.
    pub fn command(&self) -> String {
        format!("CREATE INDEX CONCURRENTLY {}", self.definition())
    }

    /// The same as hypopg takes it.
    pub fn hypothetical(&self) -> String {
        format!("CREATE INDEX {}", self.definition())
    }

    fn definition(&self) -> String {
        let keys: Vec<String> = self.keys.iter().map(Key::written).collect();
        let include: Vec<String> = self.include.iter().map(|column| quoted(column)).collect();
        let mut text = format!("ON {}.{} ({})", quoted(&self.schema), quoted(&self.table), keys.join(", "));
        if !include.is_empty() {
            text.push_str(&format!(" INCLUDE ({})", include.join(", ")));
        }
        if let Some(predicate) = &self.predicate {
            text.push_str(&format!(" WHERE {predicate}"));
        }
        text
    }

    /// `orders (customer_id, status)`.
    pub fn short(&self) -> String {
        let definition = self.definition();
        definition.strip_prefix("ON ").unwrap_or(&definition).to_owned()
    }

    /// Every column of which a change is a change of the index.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        let keys = self.keys.iter().map(|key| &key.column);
        keys.chain(&self.include).chain(&self.predicate_columns).map(String::as_str)
    }
}

/// A name as SQL takes it.
pub fn quoted(name: &str) -> String {
    let plain = name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        && RESERVED.binary_search(&name).is_err();
    if plain { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}

/// Words that name no column without quotes, in order (src/include/parser/kwlist.h of PostgreSQL 18: those that are not
/// unreserved).
#[rustfmt::skip]
const RESERVED: [&str; 164] = [
    "all", "analyse", "analyze", "and", "any", "array", "as", "asc", "asymmetric", "authorization", "between",
    "bigint", "binary", "bit", "boolean", "both", "case", "cast", "char", "character", "check", "coalesce", "collate",
    "collation", "column", "concurrently", "constraint", "create", "cross", "current_catalog", "current_date",
    "current_role", "current_schema", "current_time", "current_timestamp", "current_user", "dec", "decimal",
    "default", "deferrable", "desc", "distinct", "do", "else", "end", "except", "exists", "extract", "false", "fetch",
    "float", "for", "foreign", "freeze", "from", "full", "grant", "greatest", "group", "grouping", "having", "ilike",
    "in", "initially", "inner", "inout", "int", "integer", "intersect", "interval", "into", "is", "isnull", "join",
    "json", "json_array", "json_arrayagg", "json_exists", "json_object", "json_objectagg", "json_query",
    "json_scalar", "json_serialize", "json_table", "json_value", "lateral", "leading", "least", "left", "like",
    "limit", "localtime", "localtimestamp", "merge_action", "national", "natural", "nchar", "none", "normalize",
    "not", "notnull", "null", "nullif", "numeric", "offset", "on", "only", "or", "order", "out", "outer", "overlaps",
    "overlay", "placing", "position", "precision", "primary", "real", "references", "returning", "right", "row",
    "select", "session_user", "setof", "similar", "smallint", "some", "substring", "symmetric", "system_user",
    "table", "tablesample", "then", "time", "timestamp", "to", "trailing", "treat", "trim", "true", "union", "unique",
    "user", "using", "values", "varchar", "variadic", "verbose", "when", "where", "window", "with", "xmlattributes",
    "xmlconcat", "xmlelement", "xmlexists", "xmlforest", "xmlnamespaces", "xmlparse", "xmlpi", "xmlroot",
    "xmlserialize", "xmltable",
];
