//! Evaluation of samples: demand, I/O profile, wait events, I/O sources, balance, statements, steady state, growth.
//!
//! Figures of a run or a window, without any opinion of volumes to buy.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod attached;
pub mod balance;
pub mod course;
pub mod declared;
pub mod demand;
pub mod growth;
pub mod mix;
pub mod nvme;
pub mod queries;
pub mod reading;
pub mod sessions;
pub mod sources;
pub mod steady;
pub mod timeline;
pub mod waits;
pub mod workload;
