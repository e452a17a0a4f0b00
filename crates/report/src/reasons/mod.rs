//! Every sentence about a reason: the other crates give reasons as values with their figures. A file for each kind of value, whose
//! functions `describe…` it: `candidate::describe_reason`.

pub mod candidate;
pub mod card;
pub mod comparison;
pub mod decision;
pub mod evidence;
pub mod findings;
pub mod indexes;
pub mod migration;
pub mod saturation;
pub mod size_need;
pub mod variation;
pub mod whatif;
