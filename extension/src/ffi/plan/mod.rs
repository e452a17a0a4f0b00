//! Plans of users' statements, read from PostgreSQL's own trees and never from a text.
//!
//! - [`explain`]: one statement parsed, rewritten and planned, with hypothetical indexes where there are any.
//! - [`literals`], [`code_owners`]: refuse a statement that would run code with rights that its owner does not have.
//! - [`tree`], [`clauses`], [`expressions`]: the plan as the pure crates take it.
//! - [`predicate`]: a test of a column as text, written by PostgreSQL.
//! - [`index_statement`]: an index definition is parsed before it is used or shown.
//! - [`index_command`]: the same of a command that came from another server.

mod clauses;
mod code_owners;
mod explain;
mod expressions;
mod index_command;
mod index_statement;
mod literals;
mod nodes;
mod output_settings;
mod predicate;
mod tree;

pub use explain::{Explained, explain};
pub use index_command::{IndexCommand, parse_index_command};
pub use index_statement::check_index;
