//! Programs for developers of this project, called by the scripts: checks of the sources, and the statistics of benchmarks.
//!
//! The modules are pure: their input is text. The programs in `bin/` read files and run processes.

#![forbid(unsafe_code)]

pub mod comments;
pub mod cycles;
pub mod program_source;
pub mod sentences;
pub mod statistics;
pub mod targets;
