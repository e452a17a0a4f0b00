//! The report as one page: HTML with plots in SVG, which opens no connection, runs no script, and can be printed. Texts of others
//! (labels, notes, names of devices) are escaped by maud.

mod figures;
pub mod kit;
mod page;
mod plot;
mod render;
mod sections;

pub use kit::has_policy;
pub use page::{Comparison, Page};
pub use render::render;
