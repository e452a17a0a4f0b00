//! Causes of I/O in the database itself, to fix before a volume is bought: findings and index advice. Knows the workload; reasons
//! are values, which `ebs_report` words.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod findings;
pub mod indexes;
