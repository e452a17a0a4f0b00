//! Requirement, replay through a volume's limits, search, evaluation, recommendation, migration commands.
//!
//! From demand to ranked volumes.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod advice;
pub mod need;
pub mod replay;
pub mod search;
