//! The report as one page: HTML with plots in SVG, which opens no connection, runs no script, and can be printed. Texts of others
//! (labels, notes, names of devices) are escaped by maud.

mod figures;
mod head;
mod page;
mod plot;
mod render;
mod sections;
mod table;
mod theme;

pub use head::head;
pub use page::{Comparison, Page};
pub use render::{has_policy, render};
