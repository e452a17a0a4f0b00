//! Every sentence about a reason: the other crates give reasons as values with their figures.

pub mod card;
pub mod findings;
pub mod indexes;
