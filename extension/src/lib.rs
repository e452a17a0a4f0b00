//! ebs_advisor: which EBS volume should this PostgreSQL run on, and how do you know?
//!
//! The shell around `crates/`. `sampler` samples, `probes` reads the world, `storage` keeps evidence in tables,
//! `functions` answers SQL. SQL objects are declared in `extension/sql/`, not generated: see ARCHITECTURE.md.

#![deny(unsafe_code)]

mod entry;
mod errors;
#[allow(unsafe_code)]
mod ffi;
mod functions;
mod interrupts;
mod memory;
mod planner;
mod probes;
mod sampler;
mod settings;
mod storage;
