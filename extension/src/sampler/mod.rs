//! The background workers: a launcher that is connected to no database, and the sampler it starts in the one that
//! `ebs_advisor.database` names.
//!
//! There are two because a worker must be connected to find out whether a database exists, and a worker that connects to a
//! database that was dropped could only fail, again and again.

mod flush;
mod launcher;
mod leave_database;
mod mode;
mod name_cache;
mod on_demand;
mod probe_warnings;
mod registration;
mod sampling;
mod session;
mod worker;
mod writer;

pub use flush::{ensure_sampling, request_flush};
pub use launcher::{register_launcher, run_launcher};
pub use leave_database::leave_database;
pub use worker::run_sampler;
