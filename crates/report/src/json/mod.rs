//! The report as one JSON document, for programs (`docs/schema/report.json`).

mod candidate;
mod document;
mod role;

pub use document::render;
