//! The background workers: a launcher that is connected to no database, and the sampler it starts in the one that
//! `ebs_advisor.database` names.
//!
//! Two, because a worker cannot look whether a database exists without being connected, and one that is connected to a
//! database that is gone could only fail, again and again.

mod flush;
mod launcher;
mod leave_database;
mod life;
mod names;
mod on_demand;
mod sampling;
mod slow_probes;
mod writer;

pub use flush::{ensure_sampling, request_flush};
pub use launcher::{launcher, register_launcher};
pub use leave_database::leave_database;
pub use life::sampler;

/// The library's name, as the postmaster loads it.
const LIBRARY: &str = "ebs_advisor";
