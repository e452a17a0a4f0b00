//! The what-if model: throughput and latency on another volume; saturation of the present one.
//!
//! What the database would do on another volume, with an interval.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod predict;
pub mod saturation;
