//! The report of `ebs_advise`: text for people, one section a file, and the same as a document for programs.

pub(crate) mod bottleneck;
mod bursts;
pub(crate) mod candidate;
mod clock;
mod content;
mod decision;
mod declared_limit_check;
mod demand;
mod document;
pub(crate) mod findings;
pub(crate) mod heading;
pub(crate) mod io_sources;
pub(crate) mod layout;
pub(crate) mod limitations;
mod procedure;
pub(crate) mod sampling_cost;
pub(crate) mod saturation;
pub(crate) mod sessions;
mod text;
mod variations;
mod volumes;

pub use clock::Clock;
pub use content::Report;
pub use document::{SCHEMA_VERSION, document};
pub use text::render_text;
