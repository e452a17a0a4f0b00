//! The report as one JSON document, for programs (`docs/schema/report.json`). Types and their fields are those of the schema.

mod candidate;
mod current_volume;
mod demand;
mod document;
mod evidence;
mod load;
mod procedure;
mod recommendation;
mod request;
mod role;
mod smaller_storage;

pub use document::render;
