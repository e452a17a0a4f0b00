//! The report as text: one section a file.

pub(crate) mod bottleneck;
mod bursts;
pub(crate) mod candidate;
mod decision;
mod declared_limit_check;
mod demand;
pub(crate) mod findings;
pub(crate) mod heading;
pub(crate) mod io_sources;
pub(crate) mod layout;
pub(crate) mod limitations;
mod procedure;
mod render;
pub(crate) mod sampling_cost;
pub(crate) mod saturation;
pub(crate) mod sessions;
pub(crate) mod variations;
mod volumes;

pub use render::render_text;
