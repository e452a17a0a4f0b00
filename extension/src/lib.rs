//! ebs_advisor: which EBS volume should this PostgreSQL run on, and how do you know?
//!
//! The shell around `crates/`, from bottom to top: [`ffi`] is PostgreSQL's C interface; [`errors`], [`settings`], [`memory`],
//! [`interrupts`] and [`sql`] serve everything; [`probes`] read the world, [`storage`] keeps evidence in tables, [`planner`] plans statements;
//! [`sampler`] samples; [`functions`] answer SQL; [`entry`] has what PostgreSQL calls. SQL objects are declared in
//! `extension/sql/`, not generated: see ARCHITECTURE.md.

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
mod sql;
mod storage;
