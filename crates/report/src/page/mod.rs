//! The report as one page: HTML with plots in SVG, which opens no connection, runs no script, and can be printed. Everything
//! that was said by others (labels, notes, names of devices) is escaped by maud.

mod content;
mod figures;
mod html;
mod plot;
mod sections;
mod table;
mod theme;

pub use content::{Comparison, Page};
pub use html::render_page;
