//! Advice on indexes: which would spare reads, which cost writes for nothing.
//!
//! - [`plan`], [`condition`], [`usage`]: what a plan asks of each table.
//! - [`table`], [`statement`]: facts of the catalogue; statements and what they were measured to read.
//! - [`derive`](mod@derive), [`candidate`]: indexes that might serve.
//! - [`pages`](mod@pages): pages that a plan fetches, out of the planner's own costs.
//! - [`writes`]: what an index costs.
//! - [`choose`](mod@choose), [`scene`], [`finding`], [`verdict`]: the best set, and what is said of it.
//! - [`existing`], [`to_drop`](mod@to_drop): indexes that are there and serve nothing.
//! - [`device`]: an advised index as a finding of the report.
//! - [`less`](mod@less): the demand that is left.
//!
//! Nobody here asks the planner: whoever calls implements [`Planner`]. What it means: docs/index-advice.md.

pub mod candidate;
pub mod choose;
pub mod condition;
pub mod derive;
pub mod device;
pub mod existing;
pub mod finding;
pub mod less;
pub mod pages;
pub mod plan;
pub mod scene;
pub mod statement;
pub mod table;
pub mod to_drop;
pub mod usage;
pub mod verdict;
pub mod writes;

pub use candidate::Candidate;
pub use choose::{Asked, Chosen, NoPrice, Offer, Planner, Price, choose};
pub use finding::{Finding, Kind};
pub use less::{less, read_pages_s};
pub use plan::{Node, Plan};
pub use scene::{Part, Planned, Scene, Sized, offers};
pub use table::Table;
pub use to_drop::to_drop;
pub use verdict::Advice;
pub use writes::{Cost, Memory};

#[cfg(test)]
#[path = "indexes_tests.rs"]
mod tests;
