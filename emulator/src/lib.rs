//! ebs-emulator: a block device that behaves as an EBS volume would, as far as its limits, credits and latency go.
//!
//! A library for the program of this name and for fuzzing: public are [`cli`], and the modules that parse input of others.

#![forbid(unsafe_code)]

pub mod cli;
pub mod control;
mod daemon;
mod error;
pub mod fuse;
mod host;
mod probe;
mod report;
pub mod resolve;
mod runtime_directory;
pub mod spec;
mod start;
mod stop;
mod volume;
