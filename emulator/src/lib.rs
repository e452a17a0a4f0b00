//! ebs-emulator: a block device that behaves as an EBS volume would, as far as its limits, credits and latency go.
//!
//! A library for the program of this name and for fuzzing alone: what is public is [`command`], and what reads bytes of others.

#![forbid(unsafe_code)]

pub mod asked;
mod block_layer;
pub mod command;
mod daemon;
mod error;
mod file_system;
pub mod fuse;
mod loop_device;
mod overhead;
mod place;
mod probe;
mod program;
pub mod protocol;
mod report;
pub mod resolve;
mod start;
mod stop;
mod volume;
