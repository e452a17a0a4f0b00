//! JSON Schemas of documents: compares `docs/schema` with the types that write the documents, and documents with the schemas.
//!
//! Used by tests alone: a crate names it under `[dev-dependencies]`. Knows no other crate of ours. Documents are checked here
//! and not by the crate `jsonschema`, which brings seventy others for keywords that no schema of ours has.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod check;
mod published;

pub use check::problems;
pub use published::{assert_published, assert_unchanged};
