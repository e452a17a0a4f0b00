//! Plans of users' statements, read from PostgreSQL's own trees and never from a text.
//!
//! - [`explain`]: one statement parsed, rewritten and planned, with hypothetical indexes where there are any.
//! - [`barrier`], [`rules`], [`hooks`], [`cached_calls`], [`operators`], [`statistics`]: refuse calls of functions whose owner could gain rights by them, and all execution.
//! - [`computed_constants`]: leaves out of a statement what planning would compute without bound.
//! - [`rights`]: refuses a plan of tables that the role that asks may not read.
//! - [`tree`], [`clauses`], [`expressions`]: the plan as the pure crates take it.
//! - [`nodes`], [`catalog`]: PostgreSQL's trees and its catalogue, for safe code to read.
//! - [`predicate`]: a test of a column as text, written by PostgreSQL.
//! - [`index_statement`]: an index definition is parsed before it is used or shown.
//! - [`index_command`]: the same of a command that came from another server.

mod barrier;
mod cached_calls;
mod catalog;
mod clauses;
mod computed_constants;
mod explain;
mod expressions;
mod hooks;
mod index_command;
mod index_statement;
mod nodes;
mod operators;
mod output_settings;
mod predicate;
mod rights;
mod rules;
mod statistics;
mod tree;

pub use barrier::Barrier;
pub use explain::{Explained, explain};
pub use index_command::{IndexCommand, parse_index_command};
pub use index_statement::check_index;
pub use rights::NotPlanned;
pub use rules::Permitted;
