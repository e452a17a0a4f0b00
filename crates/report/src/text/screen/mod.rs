//! The first screen: what to order, what to expect of it, why, how sure, beside what; one block a file.

mod calls;
mod detail;
mod heading;
mod layout;
mod options;
mod recommendation;
mod render;
mod table;
mod workload;

#[cfg(test)]
pub(super) mod scenario;

pub use render::render;
