//! Every sentence about a reason: the other crates give reasons as values with their figures.

mod candidate;
pub mod card;
pub mod comparison;
mod decision;
mod evidence;
pub mod findings;
pub mod indexes;
mod migration;
mod saturation;
mod size;
mod variation;
mod whatif;

pub use candidate::candidate_reason;
pub(crate) use decision::{step_answer, step_question};
pub use evidence::{insufficient_data, insufficient_evidence};
pub(crate) use migration::migration_rule;
pub(crate) use saturation::saturated_limit;
pub(crate) use size::size_remark;
pub(crate) use variation::{argument, argument_meaning};
pub use whatif::{latency_basis, whatif_note};
