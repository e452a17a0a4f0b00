//! Runs: begun, marked and ended, labelled and annotated, kept as documents.

pub mod export;
pub mod labels;
pub mod lifecycle;
