//! JSON Schemas of documents: `docs/schema`, held to the types that write the documents, and documents held to them.
//!
//! For tests alone: a crate names it under `[dev-dependencies]`. Knows nothing of ours. Documents are checked here and not by the
//! crate `jsonschema`, which brings seventy others for keywords that no schema of ours has.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod check;
mod published;

pub use check::problems;
pub use published::{assert_published, assert_unchanged};
