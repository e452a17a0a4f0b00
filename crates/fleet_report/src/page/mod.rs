//! The answer for a fleet as one page without network: HTML with its data, style and script. Nothing of it is fetched, and no text of
//! a row is markup.

mod plain;
mod render;
mod script;
mod summary;
mod sums;

pub use render::{PageOptions, render_page};
