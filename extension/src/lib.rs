//! ebs_advisor: which EBS volume should this PostgreSQL run on, and how do you know?
//!
//! The shell around `crates/`. `worker` samples, `collect` reads the world, `store` keeps evidence in tables,
//! `api` answers SQL. SQL objects are declared in `extension/sql/`, not generated: see ARCHITECTURE.md.

#![deny(unsafe_code)]

mod api;
mod collect;
mod errors;
#[allow(unsafe_code)]
mod ffi;
mod memory;
mod pause;
mod planner;
mod settings;
mod store;
mod worker;
