//! Questions to PostgreSQL's planner: statements from pg_stat_statements, facts of tables, plans with hypothetical indexes.
//!
//! Everything here runs with the rights of the calling role, and no statement is executed: planning itself happens behind a barrier
//! (`ffi/plan/barrier.rs`).

mod hypothetical;
mod imported_commands;
mod index_advice;
mod planning;
mod rights;
mod search_path;
mod session;
mod statements;
mod tables;

pub use hypothetical::can_try_indexes;
pub use imported_commands::check_imported_commands;
pub use index_advice::{PlanningLimits, advise_indexes, recommended_indexes};
pub use search_path::{check_search_path, default_search_path};
pub use statements::plannable_statements;
