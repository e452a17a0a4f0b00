//! ebs-emulator: a block device with the limits, burst credits and latency of an EBS volume.
//!
//! Library of the program of this name and of its fuzz targets: [`cli`] and the modules that parse input of others are public.

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
