//! Programs for developers of this project, which the scripts call: checks of the sources, and the statistics of benchmarks.
//!
//! The modules here are pure: they work on texts that they are given. Files and processes are read by the programs in `bin/`.

#![forbid(unsafe_code)]

pub mod comments;
pub mod cycles;
pub mod program_source;
pub mod statistics;
pub mod targets;
