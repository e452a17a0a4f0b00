//! Index advice: indexes that would save reads, and those that only cost writes.
//!
//! - [`plan`], [`condition`], [`usage`]: conditions and orders of a plan on each table.
//! - [`table`], [`statement`]: facts of the catalogue; statements and their measured reads.
//! - [`derive`](mod@derive), [`candidate`]: indexes that might serve.
//! - [`pages`](mod@pages): pages that a plan fetches, out of the planner's own costs.
//! - [`writes`]: cost of an index.
//! - [`choose`](mod@choose), [`input`], [`recommendation`], [`finding`], [`reason`]: the best set, and the findings about it.
//! - [`database`], [`planning`], [`propose`](mod@propose): the database that is asked, the plans that it makes, and all of it together.
//! - [`existing`], [`to_drop`](mod@to_drop): existing indexes that serve nothing.
//! - [`command_text`]: characters of a command that came from elsewhere.
//! - [`residual_demand`](mod@residual_demand): the demand that remains.
//!
//! The module is independent of the way to the planner: the caller implements [`Database`]. docs/index-advice.md describes the method.

pub mod candidate;
pub mod choose;
pub mod command_text;
pub mod condition;
mod create_index;
pub mod database;
pub mod derive;
pub mod existing;
pub mod finding;
pub mod input;
pub mod pages;
pub mod plan;
pub mod planning;
pub mod propose;
pub mod reason;
pub mod recommendation;
pub mod residual_demand;
pub mod statement;
pub mod table;
pub mod to_drop;
pub mod usage;
pub mod writes;

pub use candidate::Candidate;
pub use choose::{NoPrice, Offer, Planner, Price, Selection, Target, choose};
pub use create_index::withdraw_other_commands;
pub use database::{DEFAULT_MAX_PLANS, Database, Explained, NODES_A_PLAN, Query, ServerFacts, Statement, TABLES_QUERY};
pub use finding::{Finding, Kind};
pub use input::{Input, Part, Planned, Sized, offers};
pub use plan::{Node, Plan};
pub use propose::{not_planned, propose};
pub use reason::{NoIndex, Reason, Search};
pub use recommendation::Recommendation;
pub use residual_demand::{read_pages_s, residual_demand};
pub use table::Table;
pub use to_drop::to_drop;
pub use writes::{Cost, Memory};

#[cfg(test)]
#[path = "indexes_tests.rs"]
mod tests;
