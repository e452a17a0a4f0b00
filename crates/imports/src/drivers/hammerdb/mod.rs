//! HammerDB: the output of a run, and that of the command `jobs`.

mod jobs;
mod output;

pub use jobs::jobs;
pub(in crate::drivers) use output::Hammerdb;
