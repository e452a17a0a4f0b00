//! Throughput and latency of the database on another volume (the what-if model), with an interval, and saturation of the present
//! volume. Knows the workload and AWS's limits, and no price.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod binding_limit;
pub mod predict;
pub mod saturation;

pub use binding_limit::{BindingLimit, LimitOwner};

#[cfg(test)]
mod fileio_runs;
