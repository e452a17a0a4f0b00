//! Findings to fix before a volume is bought, and index advice.
//!
//! Causes of I/O in the database itself.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod findings;
pub mod indexes;
