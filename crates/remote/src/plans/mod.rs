//! Plans that a server writes as JSON, as advice on indexes takes them.
//!
//! In the extension a plan is read from PostgreSQL's own tree. Over a connection there is `EXPLAIN (GENERIC_PLAN, VERBOSE, FORMAT
//! JSON)`, whose expressions ruleutils.c writes out of that tree: each column with its table's alias, each operator in parentheses. So
//! its conditions are taken apart by tokens and parentheses, without a grammar, and what is not known there is a test that no b-tree
//! serves.
//!
//! - [`document`]: nodes of the document, each parsed by itself.
//! - `tokens`, `references`: an expression, and the names in it.
//! - `scope`, `rows`, `column`: columns behind the names, through subqueries and common table expressions.
//! - `clauses`, `node`: conditions, keys and outputs of a node, with the meaning that they have in the extension.
//! - [`row_search`]: the search for the rows that a statement changes.
//! - [`statement`]: parts of a statement's text that its plan does not show.
//!
//! Differences from a plan that the extension reads, because EXPLAIN does not write it: a comparison with a constant of a view is no
//! predicate of a partial index; a column that is cast to text is taken for itself, also where the cast computes another value; a column
//! that the statement renames (`orders AS o (a, b)`) has that name.

mod clauses;
mod column;
pub mod document;
mod error;
mod names;
mod node;
mod references;
pub mod row_search;
mod rows;
mod scope;
pub mod statement;
mod tokens;

use ebs_tuning::indexes::Plan;

pub use error::PlanError;
pub use node::MAX_TOKENS;
pub use tokens::MAX_TEXT;

use document::{Document, bottom_up};
use names::Names;
use node::NodeReader;

/// Reads plans of one server. Numbers of types of nodes and of real indexes are its own, the same for each plan that it reads, so that
/// [`Plan::same_shape`] and [`Plan::indexes`] compare plans.
#[derive(Debug, Default)]
pub struct PlanReader {
    names: Names,
}

impl PlanReader {
    /// A reader for a server of which no plan was read.
    pub fn new() -> PlanReader {
        PlanReader::default()
    }

    /// Reads the document of one statement. Refuses what is no plan, was made without VERBOSE, or exceeds a bound.
    pub fn read(&mut self, document: &str) -> Result<Plan, PlanError> {
        let document = Document::read(document)?;
        let entries = document.entries()?;
        let mut reader = NodeReader::new(&entries);
        let mut nodes = Vec::new();
        nodes.resize_with(entries.len(), Default::default);
        for position in bottom_up(&entries) {
            nodes[position] = reader.read(position)?;
        }
        // Subqueries that are planned apart come last.
        let mut order: Vec<usize> = (0..entries.len()).collect();
        order.sort_by_key(|&position| (entries[position].root, position));
        let mut places = vec![0; order.len()];
        for (place, &position) in order.iter().enumerate() {
            places[position] = place;
        }
        let mut plan = Plan { nodes: Vec::with_capacity(order.len()) };
        for position in order {
            let entry = &entries[position];
            let mut node = std::mem::take(&mut nodes[position]);
            node.parent = entry.parent.map(|parent| places[parent]);
            node.tag = self.names.tag(&entry.fields);
            node.index = self.names.index(&entry.fields);
            plan.nodes.push(node);
        }
        Ok(plan)
    }
}

#[cfg(test)]
#[path = "plans_tests.rs"]
mod tests;
