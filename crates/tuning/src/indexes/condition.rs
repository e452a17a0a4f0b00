//! Tests in a plan's conditions: columns and what they are compared with.

/// A column of a relation in a plan.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Column {
    /// Number of the relation in the plan's range table: a table that is read twice has two.
    pub relation: u32,
    /// Name in the catalogue, not quoted.
    pub name: String,
}

/// One of the tests that are joined by AND.
#[derive(Clone, Debug, PartialEq)]
pub enum Clause {
    /// Equality with a parameter or a computed value.
    Equal(Column),
    /// Equality with one of several values.
    OneOf(Column),
    /// A comparison by less or greater with a value.
    Range(Column),
    /// Equality of columns of two relations.
    Join(Column, Column),
    /// Comparison with a constant of the statement, of a view or of a policy, which can be the predicate of a partial index.
    Fixed {
        /// The column.
        column: Column,
        /// The test as PostgreSQL writes it out of its tree (pg_get_expr), in parentheses where it needs them.
        predicate: String,
        /// True if one value of the column passes it.
        equality: bool,
    },
    /// A test that no b-tree serves.
    Other {
        /// The relation that it tests, by its number; `None` if it tests none, or several.
        relation: Option<u32>,
        /// Its kind: `OR`, `operator ~~`.
        kind: String,
    },
}

/// A sort key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SortKey {
    /// The column.
    pub column: Column,
    /// True if the order is descending.
    pub descending: bool,
    /// Position of NULLs, if it is not the default.
    pub nulls_first: Option<bool>,
}
