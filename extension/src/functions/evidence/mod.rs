//! Evidence: volumes, I/O, wait events, statements, EBS's own counters, and the state of sampling itself.

mod balance;
mod current_sample;
mod demand_histogram;
mod device_samples;
mod io_mix;
mod io_sessions;
mod io_sources;
mod nvme;
pub mod statement_activity;
mod statements;
mod status;
mod waits;
mod workload;
