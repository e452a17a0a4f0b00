//! What was sampled: volumes, I/O, wait events, statements, EBS's own counters, and the state of sampling itself.

pub mod balance;
pub mod current_sample;
pub mod device_samples;
pub mod io_mix;
pub mod io_sessions;
pub mod io_sources;
pub mod nvme;
pub mod queries;
pub mod statements;
pub mod status;
pub mod waits;
pub mod workload;
