//! The report as text: one section a file. The sentences are those of `reasons`.

mod commands;
mod confidence;
mod decision;
mod demand;
mod findings;
pub(crate) mod layout;
mod limitations;
mod procedure;
mod render;
mod screen;
pub(crate) mod shell;
mod show;
pub(crate) mod smaller_storage;
mod volumes;

pub use render::render;
pub use show::Show;

#[cfg(test)]
mod idle_tests;
