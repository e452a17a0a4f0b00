//! Text, JSON, HTML and terminal output: every sentence that users read about an answer is worded here. Knows all other crates but
//! those of imports and of Linux.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod chart;
pub mod page;
pub mod reasons;
pub mod report;
