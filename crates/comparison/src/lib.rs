//! Comparison of runs, report cards, runs as JSON documents.
//!
//! Differences between runs and how sure they are.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod card;
pub mod compare;
pub mod export;
