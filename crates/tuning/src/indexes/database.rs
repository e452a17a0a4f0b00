//! A database whose planner is asked about its statements. No statement is executed, and no index created.

use std::collections::BTreeSet;

use super::candidate::Candidate;
use super::choose::NoPrice;
use super::plan::Plan;
use super::table::Table;
use super::writes::Memory;
use ebs_workload::statements::StatementDemand;

/// A statement with its text.
pub struct Statement {
    /// Its counters, and its share of the demand.
    pub demand: StatementDemand,
    /// Its text.
    pub text: String,
    /// Reason that it is not planned, which its text gives.
    pub not_plannable: Option<String>,
}

/// A text to be planned.
pub struct Query<'a> {
    /// One statement.
    pub text: &'a str,
    /// The role that executed it.
    pub role: u32,
    /// Rows to take a parameter of its LIMIT for.
    pub limit: Option<f64>,
}

/// Most plans unless another number is asked for: one takes a millisecond or so.
pub const DEFAULT_MAX_PLANS: usize = 2_000;

/// Nodes of a plan that count as one more plan.
pub const NODES_A_PLAN: usize = 100;

/// A query that was planned.
pub struct Explained {
    /// Its plan.
    pub plan: Plan,
    /// True if its LIMIT was taken to be the rows that were given.
    pub limited: bool,
    /// Plans that it counts as beside itself: what is bounded is the planner's work.
    pub further_plans: usize,
}

/// Facts of a server.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ServerFacts {
    /// Its memory and checkpoints.
    pub memory: Memory,
    /// Seconds over which the use of indexes and changes of tables have been counted; `None` if that is not known.
    pub statistics_s: Option<f64>,
}

/// A database, its planner, and its hypothetical indexes.
pub trait Database {
    /// An error that ends the advice.
    type Error;

    /// Plans a query with the present indexes and the hypothetical ones. With `raised`, both costs of a page
    /// ([`PAGE_COSTS`](super::pages::PAGE_COSTS)) are greater by [`COST_STEP`](super::pages::COST_STEP).
    fn plan(&mut self, query: &Query, raised: bool) -> Result<Explained, NoPrice>;

    /// Makes these the hypothetical indexes, in place of those before, and returns their numbers in the catalogue, in the same order. An
    /// error is the message of the one that was refused; which of the others are there is then open until the next call.
    fn replace_indexes(&mut self, indexes: &[&Candidate]) -> Result<Vec<u32>, String>;

    /// Bytes that an index would have; an error is the message of the server that refused it.
    fn index_size(&mut self, candidate: &Candidate) -> Result<i64, String>;

    /// Reads these tables, each given as schema and name, or, without names, all with an index that no constraint needs; none of
    /// PostgreSQL's own and of this extension.
    fn read_tables(&mut self, names: Option<&BTreeSet<(String, String)>>) -> Result<Vec<Table>, Self::Error>;

    /// Checks that a command creates exactly one index on columns of the table with this number; an error is the reason to withdraw it.
    fn check_command(&self, command: &str, table_oid: u32) -> Result<(), String>;
}

/// Query of the facts of tables, a JSON array that [`Table::parse`] reads, in one text. `$1` is NULL for all tables with an index that no
/// constraint needs, or a JSON array of arrays of schema and name.
pub const TABLES_QUERY: &str = include_str!("tables.sql");
