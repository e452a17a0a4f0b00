//! A plan, as far as advice on indexes reads it: a list of nodes, so that no depth of a plan is a depth of the stack.

use std::collections::BTreeSet;

use super::condition::{Clause, Column, SortKey};

/// A plan.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// Its nodes, each behind the one above it; those of subqueries that are planned apart come last.
    pub nodes: Vec<Node>,
}

/// Role of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Reads a table, by itself or by an index.
    Scan,
    /// Changes rows of a table.
    Modify(Operation),
    /// Sorts, joins by hashing, or aggregates by hashing: may write temporary files.
    Spills,
    /// Anything else.
    #[default]
    Other,
}

/// Change that a node makes to rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Inserts rows.
    Insert,
    /// Updates rows.
    Update,
    /// Deletes rows.
    Delete,
    /// Does any of these (MERGE).
    Merge,
}

/// A table in a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Relation {
    /// Its number in the plan's range table.
    pub number: u32,
    /// Its schema, not quoted.
    pub schema: String,
    /// Its name, not quoted.
    pub name: String,
}

/// Columns that a node names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Columns {
    /// Columns by their name.
    pub named: BTreeSet<Column>,
    /// Relations of which it needs a whole row, or a system column such as ctid, which no index has; by their numbers.
    pub whole_rows: BTreeSet<u32>,
}

/// A node of a plan.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// Position of the node above it, of a subquery that is planned apart the node that runs it; `None` at the top of the statement.
    pub parent: Option<usize>,
    /// Its role.
    pub kind: Kind,
    /// PostgreSQL's number of its type: tells plans of different shape apart.
    pub tag: u32,
    /// The table that it reads or changes.
    pub relation: Option<Relation>,
    /// The index that it reads, by its number in the catalogue, or hypopg's.
    pub index: Option<u32>,
    /// Planner's cost of it and all below it.
    pub total_cost: f64,
    /// Its conditions.
    pub clauses: Vec<Clause>,
    /// Keys that it sorts by; `None` in place of what is no column.
    pub sort_key: Vec<Option<SortKey>>,
    /// Columns of which it computes the least or greatest value.
    pub extremes: Vec<SortKey>,
    /// Columns that it hands on.
    pub output: Columns,
    /// Columns that its conditions and keys name.
    pub tested: Columns,
    /// Columns that an UPDATE sets; `None` if that is not known, or of another node.
    pub columns_set: Option<Vec<String>>,
}

impl Plan {
    /// Planner's cost of one execution.
    pub fn total_cost(&self) -> f64 {
        self.nodes.first().map_or(0.0, |top| top.total_cost)
    }

    /// True if the other plan does the same in the same order.
    pub fn same_shape(&self, other: &Plan) -> bool {
        let alike = |(one, two): (&Node, &Node)| {
            one.tag == two.tag
                && one.kind == two.kind
                && one.parent == two.parent
                && one.relation == two.relation
                && one.index == two.index
        };
        self.nodes.len() == other.nodes.len() && self.nodes.iter().zip(&other.nodes).all(alike)
    }

    /// Numbers of the indexes that it reads.
    pub fn indexes(&self) -> impl Iterator<Item = u32> {
        self.nodes.iter().filter_map(|node| node.index)
    }

    /// Its nodes that read a table.
    pub fn scans(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter().filter(|node| node.kind == Kind::Scan)
    }
}
