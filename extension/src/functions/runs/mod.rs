//! Runs: begun, marked and ended, labelled and annotated, exported and imported as documents.

mod export;
mod labels;
mod lifecycle;
