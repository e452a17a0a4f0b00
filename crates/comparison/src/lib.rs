//! Differences between runs and how sure they are, report cards, and runs as JSON documents. Knows the workload and imports; notes
//! are values, which `ebs_report` words.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod card;
pub mod compare;
pub mod export;
