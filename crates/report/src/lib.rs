//! Text, JSON, HTML and terminal output.
//!
//! All that users read is worded here.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod chart;
pub mod page;
pub mod reasons;
pub mod report;
